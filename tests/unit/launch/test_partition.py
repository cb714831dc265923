"""Partitions and index tables: data about a range, computed and never enumerated."""

from __future__ import annotations

import time
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.values import plan_of, run_record

import cl_magic as clm
from cl_magic.errors import ArgumentError, NDRangeError
from cl_magic.launch.partition import Partition, partition_of
from cl_magic.launch.plan import LaunchPart, LaunchPlan
from cl_magic.show import html_of, text_of

SUM = """kernel void cell(global int *out, int w)
{
    size_t x = get_global_id(0), y = get_global_id(1);
    out[y * w + x] = (int)(1000 * get_group_id(0) + 100 * get_group_id(1) + 10 * get_local_id(0) + get_local_id(1));
}
"""


def test_the_linear_global_id_ignores_the_offset() -> None:
    """K-22: 4 × 2 from (10, 5) are 0 to 7."""
    cut = partition_of(plan_of((4, 2), (2, 1), offset=(10, 5)))
    linear = [cut.position((x, y)) for y in (5, 6) for x in range(10, 14)]
    assert linear == list(range(8))
    assert [cut.at(n) for n in linear] == [(x, y) for y in (5, 6) for x in range(10, 14)]
    rows = {row.kind: row for row in cut.index_table((13, 6))}
    assert (rows["global"].cartesian, rows["global"].linear, rows["global"].sizes) == ((13, 6), 7, (4, 2))
    assert (rows["group"].cartesian, rows["group"].linear) == ((1, 1), 3)
    assert (rows["local"].cartesian, rows["local"].linear) == ((1, 0), 1)
    assert cut.index_table((13, 6)).element == (1, 3)


def test_the_partition_says_what_a_last_group_needs() -> None:
    """K-16, K-29: blocks, items, and whether the last block needs a bounds check."""
    cut = partition_of(plan_of((600, 512), (16, 16)))
    assert (cut.blocks, cut.items, cut.extents, cut.needs_check) == ((38, 32), (16, 16), (600, 512), (True, False))
    assert (cut.group_count, len(cut), cut.padding) == (1216, 307_200, 0)
    assert cut.group_size((36, 0)) == (16, 16)
    assert cut.group_size((37, 31)) == (8, 16)
    padded = partition_of(plan_of((600, 512), (16, 16), "padded"))
    assert (padded.group_size((37, 31)), padded.padding, padded.launched) == ((16, 16), 8 * 512, (608, 512))
    assert len(list(padded.group((37, 31)))) == 8 * 16
    assert padded.item((607, 3)).padding


def test_a_python_loop_over_the_partition_is_the_kernel() -> None:
    """K-17."""
    program = clm.build(SUM)
    out = np.zeros((7, 11), np.int32)
    run = program.cell(out, 11, global_size=(11, 7), local_size=(4, 3))
    wanted = np.zeros_like(out)
    cut = clm.partition(program.cell, (11, 7), (4, 3))
    for group, local, (x, y) in cut:
        wanted[y, x] = 1000 * group[0] + 100 * group[1] + 10 * local[0] + local[1]
    assert np.array_equal(out, wanted)
    assert list(clm.partition(run)) == list(cut) == list(clm.partition(run.plan))
    assert clm.partition(run).kernel == "cell"


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_each_item_is_visited_once_and_both_ways_agree(data: st.DataObject) -> None:
    """K-16, K-22, C-68."""
    dimensions = data.draw(st.integers(1, 3))
    triple = lambda least, most: st.tuples(*[st.integers(least, most)] * dimensions)  # noqa: E731
    plan = plan_of(
        data.draw(triple(1, 9)), data.draw(triple(1, 5)), data.draw(st.sampled_from(["split", "padded"])),
        data.draw(triple(0, 7)),
    )  # fmt: skip
    cut = partition_of(plan)
    places = list(cut)
    assert len(places) == len(cut) == len({place.global_id for place in places})
    for place in places:
        assert place.global_id in cut
        assert cut.expand(place.group_id, place.local_id) == place.global_id
        assert cut.at(cut.position(place.global_id)) == place.global_id
        item = cut.item(place.global_id)
        assert (item.group_id, item.local_id, item.padding) == (place.group_id, place.local_id, False)
        assert item.local_size == cut.group_size(place.group_id)


def test_a_huge_range_is_never_enumerated() -> None:
    plan = LaunchPlan(
        (10**9, 10**9), (7, 0), (16, 16), "", "non-uniform", (LaunchPart((7, 0), (10**9, 10**9), (16, 16)),),
        (62_500_000, 62_500_000),
    )  # fmt: skip
    start = time.perf_counter()
    cut = partition_of(plan)
    assert len(cut) == 10**18
    assert cut.at(10**18 - 1) == (10**9 + 6, 10**9 - 1)
    assert cut.position((10**9 + 6, 10**9 - 1)) == 10**18 - 1
    assert [place.global_id for place in islice(cut, 3)] == [(7, 0), (8, 0), (9, 0)]
    assert time.perf_counter() - start < 0.5


def test_what_cannot_be_partitioned_is_said() -> None:
    driver = LaunchPlan((64,), (0,), None, "", "driver", (LaunchPart((0,), (64,), None),), ())
    with pytest.raises(NDRangeError, match="driver chose"):
        clm.partition(driver)
    with pytest.raises(ArgumentError, match="has its sizes"):
        clm.partition(plan_of((64,), (16,)), 64)
    with pytest.raises(ArgumentError, match="not int"):
        clm.partition(3)
    cut = clm.partition(plan_of((64,), (16,)))
    for wrong in (
        lambda: cut.group_size((4,)),
        lambda: cut.expand((0,), (16,)),
        lambda: cut.at(64),
        lambda: cut.position((64,)),
    ):
        with pytest.raises(NDRangeError, match="no "):
            wrong()
    with pytest.raises(NDRangeError):
        cut.index_table(64)


def test_a_kernels_required_size_is_taken() -> None:
    program = clm.build(
        "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void f(global int *x) { x[get_global_id(0)] = 1; }"
    )
    assert clm.partition(program.f, 64).items == (8,)
    assert clm.index_table(program.f, 63, 64).item.group_id == (7,)
    with pytest.raises(NDRangeError):
        clm.partition(program.f, 64, 16)
    with pytest.raises(NDRangeError, match="needs a global_size"):
        clm.partition(program.f)


def test_the_values_show_themselves() -> None:
    cut = Partition(run_record().plan, "blur")
    assert str(cut) == (
        "blur: 600 × 512 work-items in 38 × 32 groups of 16 × 16, the last group has 8 × 16, 2 launches"
    )
    assert "<svg" in html_of(cut)
    table = cut.index_table((595, 7))
    assert "local   3    7  59      8 × 16" in text_of(table)
    assert "get_local_id" in html_of(table)
