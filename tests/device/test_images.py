"""Images and samplers on every device, through both engines: R-43 to R-46, R-50 to R-52, C-08, C-41."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cl_magic as clm
from cl_magic.device import engine_for
from cl_magic.engine.image_support import image_support
from cl_magic.errors import ArgumentError, BuildError, DeviceNotFoundError, OptionError
from cl_magic.launch.image_formats import CHANNEL_TYPES
from cl_magic.launch.image_support import ImageSupport
from cl_magic.launch.limits import DeviceInfo

Array = np.ndarray[Any, Any]
Run = Callable[..., clm.RunRecord]

KINDS = {
    "image1d": ("int", "x", (7,)),
    "image1d_buffer": ("int", "x", (7,)),
    "image1d_array": ("int2", "(int2)(x, y)", (3, 7)),
    "image2d": ("int2", "(int2)(x, y)", (5, 7)),
    "image2d_array": ("int4", "(int4)(x, y, z, 0)", (3, 5, 7)),
    "image3d": ("int4", "(int4)(x, y, z, 0)", (3, 5, 7)),
}
"""Coordinates of each kind, and a shape."""
VALUES = {"f": "float4", "i": "int4", "ui": "uint4"}


@pytest.fixture
def with_images(device: DeviceInfo) -> DeviceInfo:
    if not device.images:
        pytest.skip(f"{device.short_name} has no images")
    return device


@pytest.fixture(params=["worker", "inline"])
def run(request: pytest.FixtureRequest, with_images: DeviceInfo) -> Run:
    """Calls a kernel of a source on the device, by either engine."""
    try:
        engine_for(with_images, request.param)
    except DeviceNotFoundError:
        pytest.skip(f"{with_images.short_name} is absent from the OpenCL loader of this process")

    def call(source: str, kernel: str, *args: Any, **words: Any) -> clm.RunRecord:
        record = clm.build(source, device=with_images)[kernel](*args, engine=request.param, **words)
        assert isinstance(record, clm.RunRecord)
        return record

    return call


@pytest.fixture
def support(with_images: DeviceInfo) -> ImageSupport:
    return image_support(engine_for(with_images), with_images)


def copying(kind: str) -> str:
    """A kernel for each family that copies an image of a kind."""
    place = KINDS[kind][1]
    kernels = (
        f"kernel void copy_{family}(read_only {kind}_t src, write_only {kind}_t dst) {{\n"
        "  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
        f"  write_image{family}(dst, {place}, read_image{family}(src, {place}));\n}}\n"
        for family in VALUES
    )
    pragma = "#ifdef cl_khr_3d_image_writes\n#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n#endif\n"
    return pragma + "".join(kernels)


def filled(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """Values of the whole range of a dtype, that every channel type of it keeps."""
    rng = np.random.default_rng(len(shape) + dtype.itemsize)
    if dtype.kind == "f":
        return rng.normal(0, 100, shape).astype(dtype)
    limits = np.iinfo(dtype)
    # -1.0 is written as the lowest value but one of a signed normalised type (OpenCL C 1.2, 8.3.1.1).
    return rng.integers(limits.min + (dtype.kind == "i"), limits.max, shape, dtype, endpoint=True)


@pytest.mark.parametrize("kind", KINDS)
def test_r_43_every_kind_goes_there_and_back_in_every_format(run: Run, support: ImageSupport, kind: str) -> None:
    source, axes = copying(kind), KINDS[kind][2]
    done = set()
    for channels, order in ((1, "R"), (2, "RG"), (4, "RGBA")):
        for channel in CHANNEL_TYPES.values():
            name = f"{order} {channel.name}"
            src = filled(axes if channels == 1 else (*axes, channels), channel.dtype)
            dst = np.zeros_like(src)
            if {name} - set(support.formats(kind, "read_only")) or {name} - set(support.formats(kind, "write_only")):
                continue
            record = run(source, f"copy_{channel.family}", src, dst, global_size=tuple(reversed(axes)))
            assert np.array_equal(dst, src), name
            assert name in record.arguments[0].value
            assert [argument.direction for argument in record.arguments] == ["in", "out"]
            done.add(name)
    assert len(done) >= 10


def test_r_44_a_format_that_the_driver_gets_wrong_is_not_used(run: Run, support: ImageSupport) -> None:
    """PoCL 3.0 lists R HALF_FLOAT, reads 1.0 as 234.0 and writes zeros."""
    src, dst = np.ones((5, 7), np.float16), np.zeros((5, 7), np.float16)
    if "R HALF_FLOAT" in support.wrong:
        with pytest.raises(ArgumentError) as caught:
            run(copying("image2d"), "copy_f", src, dst, global_size=(7, 5))
        assert caught.value.nearest in {"R FLOAT", "RGBA HALF_FLOAT"}
    else:
        run(copying("image2d"), "copy_f", src, dst, global_size=(7, 5))
        assert np.array_equal(dst, src)


READ_WRITE = """kernel void k(read_write image2d_t both)
{ int2 p = (int2)(get_global_id(0), get_global_id(1)); write_imagef(both, p, read_imagef(both, p) * 2.0f); }
"""


def test_r_43_a_read_write_image(with_images: DeviceInfo, support: ImageSupport) -> None:
    both = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    try:
        program = clm.build(READ_WRITE, std="CL2.0", device=with_images)
    except OptionError as error:
        assert "CL2.0" not in error.versions  # noqa: PT017 - a device without the language that has such images
        return
    except BuildError as error:
        assert error.result.diagnostics  # noqa: PT017 - a compiler of OpenCL C 1.2 says why
        return
    if "RGBA FLOAT" not in support.formats("image2d", "read_write"):
        with pytest.raises(ArgumentError):
            program.k(both, global_size=(3, 2))
        return
    run = program.k(both, global_size=(3, 2))
    assert np.array_equal(both.reshape(-1), np.arange(24) * 2)
    assert run.arguments[0].direction == "inout"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("access", ["read_only", "write_only"])
def test_r_45_the_minimum_formats_are_there(support: ImageSupport, kind: str, access: str) -> None:
    assert support.missing(kind, access) == ()


def test_r_44_the_list_of_the_device_is_what_is_checked(run: Run, support: ImageSupport) -> None:
    photo = np.zeros((4, 6, 3), np.uint8)
    assert "RGB UNORM_INT8" not in support.formats("image2d", "read_only")
    with pytest.raises(ArgumentError) as caught:
        run(copying("image2d"), "copy_f", photo, np.zeros((4, 6, 4), np.uint8), global_size=(6, 4))
    error = caught.value
    assert (error.parameter, error.format, error.nearest) == ("src", "RGB UNORM_INT8", "RGBA UNORM_INT8")
    names = {"np": np, "src": photo}
    exec(error.remedy, names)  # noqa: S102 - a line of ours, that a user would paste
    padded: Any = names["src"]
    result = np.zeros_like(padded)
    run(copying("image2d"), "copy_f", padded, result, global_size=(6, 4))
    assert (result[..., 3] == 255).all()


def test_r_44_an_order_of_ones_own(run: Run) -> None:
    blue_first = np.zeros((4, 6, 4), np.uint8)
    blue_first[..., 0], blue_first[..., 3] = 200, 255
    result = np.zeros_like(blue_first)
    given = clm.image(blue_first, channel_order="BGRA")
    run(copying("image2d"), "copy_f", given, result, global_size=(6, 4))
    assert result[0, 0].tolist() == [0, 0, 200, 255]


def test_r_46_a_family_that_does_not_fit_is_refused(run: Run) -> None:
    numbers = np.ones((4, 6, 4), np.uint8)
    as_integers = clm.image(numbers, channel_type="UNSIGNED_INT8")
    with pytest.raises(ArgumentError) as caught:
        run(copying("image2d"), "copy_f", as_integers, np.zeros_like(numbers), global_size=(6, 4))
    assert (caught.value.parameter, caught.value.families) == ("src", ("f",))
    for kernel, dtype in (("copy_ui", np.int8), ("copy_i", np.uint8), ("copy_f", np.int32), ("copy_ui", np.float32)):
        wrong = numbers.astype(dtype)
        with pytest.raises(ArgumentError):
            run(copying("image2d"), kernel, wrong, np.zeros_like(wrong), global_size=(6, 4))


def test_r_46_values_saturate_when_written(run: Run) -> None:
    source = (
        "kernel void k(write_only image2d_t u, write_only image2d_t i, write_only image2d_t f) {\n"
        "  int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
        "  write_imageui(u, p, (uint4)(300, 255, 7, 0)); write_imagei(i, p, (int4)(300, -300, 7, 0));\n"
        "  write_imagef(f, p, (float4)(2.0f, -1.0f, 1.0f, 0.0f));\n}\n"
    )
    u, i, f = (np.full((2, 3, 4), 9, dtype) for dtype in (np.uint8, np.int8, np.uint8))
    run(source, "k", u, i, f, global_size=(3, 2))
    assert u[1, 2].tolist() == [255, 255, 7, 0]
    assert i[1, 2].tolist() == [127, -128, 7, 0]
    assert f[1, 2].tolist() == [255, 0, 255, 0]


SAMPLED = """kernel void at(read_only image2d_t src, sampler_t pick, float2 place, global float *out)
{ out[get_global_id(0)] = read_imagef(src, pick, place).x; }
"""


@pytest.fixture
def at(run: Run) -> Callable[..., float]:
    """The value that a sampler reads at (x, y) of the numbers 1 to 12 in three rows of four."""
    src = np.arange(1, 13, dtype=np.float32).reshape(3, 4)

    def read(sampler: Any, x: float, y: float) -> float:
        out = np.zeros(1, np.float32)
        run(SAMPLED, "at", clm.image(src), sampler, (x, y), out, global_size=1)
        return float(out[0])

    return read


def test_r_51_addressing_outside_of_an_image(at: Callable[..., float]) -> None:
    assert at(clm.sampler(addressing="clamp"), -2.0, 1.5) == 0
    assert at(clm.sampler(addressing="clamp"), 9.0, 1.5) == 0
    assert at(clm.sampler(addressing="clamp_to_edge"), -2.0, 1.5) == 5
    assert at(clm.sampler(addressing="clamp_to_edge"), 9.0, 9.0) == 12
    assert at(clm.sampler(addressing="none"), 1.5, 0.5) == 2


def test_r_51_normalised_coordinates_and_repeats(at: Callable[..., float]) -> None:
    assert at(clm.sampler(normalized=True), 0.375, 0.5) == 6
    assert at(clm.sampler(normalized=True, addressing="repeat"), 1.375, 0.5) == 6
    assert at(clm.sampler(normalized=True, addressing="repeat"), -0.125, 0.5) == 8
    assert at(clm.sampler(normalized=True, addressing="mirrored_repeat"), 1.125, 0.5) == 8


def test_r_51_a_linear_filter_weighs_its_neighbours(at: Callable[..., float]) -> None:
    linear = clm.sampler(filter="linear")
    assert at(linear, 1.0, 0.5) == pytest.approx(1.5, abs=0.01)
    assert at(linear, 1.25, 1.0) == pytest.approx((1 * 0.25 + 2 * 0.75 + 5 * 0.25 + 6 * 0.75) / 2, abs=0.02)
    assert at(clm.sampler(filter="linear", addressing="clamp"), 0.0, 0.5) == pytest.approx(0.5, abs=0.01)


def test_r_51_a_sampler_in_the_source_is_left_alone(run: Run) -> None:
    source = (
        "constant sampler_t pick = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
        "kernel void k(read_only image2d_t src, global float *out)\n"
        "{ int i = get_global_id(0); out[i] = read_imagef(src, pick, (float2)(i - 2.0f, 0.5f)).x; }\n"
    )
    out = np.zeros(8, np.float32)
    run(source, "k", np.arange(4, dtype=np.float32).reshape(1, 4), out, global_size=8)
    assert out.tolist() == [0, 0, 0, 1, 2, 3, 3, 3]


def test_r_52_a_sampler_outlives_its_name(with_images: DeviceInfo) -> None:
    program = clm.build(SAMPLED, device=with_images)
    src, out = np.ones((3, 4), np.float32), np.zeros(1, np.float32)
    pending = [
        program.at(src, clm.sampler(addressing="clamp"), (1.5, 0.5), out, global_size=1, wait=False) for _ in range(20)
    ]
    gc.collect()
    for one in pending:
        one.wait()
    assert out[0] == 1


def test_r_50_an_image_over_the_limit_is_refused_with_the_limit(run: Run, support: ImageSupport) -> None:
    limits = {
        "image2d": (1, support.width_2d + 1),
        "image1d": (support.width_2d + 1,),
        "image1d_array": (support.array_size + 1, 1),
        "image3d": (support.depth_3d + 1, 1, 1),
    }
    for kind, shape in limits.items():
        too_large = np.zeros(shape, np.uint8)
        with pytest.raises(ArgumentError) as caught:
            run(copying(kind), "copy_f", too_large, np.zeros(KINDS[kind][2], np.uint8), global_size=(1,))
        assert (caught.value.parameter, caught.value.size) == ("src", max(shape))
        assert caught.value.limit == max(shape) - 1


def test_r_43_kind_and_access_are_checked_by_name(run: Run) -> None:
    plane, fixed = np.zeros((5, 7), np.float32), np.zeros((5, 7), np.float32)
    fixed.flags.writeable = False
    with pytest.raises(ArgumentError) as kind:
        run(copying("image3d"), "copy_f", plane, np.zeros((3, 5, 7), np.float32), global_size=(7, 5, 3))
    assert (kind.value.parameter, kind.value.kernel) == ("src", "copy_f")
    with pytest.raises(ArgumentError) as asked:
        run(copying("image2d"), "copy_f", clm.image(plane, kind="image3d"), plane.copy(), global_size=(7, 5))
    assert asked.value.parameter == "src"
    with pytest.raises(ArgumentError) as access:
        run(copying("image2d"), "copy_f", plane, fixed, global_size=(7, 5))
    assert access.value.parameter == "dst"
    assert run(copying("image2d"), "copy_f", fixed, plane, global_size=(7, 5)).status == "complete"


def test_a_strided_array_is_gathered_and_scattered(run: Run) -> None:
    whole = np.zeros((10, 14, 4), np.float32)
    src, dst = np.asfortranarray(filled((5, 7, 4), np.dtype(np.float32))), whole[::2, ::-2]
    run(copying("image2d"), "copy_f", src, dst, global_size=(7, 5))
    assert np.array_equal(dst, src)
    assert not whole[1::2].any()


PARTLY = """kernel void mark(write_only image2d_t dst, read_only image2d_t src)
{ int i = get_global_id(0); write_imageui(dst, (int2)(i, 0), read_imageui(src, (int2)(i, 1)) + 1u); }
"""


def test_what_a_kernel_does_not_write_stays(run: Run) -> None:
    src, dst = np.full((3, 5, 4), 4, np.uint8), np.full((3, 5, 4), 9, np.uint8)
    record = run(PARTLY, "mark", dst, src, global_size=5)
    assert (dst[0] == 5).all()
    assert (dst[1:] == 9).all()
    capture = record.capture("dst")
    assert (capture.shape, capture.changed) == ((3, 5, 4), 20)
    assert capture.picture_after is not None
    assert capture.picture_after.shape == (3, 5, 4)
    moved = {(t.parameter, t.direction) for t in record.transfers}
    assert moved == {("src", "to device"), ("dst", "to device"), ("dst", "from device")}


@pytest.mark.parametrize("kind", KINDS)
def test_repeats_and_restores_leave_the_values_of_one_run(run: Run, kind: str) -> None:
    src, dst = filled(KINDS[kind][2], np.dtype(np.float32)), np.zeros(KINDS[kind][2], np.float32)
    record = run(copying(kind), "copy_f", src, dst, global_size=tuple(reversed(KINDS[kind][2])), repeat=3, warmup=1)
    assert np.array_equal(dst, src)
    assert [event.kind for event in record.events].count("restore") == 3


def test_a_range_in_parts_and_a_rebuilt_program(run: Run) -> None:
    plane = filled((5, 7), np.dtype(np.float32))
    split, grouped = np.zeros_like(plane), np.zeros_like(plane)
    record = run(copying("image2d"), "copy_f", plane, split, global_size=(7, 5), local_size=(4, 2))
    assert np.array_equal(split, plane)
    assert record.plan.mode == "split"
    source = (
        "kernel void k(read_only image2d_t src, write_only image2d_t dst) {\n"
        "  int2 p = (int2)(get_group_id(0) * 4 + get_local_id(0), get_global_id(1));\n"
        "  write_imagef(dst, p, read_imagef(src, p));\n}\n"
    )
    record = run(source, "k", plane, grouped, global_size=(7, 5), local_size=(4, 1))
    assert record.plan.mode == "rebuilt"
    assert np.array_equal(grouped, plane)


def test_a_depth_image(run: Run, with_images: DeviceInfo, support: ImageSupport) -> None:
    source = (
        "#ifdef cl_khr_depth_images\n#pragma OPENCL EXTENSION cl_khr_depth_images : enable\n#endif\n"
        "kernel void k(read_only image2d_depth_t src, global float *out)\n"
        "{ int i = get_global_id(0); out[i] = read_imagef(src, (int2)(i, 0)); }\n"
    )
    if "DEPTH FLOAT" not in support.formats("image2d", "read_only"):
        pytest.skip(f"{with_images.short_name} has no depth images")
    src, out = np.linspace(0, 1, 8, dtype=np.float32).reshape(2, 4), np.zeros(4, np.float32)
    run(source, "k", src, out, global_size=4)
    assert np.array_equal(out, src[0])


def test_an_image_and_an_array_of_one_memory_are_refused_when_written(run: Run) -> None:
    plane = np.zeros((5, 7), np.float32)
    with pytest.raises(ArgumentError) as caught:
        run(copying("image2d"), "copy_f", plane, plane, global_size=(7, 5))
    assert caught.value.parameters == ("src", "dst")


def test_a_prepared_launch_takes_images(with_images: DeviceInfo) -> None:
    src, dst = filled((5, 7), np.dtype(np.float32)), np.zeros((5, 7), np.float32)
    again = clm.build(copying("image2d"), device=with_images).copy_f.prepare(src, dst, global_size=(7, 5))
    again().wait()
    assert np.array_equal(dst, src)


def test_r_43_image_objects_of_pyopencl_are_checked_by_kind_access_and_format(with_images: DeviceInfo) -> None:
    """PoCL and Oclgrind run a kernel with an image of another kind."""
    cl = pytest.importorskip("pyopencl")
    found = [d for p in cl.get_platforms() for d in p.get_devices() if d.name.strip() == with_images.name]
    if not found:
        pytest.skip(f"{with_images.short_name} is absent from the OpenCL loader of this process")
    context = cl.Context(found[:1])
    flags, format_ = cl.mem_flags, cl.ImageFormat(cl.channel_order.R, cl.channel_type.FLOAT)
    src = filled((5, 7), np.dtype(np.float32))
    hosted = flags.READ_ONLY | flags.COPY_HOST_PTR
    image = cl.create_image(context, hosted, format_, shape=(7, 5), hostbuf=src)
    result = cl.create_image(context, flags.WRITE_ONLY, format_, shape=(7, 5))
    program = clm.build(copying("image2d"), device=with_images)
    run = program.copy_f(image, result, global_size=(7, 5))
    back = np.zeros_like(src)
    cl.enqueue_copy(cl.CommandQueue(context), back, result, origin=(0, 0), region=(7, 5))
    assert np.array_equal(back, src)
    assert {transfer.how for transfer in run.transfers} == {"already on the device"}
    solid = clm.build(copying("image3d"), device=with_images)
    for kernel, arguments, parameter in (
        (solid.copy_f, (image, result), "src"),
        (program.copy_f, (image, image), "dst"),
        (program.copy_ui, (image, result), "src"),
    ):
        with pytest.raises(ArgumentError) as caught:
            kernel(*arguments, global_size=(7, 5))
        assert caught.value.parameter == parameter
