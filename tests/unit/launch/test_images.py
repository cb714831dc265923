"""Arrays as images and samplers, without a device: R-43, R-44, R-46, R-50, R-51, C-08."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cl_magic as clm
from cl_magic.clc.signature import KernelSignature, Parameter
from cl_magic.errors import ArgumentError
from cl_magic.launch.arguments import BoundArguments, bind, binder_for
from cl_magic.launch.image_formats import CHANNEL_TYPES, DTYPES
from cl_magic.launch.image_support import FormatList, ImageSupport, check_images, nearest_format
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.request import ImageArgument, LaunchRequest
from cl_magic.launch.samplers import check_filters
from cl_magic.record.codec import from_json, to_json

Array = np.ndarray[Any, Any]

DEVICE = DeviceInfo("0:0", "cpu", "Portable Computing Language", "", ("cpu",), images=True, max_alloc_bytes=1 << 20)
COMMON = ("R FLOAT", "RGBA FLOAT", "RGBA UNORM_INT8", "BGRA UNORM_INT8", "RGBA UNSIGNED_INT8", "RGBA HALF_FLOAT")
SUPPORT = ImageSupport(
    (FormatList(("image2d read_only", "image2d write_only", "image3d read_only"), COMMON),),
    width_2d=64, height_2d=32, width_3d=16, height_3d=16, depth_3d=16, array_size=4, max_read_images=1,
    max_write_images=1, max_samplers=1,
)  # fmt: skip


def parameter(type_name: str = "image2d_t", access: Any = "read_only", *families: str, name: str = "img") -> Parameter:
    return Parameter(0, name, type_name, "global", access, reads=True, image_families=families)


def bound(value: Any, type_name: str = "image2d_t", access: Any = "read_only", *families: str) -> ImageArgument:
    argument = binder_for(parameter(type_name, access, *families), "f")(value, 0)
    assert isinstance(argument, ImageArgument)
    return argument


def refused(value: Any, type_name: str = "image2d_t", access: Any = "read_only", *families: str) -> ArgumentError:
    with pytest.raises(ArgumentError) as caught:
        bound(value, type_name, access, *families)
    assert (caught.value.kernel, caught.value.parameter) == ("f", "img")
    assert caught.value.remedy
    return caught.value


def zeros(*shape: int, dtype: Any = np.uint8) -> Array:
    return np.zeros(shape, dtype)


@pytest.mark.parametrize(
    ("shape", "order", "pixel_bytes"),
    [((4, 6), "R", 1), ((4, 6, 2), "RG", 2), ((4, 6, 3), "RGB", 3), ((4, 6, 4), "RGBA", 4)],
)
def test_r_44_the_order_follows_the_shape(shape: tuple[int, ...], order: str, pixel_bytes: int) -> None:
    argument = bound(zeros(*shape))
    assert (argument.channel_order, argument.pixels, argument.pixel_bytes) == (order, (6, 4), pixel_bytes)
    assert argument.row_bytes == 6 * pixel_bytes
    assert argument.region == (6, 4, 1)


@pytest.mark.parametrize(
    ("dtype", "family", "name"),
    [
        ("uint8", "f", "UNORM_INT8"),
        ("uint8", "ui", "UNSIGNED_INT8"),
        ("int8", "f", "SNORM_INT8"),
        ("int8", "i", "SIGNED_INT8"),
        ("uint16", "f", "UNORM_INT16"),
        ("uint16", "ui", "UNSIGNED_INT16"),
        ("int16", "f", "SNORM_INT16"),
        ("int16", "i", "SIGNED_INT16"),
        ("int32", "i", "SIGNED_INT32"),
        ("uint32", "ui", "UNSIGNED_INT32"),
        ("float16", "f", "HALF_FLOAT"),
        ("float16", "h", "HALF_FLOAT"),
        ("float32", "f", "FLOAT"),
        ("uint8", "", "UNSIGNED_INT8"),
        ("int16", "", "SIGNED_INT16"),
        ("float32", "", "FLOAT"),
    ],
)
def test_r_44_the_type_follows_the_dtype_and_the_kernels_functions(dtype: str, family: str, name: str) -> None:
    assert bound(zeros(4, 6, dtype=dtype), "image2d_t", "read_only", *filter(None, [family])).channel_type == name


def test_r_46_integers_of_two_meanings_need_a_word_where_nobody_read_the_source() -> None:
    unread = binder_for(Parameter(0, "img", "image2d_t", "global", "read_only"), "f")
    with pytest.raises(ArgumentError) as caught:
        unread(zeros(4, 6), 0)
    assert caught.value.channel_types == ("UNORM_INT8", "UNSIGNED_INT8")
    for value in (clm.image(zeros(4, 6), channel_type="UNORM_INT8"), zeros(4, 6, dtype=np.float32)):
        assert isinstance(unread(value, 0), ImageArgument)


@pytest.mark.parametrize(
    ("type_name", "shape", "pixels"),
    [
        ("image1d_t", (7,), (7,)),
        ("image1d_t", (7, 4), (7,)),
        ("image1d_buffer_t", (7, 2), (7,)),
        ("image1d_array_t", (3, 7), (7, 3)),
        ("image2d_t", (5, 7), (7, 5)),
        ("image2d_array_t", (3, 5, 7, 4), (7, 5, 3)),
        ("image3d_t", (3, 5, 7), (7, 5, 3)),
        ("image2d_depth_t", (5, 7), (7, 5)),
        ("image2d_array_depth_t", (3, 5, 7), (7, 5, 3)),
    ],
)
def test_r_43_each_kind_has_its_axes(type_name: str, shape: tuple[int, ...], pixels: tuple[int, ...]) -> None:
    argument = bound(zeros(*shape, dtype=np.float32), type_name)
    assert argument.pixels == pixels
    assert argument.kind == type_name.removesuffix("_t").replace("_depth", "")
    assert (argument.channel_order == "DEPTH") == ("depth" in type_name)


@pytest.mark.parametrize(
    ("access", "direction"), [("none", "in"), ("read_only", "in"), ("write_only", "out"), ("read_write", "inout")]
)
def test_the_direction_follows_the_access_qualifier(access: str, direction: str) -> None:
    argument = bound(zeros(4, 6), "image2d_t", access)
    assert (argument.direction, argument.access) == (direction, "read_only" if access == "none" else access)


BAD = {
    "float64": zeros(4, 6, dtype=np.float64),
    "int64": zeros(4, 6, dtype=np.int64),
    "bool": zeros(4, 6, dtype=np.bool_),
    "complex": zeros(4, 6, dtype=np.complex64),
    "object": np.array([[None]]),
    "datetime": zeros(4, 6, dtype="datetime64[s]"),
    "record": zeros(4, 6, dtype="f4,f4"),
    "other byte order": zeros(4, 6, dtype=">f4"),
    "masked": np.ma.masked_array(zeros(4, 6), mask=True),
    "empty": zeros(0, 6),
    "0-d": zeros(),
    "1-d": zeros(6),
    "4-d": zeros(2, 4, 6, 4),
    "five channels": zeros(4, 6, 5),
    "list": [[1, 2], [3, 4]],
    "number": 3,
    "None": None,
    "sampler": clm.sampler(),
    "local memory": clm.local(64),
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_no_image_is_refused_by_name(what: str) -> None:
    error = refused(BAD[what])
    assert error.value is BAD[what] or what == "masked"


@pytest.mark.parametrize("array", [np.asfortranarray(zeros(4, 6)), zeros(8, 12)[::2, ::-2], zeros(4, 6)[::-1]])
def test_layouts_that_are_gathered(array: Array) -> None:
    assert not bound(array).contiguous
    assert not bound(array, "image2d_t", "write_only").contiguous


def test_r_43_what_cannot_be_written_back_is_refused_for_write_only() -> None:
    fixed = zeros(4, 6)
    fixed.flags.writeable = False
    assert bound(fixed).direction == "in"
    refused(fixed, "image2d_t", "write_only")
    repeated = np.lib.stride_tricks.as_strided(zeros(6), (4, 6), (0, 1))
    refused(repeated, "image2d_t", "write_only")


def test_r_43_kind_by_name() -> None:
    assert bound(clm.image(zeros(3, 4, 6), kind="image3d_t"), "image3d_t").kind == "image3d"
    assert "image3d" in refused(clm.image(zeros(3, 4, 6), kind="image3d"), "image2d_array_t").message
    refused(zeros(4, 6), "image3d_t")
    refused(zeros(4, 6), "image2d_msaa_t")
    moved = refused(zeros(3, 40, 60), "image2d_t")
    assert "moveaxis" in moved.remedy


@pytest.mark.parametrize(
    ("dtype", "families"),
    [
        ("uint8", ("i",)),
        ("int8", ("ui",)),
        ("int32", ("f",)),
        ("uint32", ("f",)),
        ("float32", ("ui",)),
        ("uint8", ("f", "ui")),
    ],
)
def test_r_46_a_family_that_does_not_fit(dtype: str, families: tuple[str, ...]) -> None:
    error = refused(zeros(4, 6, dtype=dtype), "image2d_t", "read_only", *families)
    assert error.families == families
    assert "6.12.14.2" in error.message or len(families) > 1


def test_r_46_an_explicit_type_must_fit_dtype_and_functions() -> None:
    chosen = clm.image(zeros(4, 6), channel_type="unorm_int8")
    assert bound(chosen, "image2d_t", "read_only", "f").channel_type == "UNORM_INT8"
    refused(chosen, "image2d_t", "read_only", "ui")
    refused(clm.image(zeros(4, 6), channel_type="FLOAT"))


def test_orders_by_name() -> None:
    assert bound(clm.image(zeros(4, 6, 4), channel_order="CL_BGRA")).channel_order == "BGRA"
    assert bound(clm.image(zeros(4, 6), channel_order="luminance")).channel_order == "LUMINANCE"
    assert "RGBA" in refused(clm.image(zeros(4, 6, 4), channel_order="RG")).remedy
    refused(clm.image(zeros(4, 6), channel_order="DEPTH"))
    refused(clm.image(zeros(4, 6, dtype=np.float32), channel_order="R"), "image2d_depth_t")


@pytest.mark.parametrize("words", [{"channel_order": "XYZ"}, {"channel_type": "UINT9"}, {"kind": "image4d"}])
def test_a_wrapper_knows_its_words(words: dict[str, str]) -> None:
    with pytest.raises(ArgumentError) as caught:
        clm.image(zeros(4, 6), **words)
    assert (caught.value.parameter, caught.value.value) == next(iter(words.items()))


def test_a_wrapper_takes_arrays_only() -> None:
    with pytest.raises(ArgumentError):
        clm.image([1, 2])  # type: ignore[arg-type]


@pytest.mark.parametrize(("type_name", "address"), [("float*", "global"), ("int", "private"), ("float4", "private")])
@pytest.mark.parametrize("value", [clm.image(zeros(4, 6)), clm.sampler()], ids=["image", "sampler"])
def test_c_08_images_and_samplers_fit_their_own_parameters_only(type_name: str, address: Any, value: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        binder_for(Parameter(0, "img", type_name, address), "f")(value, 0)
    assert caught.value.parameter == "img"


@pytest.mark.parametrize("value", [zeros(4, 6), 3, None, "nearest", clm.image(zeros(4, 6))], ids=str)
def test_c_08_a_sampler_parameter_takes_a_sampler_only(value: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        binder_for(Parameter(0, "pick", "sampler_t"), "f")(value, 0)
    assert (caught.value.parameter, caught.value.kernel) == ("pick", "f")
    assert "clm.sampler(" in caught.value.remedy


def test_r_51_the_words_of_a_sampler() -> None:
    made = clm.sampler(normalized=True, addressing="MIRRORED_REPEAT", filter="linear")
    assert (made.normalized, made.addressing, made.filter) == (True, "mirrored_repeat", "linear")
    with pytest.raises(ArgumentError) as misspelled:
        clm.sampler(addressing="clamp_edge")
    assert "clamp_to_edge" in misspelled.value.remedy
    with pytest.raises(ArgumentError) as unknown:
        clm.sampler(filter="cubic")
    assert unknown.value.parameter == "filter"


@pytest.mark.parametrize("normalized", ["no", None, 2])
def test_r_51_normalized_is_a_truth_value(normalized: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        clm.sampler(normalized=normalized)
    assert (caught.value.parameter, caught.value.value) == ("normalized", normalized)


@pytest.mark.parametrize("addressing", ["repeat", "mirrored_repeat"])
def test_r_51_repeat_needs_normalised_coordinates(addressing: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        clm.sampler(addressing=addressing)
    assert (caught.value.parameter, caught.value.value) == ("addressing", addressing)
    assert clm.sampler(addressing=addressing, normalized=True).addressing == addressing


def two(families: tuple[str, ...] = ("f",), access: Any = "write_only") -> KernelSignature:
    return KernelSignature(
        "f",
        (
            Parameter(0, "src", "image2d_t", "global", "read_only", reads=True, image_families=families),
            Parameter(1, "pick", "sampler_t"),
            Parameter(2, "dst", "image2d_t", "global", access, reads=False, image_families=families),
            Parameter(3, "out", "float*", "global"),
        ),
    )


def test_r_51_a_linear_filter_is_for_floats() -> None:
    linear = clm.sampler(filter="linear")
    with pytest.raises(ArgumentError) as caught:
        bind(two(("ui",)), (zeros(4, 6), linear, zeros(4, 6), zeros(2, dtype=np.float32)))
    assert caught.value.parameter == "pick"
    made = bind(two(), (zeros(4, 6), linear, zeros(4, 6), zeros(2, dtype=np.float32)))
    check_filters(two(()), made.samplers)


def test_slots_follow_those_of_the_arrays() -> None:
    src, dst, out = zeros(4, 6, 4), zeros(4, 6, 4), zeros(2, dtype=np.float32)
    made = bind(two(), (clm.image(src, channel_order="BGRA"), clm.sampler(), dst, out), labels={"dst": "result"})
    assert [(a.name, a.slot) for a in (*made.arrays, *made.images)] == [("out", 0), ("src", 1), ("dst", 2)]
    assert [made.values[a.slot] is value for a, value in zip(made.images, (src, dst), strict=True)] == [True, True]
    assert [image.label for image in made.images] == ["src", "result"]
    assert made.facts[0] == (
        0,
        "read_only image2d_t src",
        "uint8 (4, 6, 4) as 6×4 BGRA UNORM_INT8, 24 B a row",
        "in",
    )
    assert made.facts[1][2] == "sampler, pixel coordinates, clamp_to_edge, nearest"


def test_memory_that_is_read_and_written_is_refused() -> None:
    plane, out = zeros(4, 6), zeros(24, dtype=np.float32)
    with pytest.raises(ArgumentError) as caught:
        bind(two(), (plane, clm.sampler(), plane[::-1], out))
    assert caught.value.parameters == ("src", "dst")
    with pytest.raises(ArgumentError) as buffer:
        bind(two(), (out.reshape(4, 6), clm.sampler(), zeros(4, 6), out))
    assert buffer.value.parameters == ("out", "src")
    assert len(bind(two(access="read_only"), (plane, clm.sampler(), plane, out)).images) == 2


def checked(value: Any, device: DeviceInfo = DEVICE, type_name: str = "image2d_t", *families: str) -> None:
    signature = KernelSignature("f", (parameter(type_name, "read_only", *families),))
    check_images(bind(signature, (value,)), device, lambda: SUPPORT)


def test_a_device_without_images_is_told_before_it_is_asked() -> None:
    device = DeviceInfo("0:0", "cpu", "PoCL", "", ("cpu",))
    for signature, value in (
        (KernelSignature("f", (parameter(),)), zeros(4, 6)),
        (KernelSignature("f", (Parameter(0, "pick", "sampler_t"),)), clm.sampler()),
    ):
        with pytest.raises(ArgumentError) as caught:
            check_images(bind(signature, (value,)), device, lambda: pytest.fail("nothing to ask"))
        assert caught.value.parameter == signature.parameters[0].name


def test_without_images_nothing_is_asked() -> None:
    check_images(BoundArguments(KernelSignature("f")), DEVICE, lambda: pytest.fail("nothing to ask"))


@pytest.mark.parametrize(
    ("shape", "type_name", "axis", "limit"),
    [
        ((4, 65), "image2d_t", "width", 64),
        ((33, 4), "image2d_t", "height", 32),
        ((17, 4, 4), "image3d_t", "depth", 16),
        ((5, 4), "image1d_array_t", "array size", 4),
        ((65,), "image1d_t", "width", 64),
    ],
)
def test_r_50_over_a_limit(shape: tuple[int, ...], type_name: str, axis: str, limit: int) -> None:
    with pytest.raises(ArgumentError) as caught:
        checked(zeros(*shape, dtype=np.float32), DEVICE, type_name)
    assert (caught.value.axis, caught.value.limit, caught.value.size) == (axis, limit, limit + 1)


def test_r_50_over_the_largest_allocation() -> None:
    small = DeviceInfo("0:0", "cpu", "PoCL", "", ("cpu",), images=True, max_alloc_bytes=64)
    with pytest.raises(ArgumentError) as caught:
        checked(zeros(4, 6, dtype=np.float32), small)
    assert (caught.value.nbytes, caught.value.limit) == (96, 64)


def test_r_50_too_many_images_or_samplers() -> None:
    images = tuple(Parameter(i, f"i{i}", "image2d_t", "global", "read_only") for i in range(2))
    samplers = tuple(Parameter(i, f"s{i}", "sampler_t") for i in range(2))
    for parameters, value in ((images, zeros(4, 6, dtype=np.float32)), (samplers, clm.sampler())):
        with pytest.raises(ArgumentError) as caught:
            check_images(bind(KernelSignature("f", parameters), (value, value)), DEVICE, lambda: SUPPORT)
        assert (caught.value.limit, caught.value.parameter) == (1, parameters[1].name)


CONVERTED = {
    "RGB": (zeros(4, 6, 3), "RGBA UNORM_INT8"),
    "RG float": (zeros(4, 6, 2, dtype=np.float32), "RGBA FLOAT"),
    "R bytes": (zeros(4, 6), "RGBA UNORM_INT8"),
    "RGBA 16 bits": (zeros(4, 6, 4, dtype=np.uint16), "RGBA FLOAT"),
    "BGR": (clm.image(zeros(4, 6, 4), channel_order="ARGB"), "RGBA UNORM_INT8"),
}


@pytest.mark.parametrize("what", CONVERTED)
def test_r_44_the_nearest_format_is_named_and_the_remedy_makes_it(what: str) -> None:
    value, nearest = CONVERTED[what]
    with pytest.raises(ArgumentError) as caught:
        checked(value, DEVICE, "image2d_t", "f")
    assert caught.value.nearest == nearest
    assert set(caught.value.formats) == set(COMMON)
    names = {"np": np, "clm": clm, "img": getattr(value, "array", value)}
    exec(caught.value.remedy, names)  # noqa: S102 - a line of ours, that a user would paste
    checked(names["img"], DEVICE, "image2d_t", "f")


def test_r_44_no_format_at_all() -> None:
    with pytest.raises(ArgumentError) as caught:
        checked(zeros(4, dtype=np.float32), DEVICE, "image1d_buffer_t")
    assert caught.value.nearest is None


def test_r_44_a_remedy_keeps_the_values() -> None:
    value = np.arange(96, dtype=np.uint16).reshape(4, 6, 4) * 600
    with pytest.raises(ArgumentError) as caught:
        checked(clm.image(value, channel_order="ARGB"), DEVICE, "image2d_t", "f")
    names = {"np": np, "clm": clm, "img": value}
    exec(caught.value.remedy, names)  # noqa: S102 - as above
    made: Any = names["img"]
    assert np.allclose(made[..., 3], value[..., 0] / 65535)
    assert made.dtype == np.float32


@pytest.mark.parametrize(
    ("wanted", "nearest"),
    [
        ("R UNSIGNED_INT8", "RGBA UNSIGNED_INT8"),
        ("RGBA SNORM_INT8", "RGBA HALF_FLOAT"),
        ("BGRA FLOAT", "RGBA FLOAT"),
        ("LUMINANCE FLOAT", "R FLOAT"),
        ("RGBA UNORM_INT8", "RGBA UNORM_INT8"),
    ],
)
def test_r_44_nearest(wanted: str, nearest: str) -> None:
    assert nearest_format(wanted, COMMON) == nearest


def test_r_45_the_minimum_is_known() -> None:
    everything = tuple(f"RGBA {name}" for name in CHANNEL_TYPES)
    support = ImageSupport((FormatList(("image2d read_only",), everything),))
    assert support.missing("image2d", "read_only") == ("BGRA UNORM_INT8",)
    assert len(DTYPES) == 8


def test_images_and_samplers_travel_as_values() -> None:
    made = bind(two(), (zeros(4, 6), clm.sampler(), zeros(4, 6), zeros(2, dtype=np.float32)))
    from support.values import plan_of  # noqa: PLC0415 - beside its use

    request = LaunchRequest("p", "f", plan_of((6, 4), (6, 4)), images=made.images, samplers=made.samplers)
    assert from_json(LaunchRequest, *to_json(request)) == request
    assert from_json(ImageSupport, *to_json(SUPPORT)) == SUPPORT
