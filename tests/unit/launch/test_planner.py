"""Plans: limits, attributes, automatic sizes, remainders, each with its numbers."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cl_magic.build.result import WorkGroupInfo
from cl_magic.clc.signature import Guard, KernelSignature
from cl_magic.errors import NDRangeError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.ndrange import NDRange
from cl_magic.launch.partition import work_group_of
from cl_magic.launch.planner import plan
from cl_magic.launch.whole_range import ProgramFacts, builtins_of, prelude_for

POCL = DeviceInfo(
    "0:0", "pthread", "Portable Computing Language", "OpenCL 3.0 PoCL 3.0", ("cpu",), compute_units=2,
    max_work_group_size=4096, max_work_item_sizes=(4096, 4096, 4096),
)  # fmt: skip
INTEL = replace(POCL, platform_name="Intel(R) OpenCL", max_work_group_size=8192, non_uniform_work_groups=True)
WORK_GROUP = WorkGroupInfo(4096, 8)
PLAIN = KernelSignature("f")
GUARDED = KernelSignature("f", guards=(Guard(0, 4, "i < n"),))
CL12 = ProgramFacts("OpenCL C 1.2")
CL20 = ProgramFacts("OpenCL C 2.0")


def required(*size: int) -> KernelSignature:
    return KernelSignature("f", reqd_work_group_size=size)


def uses(*names: str) -> KernelSignature:
    return KernelSignature("f", builtins=frozenset(names))


def test_a_multiple_is_one_launch_with_the_offset() -> None:
    """R-18, K-06."""
    done = plan(NDRange((4,), (2,), (10,)), POCL, WORK_GROUP, PLAIN)
    assert (done.mode, done.groups, done.mode_reason) == ("uniform", (2,), "")
    assert done.parts[0].global_offset == (10,)


@pytest.mark.parametrize(
    ("local", "work_group", "limit", "limit_of"),
    [
        ((8192,), WORK_GROUP, 4096, "dimension"),
        ((128, 64), WORK_GROUP, 4096, "device"),
        ((512,), WorkGroupInfo(256, 8), 256, "kernel"),
    ],
)
def test_a_local_size_over_a_limit_names_the_limit(
    local: tuple[int, ...], work_group: WorkGroupInfo, limit: int, limit_of: str
) -> None:
    """Case 26, R-80."""
    with pytest.raises(NDRangeError) as caught:
        plan(NDRange((8192,) * len(local), local), POCL, work_group, PLAIN)
    assert (caught.value.limit, caught.value.limit_of) == (limit, limit_of)


def test_required_size_is_filled_in() -> None:
    """C-74, case 27."""
    done = plan(NDRange((64,)), POCL, WORK_GROUP, required(8, 1, 1))
    assert done.local_size == (8,)
    assert "reqd_work_group_size(8, 1, 1)" in done.local_size_reason


def test_required_size_known_from_the_device_only() -> None:
    """C-74: the front end did not run."""
    done = plan(NDRange((64,)), POCL, WorkGroupInfo(4096, 8, (8, 1, 1)), KernelSignature("f", origin="device"))
    assert done.local_size == (8,)


def test_another_size_than_the_required_names_both() -> None:
    """C-70, case 27."""
    with pytest.raises(NDRangeError) as caught:
        plan(NDRange((64,), (16,)), POCL, WORK_GROUP, required(8, 1, 1))
    assert (caught.value.required, caught.value.local_size) == ((8, 1, 1), (16,))


def test_required_size_and_a_remainder() -> None:
    """Case 27: global 60 is no multiple of 8."""
    with pytest.raises(NDRangeError) as caught:
        plan(NDRange((60,)), POCL, WORK_GROUP, required(8, 1, 1))
    assert "60 = 7 × 8 + 4" in str(caught.value)
    assert caught.value.ways == ("global_size=56 or 64",)


def test_required_size_needs_enough_dimensions() -> None:
    """C-71."""
    for size in ((64,), (64, 1), (64, 1, 1)):
        assert plan(NDRange(size), POCL, WORK_GROUP, required(4, 1, 1)).mode == "uniform"
    assert plan(NDRange((8, 2)), POCL, WORK_GROUP, required(4, 2, 1)).local_size == (4, 2)
    with pytest.raises(NDRangeError, match="needs 2 dimensions") as caught:
        plan(NDRange((64,)), POCL, WORK_GROUP, required(4, 2, 1))
    assert caught.value.remedy == "global_size=(64, 2)"
    with pytest.raises(NDRangeError, match="needs 3 dimensions"):
        plan(NDRange((64, 4)), POCL, WORK_GROUP, required(4, 1, 2))


def test_required_size_over_the_device() -> None:
    """C-72."""
    with pytest.raises(NDRangeError) as caught:
        plan(NDRange((1_000_000,)), POCL, WORK_GROUP, required(1_000_000, 1, 1))
    assert caught.value.limit == 4096


def test_hint_is_taken_and_can_be_overruled() -> None:
    """C-69."""
    hinted = KernelSignature("f", work_group_size_hint=(8, 1, 1))
    assert plan(NDRange((64,)), POCL, WORK_GROUP, hinted).local_size == (8,)
    assert plan(NDRange((64,), (2,)), POCL, WORK_GROUP, hinted).local_size == (2,)
    too_large = KernelSignature("f", work_group_size_hint=(8192, 1, 1))
    assert plan(NDRange((8192,)), POCL, WORK_GROUP, too_large).local_size == (256,)


@pytest.mark.parametrize(
    ("size", "local"),
    [
        ((1,), (1,)),
        ((7919,), (256,)),
        ((1_000_000,), (320,)),
        ((640, 512), (16, 16)),
        ((1009, 1013), (16, 16)),
        ((64, 48, 32), (8, 8, 4)),
        ((3, 100_000), (3, 80)),
    ],
)
def test_automatic_sizes(size: tuple[int, ...], local: tuple[int, ...]) -> None:
    """R-20, case 26: a prime size does not fall to groups of one."""
    done = plan(NDRange(size), POCL, WORK_GROUP, PLAIN)
    assert done.local_size == local
    assert done.local_size_reason.startswith("chosen: ")


@given(
    size=st.lists(st.integers(1, 3000), min_size=1, max_size=3),
    most=st.sampled_from([1, 2, 7, 64, 256, 4096]),
    multiple=st.sampled_from([1, 8, 32, 128]),
    units=st.integers(1, 200),
)
@settings(deadline=None, max_examples=200)
def test_automatic_sizes_are_always_legal(size: list[int], most: int, multiple: int, units: int) -> None:
    """R-20."""
    device = replace(POCL, compute_units=units, max_work_item_sizes=(most, min(most, 64), 16))
    for kernel in (PLAIN, uses("get_sub_group_id")):
        done = plan(NDRange(tuple(size)), device, WorkGroupInfo(most, multiple), kernel)
        assert done.local_size is not None
        items = 1
        for axis, local in enumerate(done.local_size):
            assert 1 <= local <= min(size[axis], device.max_work_item_sizes[axis])
            items *= local
        assert items <= most
        assert kernel is PLAIN or done.mode == "uniform"


def test_an_automatic_group_of_three_dimensions_keeps_the_limit() -> None:
    """R-20: the second and third size share what the limit leaves."""
    device = replace(POCL, compute_units=1, max_work_item_sizes=(64, 64, 16))
    local = plan(NDRange((1, 275, 606)), device, WorkGroupInfo(64, 1), PLAIN).local_size
    assert local is not None
    assert math.prod(local) <= 64


def test_split_with_its_numbers() -> None:
    """K-10, K-11."""
    done = plan(NDRange((10, 7), (4, 4)), POCL, WORK_GROUP, PLAIN)
    assert (done.mode, done.groups, len(done.parts)) == ("split", (3, 2), 4)
    assert [part.global_offset for part in done.parts] == [(0, 0), (8, 0), (0, 4), (8, 4)]
    assert "x: 10 = 2 × 4 + 2, y: 7 = 1 × 4 + 3" in done.mode_reason


def test_one_small_group_needs_no_rebuild() -> None:
    done = plan(NDRange((10,), (64,)), POCL, WORK_GROUP, uses("get_group_id", "get_global_size"))
    assert (done.mode, done.replaced, len(done.parts), done.groups) == ("split", (), 1, (1,))
    done = plan(NDRange((10,), (64,)), POCL, WORK_GROUP, uses("get_group_id", "get_enqueued_local_size"))
    assert (done.mode, done.replaced) == ("rebuilt", ("get_enqueued_local_size",))


def test_functions_of_the_whole_range_are_replaced() -> None:
    """K-12."""
    done = plan(NDRange((6,), (4,)), POCL, WORK_GROUP, uses("get_global_offset", "get_group_id", "get_local_id"))
    assert (done.mode, done.replaced) == ("rebuilt", ("get_global_offset", "get_group_id"))
    assert done.prelude.endswith("#line 1\n")
    assert "#define get_local_id" not in done.prelude


def test_non_uniform_where_device_and_language_allow() -> None:
    """K-10, R-61: what counts is the version really used."""
    kernel = uses("get_group_id")
    assert plan(NDRange((10,), (4,)), INTEL, WORK_GROUP, kernel, program=CL20).mode == "non-uniform"
    assert plan(NDRange((10,), (4,)), INTEL, WORK_GROUP, kernel, program=CL12).mode == "rebuilt"
    assert plan(NDRange((10,), (4,)), INTEL, WORK_GROUP, kernel).mode == "rebuilt"
    forbidden = ProgramFacts("OpenCL C 2.0", ("-cl-uniform-work-group-size",))
    assert plan(NDRange((10,), (4,)), INTEL, WORK_GROUP, kernel, program=forbidden).mode == "rebuilt"
    assert plan(NDRange((10,), (4,)), INTEL, WORK_GROUP, PLAIN, program=CL20, remainder="split").mode == "split"


def test_sub_group_queries_refuse_with_ways_out() -> None:
    """R-61, K-12."""
    kernel = replace(uses("get_sub_group_id"), guards=(Guard(0, 4, "i < n"),))
    with pytest.raises(NDRangeError) as caught:
        plan(NDRange((1000,), (64,)), INTEL, WORK_GROUP, kernel, program=CL12)
    ways = " ".join(caught.value.ways)
    assert caught.value.ways[0] == "local_size=50 or 100"
    assert 'remainder="pad"' in ways
    assert "--std=CL2.0" in ways
    assert 'remainder="asis"' in ways
    with pytest.raises(NDRangeError) as caught:
        plan(NDRange((1000,), (64,)), POCL, WORK_GROUP, uses("sub_group_reduce_add"), program=CL12)
    assert "--std" not in caught.value.remedy
    assert "pad" not in caught.value.remedy


def test_padding_needs_a_guard_on_each_padded_dimension() -> None:
    """K-13."""
    done = plan(NDRange((1000,), (64,)), POCL, WORK_GROUP, GUARDED, remainder="pad")
    assert (done.mode, done.padded_global_size, done.parts[0].global_size) == ("padded", (1024,), (1024,))
    assert "line 4" in done.mode_reason
    assert plan(NDRange((10, 8), (4, 4)), POCL, WORK_GROUP, GUARDED, remainder="pad").padded_global_size == (12, 8)
    with pytest.raises(NDRangeError, match=r"no guard on get_global_id\(1\)"):
        plan(NDRange((8, 10), (4, 4)), POCL, WORK_GROUP, GUARDED, remainder="pad")
    with pytest.raises(NDRangeError, match="was not read"):
        plan(NDRange((10,), (4,)), POCL, WORK_GROUP, KernelSignature("f", origin="device"), remainder="pad")


def test_padding_and_a_return_before_a_barrier() -> None:
    """K-14, K-15: a guard after the barrier is right, a return before it is not."""
    early = replace(GUARDED, return_before_barrier=5)
    with pytest.raises(NDRangeError, match="line 5 stands before a barrier"):
        plan(NDRange((5,), (8,)), POCL, WORK_GROUP, early, remainder="pad")
    assert plan(NDRange((5,), (8,)), POCL, WORK_GROUP, GUARDED, remainder="pad").padded_global_size == (8,)


def test_padding_keeps_the_true_range_in_get_global_size() -> None:
    """K-13: a guard written against get_global_size(0) must see the true size."""
    kernel = replace(GUARDED, builtins=frozenset({"get_global_size", "get_num_groups"}))
    done = plan(NDRange((5,), (8,)), POCL, WORK_GROUP, kernel, remainder="pad")
    assert (done.mode, done.replaced) == ("padded", ("get_global_size",))
    assert "5ul" in done.prelude


def test_error_and_asis() -> None:
    """K-31."""
    with pytest.raises(NDRangeError, match="10 = 2 × 4 \\+ 2"):
        plan(NDRange((10,), (4,)), POCL, WORK_GROUP, PLAIN, remainder="error")
    asis = plan(NDRange((10,), (4,)), POCL, WORK_GROUP, uses("get_sub_group_id"), remainder="asis")
    assert (len(asis.parts), asis.parts[0].local_size) == (1, (4,))
    driver = plan(NDRange((10,)), POCL, WORK_GROUP, PLAIN, remainder="asis")
    assert (driver.mode, driver.local_size, driver.parts[0].local_size) == ("driver", None, None)
    assert plan(NDRange((16,)), POCL, WORK_GROUP, required(8, 1, 1), remainder="asis").local_size == (8,)
    with pytest.raises(NDRangeError):
        plan(NDRange((10,)), POCL, WORK_GROUP, PLAIN, remainder="maybe")  # type: ignore[arg-type]


def test_a_range_past_the_address_bits() -> None:
    """R-18."""
    small = replace(POCL, address_bits=32)
    with pytest.raises(NDRangeError) as caught:
        plan(NDRange((8,), None, (2**32 - 4,)), small, WORK_GROUP, PLAIN)
    assert caught.value.limit == 2**32


def test_without_the_front_end_names_in_the_text_count() -> None:
    unread = KernelSignature("f", origin="device")
    source = "kernel void f(global int *o) { o[get_group_id(0)] = 1; /* get_num_groups */ }"
    done = plan(NDRange((10,), (4,)), POCL, WORK_GROUP, unread, program=ProgramFacts("OpenCL C 1.2", (), source))
    assert done.replaced == ("get_group_id",)
    done = plan(NDRange((10,), (4,)), POCL, WORK_GROUP, unread, program=ProgramFacts("OpenCL C 1.2"))
    assert {"get_group_id", "get_global_size"} <= set(done.replaced)
    assert "get_global_linear_id" not in done.replaced
    headers = ProgramFacts("", (), '#include "x.h"\nkernel void f() { get_sub_group_id(); }')
    assert {"get_sub_group_id", "get_global_offset"} <= builtins_of(unread, headers)


def test_a_later_language_version_is_offered() -> None:
    """R-61: as a remark where a split is exact, as a way out where nothing is."""
    done = plan(NDRange((10,), (4,)), INTEL, WORK_GROUP, PLAIN, program=CL12)
    assert (done.mode, "--std=CL2.0" in done.notes[0]) == ("split", True)
    assert plan(NDRange((10,), (4,)), POCL, WORK_GROUP, PLAIN, program=CL12).notes == ()
    with pytest.raises(NDRangeError) as caught:
        plan(NDRange((10,)), INTEL, WORK_GROUP, required(4, 1, 1), program=CL12)
    assert caught.value.ways[1].startswith("--std=CL2.0")
    # Measured on Intel and Oclgrind: last groups are cut under the attribute too.
    assert plan(NDRange((10,)), INTEL, WORK_GROUP, required(4, 1, 1), program=CL20).mode == "non-uniform"


def test_enqueued_sub_groups_are_counted_for_a_whole_group() -> None:
    """K-12: 40 items in sub-groups of 16 are 3, in the part of 4 items too."""
    done = plan(NDRange((44,), (40,)), POCL, WORK_GROUP, uses("get_enqueued_num_sub_groups"))
    assert done.replaced == ("get_enqueued_num_sub_groups",)
    assert "(40u + get_max_sub_group_size() - 1u) / get_max_sub_group_size()" in done.prelude


def test_a_name_like_a_sub_group_function_is_no_call() -> None:
    facts = ProgramFacts("OpenCL C 1.2", (), "kernel void f() { int sub_group_size = 4; }")
    assert builtins_of(KernelSignature("f", origin="device"), facts) == frozenset()


def test_the_prelude_is_whole_lines() -> None:
    text = prelude_for(("get_global_size", "get_group_id"), (10, 7), (4, 4), (5, 0))
    assert text.splitlines()[-1] == "#line 1"
    assert "(get_global_id(0) - get_local_id(0) - 5ul) / 4ul" in text


@given(
    size=st.lists(st.integers(1, 40), min_size=1, max_size=3),
    local=st.lists(st.integers(1, 12), min_size=3, max_size=3),
    offset=st.lists(st.integers(0, 9), min_size=3, max_size=3),
)
@settings(deadline=None, max_examples=100)
def test_parts_cover_each_work_item_once(size: list[int], local: list[int], offset: list[int]) -> None:
    """K-11."""
    count = len(size)
    done = plan(NDRange(tuple(size), tuple(local[:count]), tuple(offset[:count])), POCL, WORK_GROUP, PLAIN)
    items = 0
    for part in done.parts:
        volume = 1
        assert part.local_size is not None
        for axis in range(count):
            assert part.global_size[axis] % part.local_size[axis] == 0
            volume *= part.global_size[axis]
        items += volume
    whole = 1
    for axis in range(count):
        whole *= size[axis]
    assert items == whole
    assert len(done.parts) <= 2**count
    last = work_group_of(done, tuple(s + o - 1 for s, o in zip(size, offset, strict=False)))
    assert last.group_id == tuple(g - 1 for g in done.groups)
    assert last.global_linear_id == whole - 1


def test_a_work_item_of_a_padded_range() -> None:
    """K-29."""
    done = plan(NDRange((1000,), (64,)), POCL, WORK_GROUP, GUARDED, remainder="pad")
    assert work_group_of(done, (1010,)).padding
    inside = work_group_of(done, (983,))
    assert (inside.group_id, inside.local_id, inside.local_size, inside.padding) == ((15,), (23,), (64,), False)
    with pytest.raises(NDRangeError):
        work_group_of(done, (1024,))
    with pytest.raises(NDRangeError):
        work_group_of(plan(NDRange((10,)), POCL, WORK_GROUP, PLAIN, remainder="asis"), (1,))
