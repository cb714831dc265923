"""NDRange pictures: exact numbers, thin remainders, offsets, corners, and no enumeration (K-05, K-10)."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import values
from support.markup import Element, read

from cl_magic.display.axis import THINNEST, axes_of
from cl_magic.display.ndrange import ndrange_body, ndrange_html
from cl_magic.display.ndrange_box import shown
from cl_magic.display.ndrange_facts import select
from cl_magic.launch.plan import LaunchPart, LaunchPlan

SIZES = [
    ((1000,), (64,)),
    ((600, 512), (16, 16)),
    ((64, 48, 32), (8, 8, 4)),
    ((10**9 + 7,), (256,)),
    ((30_001, 33_333), (16, 16)),
    ((1009, 1013, 1019), (8, 8, 8)),
    ((7, 100_003), (1, 64)),
    ((3,), (64,)),
]


def _ids(root: Element) -> list[list[str]]:
    body = root.all("tbody")[0]
    return [[cell.words().replace("\u202f", "") for cell in row.children] for row in body.all("tr")]


@pytest.mark.parametrize(("sizes", "local"), SIZES)
@pytest.mark.parametrize("mode", ["split", "padded", "non-uniform"])
def test_a_picture_is_bounded_whatever_the_range(sizes: tuple[int, ...], local: tuple[int, ...], mode: str) -> None:
    html = ndrange_body(values.plan_of(sizes, local, mode))
    shapes = [e for e in read(html).all() if e.name in {"rect", "path", "line", "text", "circle"}]
    assert len(shapes) <= 2000
    assert len(html) <= 60_000


def test_a_billion_items_draw_as_fast_as_a_thousand() -> None:
    def took(size: int) -> float:
        plan = values.plan_of((size,), (256,))
        start = time.perf_counter()
        for _ in range(5):
            ndrange_body(plan)
        return time.perf_counter() - start

    took(1000)
    assert took(10**9 + 7) < 20 * took(1007) + 0.1


def test_selected_work_item_has_the_ids_of_the_specification() -> None:
    root = read(ndrange_body(values.plan_of((600, 512), (16, 16)), (341, 155)))
    assert _ids(root) == [
        ["global id", "341", "155", "93341"],
        ["group id", "21", "9", "363"],
        ["local id", "5", "11", "181"],
    ]
    assert "1 of 2, main" in root.words()


def test_selection_in_three_dimensions() -> None:
    root = read(ndrange_body(values.plan_of((64, 48, 32), (8, 8, 4)), (29, 21, 14)))
    assert _ids(root) == [
        ["global id", "29", "21", "14", "44381"],
        ["group id", "3", "2", "3", "163"],
        ["local id", "5", "5", "2", "173"],
    ]


def test_the_offset_counts_in_global_ids_only() -> None:
    root = read(ndrange_body(values.plan_of((1000,), (64,), offset=(500,)), (1070,)))
    assert _ids(root) == [["global id", "1070", "570"], ["group id", "8", "8"], ["local id", "58", "58"]]
    assert root.all("line", "off")
    assert "below the offset 500" in root.words()


def test_a_thin_remainder_is_drawn_wider_and_that_is_said() -> None:
    x, _ = axes_of(values.plan_of((6001, 512), (16, 16)), (300.0, 256.0))
    assert x.rest == 1
    assert x.strip == THINNEST
    assert x.enlarged
    assert x.at(6000) == pytest.approx(300 - THINNEST)
    assert "drawn wider" in read(ndrange_body(values.plan_of((6001, 512), (16, 16)))).words()


def test_corner_remainders_are_crossed() -> None:
    html = ndrange_body(values.plan_of((1000, 600), (64, 64)))
    crossed = [e for e in read(html).all("rect") if e.attributes.get("fill", "").endswith("corner)")]
    assert len(crossed) == 2  # in the map, in the key
    assert "40 columns and 24 rows, launched separately, in 3 launches" in read(html).words()


def test_padding_is_dotted_and_counted() -> None:
    root = read(ndrange_html(values.plan_of((1000,), (64,), "padded"), (983,)))
    assert "24 padding items" in root.words()
    assert "items end at 999" in root.words()
    assert any(e.attributes.get("fill", "").endswith("pad)") for e in root.all("rect"))


def test_limits_are_shown_with_their_numbers() -> None:
    root = read(ndrange_body(values.plan_of((600, 512), (16, 16)), device=values.pocl_device()))
    rows = [[c.words() for c in row.children][:3] for row in root.all("table", "lim")[0].all("tbody")[0].all("tr")]
    assert rows[0] == ["items in a group", "256", "4\u202f096"]
    assert len(rows) == 3


@pytest.mark.parametrize("sizes", [(1000,), (600, 512), (8, 8, 8)])
def test_without_a_local_size_the_driver_chooses(sizes: tuple[int, ...]) -> None:
    offset = (0,) * len(sizes)
    plan = LaunchPlan(sizes, offset, None, "", "driver", (LaunchPart(offset, sizes, None),), offset)
    root = read(ndrange_html(plan))
    assert "groups chosen by the driver" in root.words()
    assert len(root.all("tbody")[0].all("tr")) == 1


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_positions_grow_and_stay_inside(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 10**9))
    local = data.draw(st.integers(1, 4096))
    mode = data.draw(st.sampled_from(["split", "padded"]))
    (axis,) = axes_of(values.plan_of((size,), (local,), mode), (300.0,))
    items = sorted(data.draw(st.lists(st.integers(0, size), min_size=2, max_size=6)))
    places = [axis.at(item) for item in items]
    assert places == sorted(places)
    assert places[0] >= 0
    assert places[-1] <= 300 + 1e-6
    assert axis.main + axis.strip == pytest.approx(300)
    assert axis.group_at(axis.groups - 1)[0] <= 300


@given(st.integers(1, 10**6), st.integers(2, 12), st.data())
def test_layers_shown_hold_the_chosen_one(total: int, most: int, data: st.DataObject) -> None:
    chosen = data.draw(st.integers(0, total - 1))
    indices = shown(total, chosen, max(most, 3))
    assert chosen in indices
    assert indices == sorted(set(indices))
    assert len(indices) <= max(most, 3)
    assert indices[0] == 0
    assert indices[-1] == total - 1


def test_the_default_selection_lies_in_a_whole_group() -> None:
    chosen = select(values.plan_of((600, 512), (16, 16)))
    assert chosen.group == (21, 9)
    assert chosen.local == (5, 11)


@pytest.mark.parametrize("sizes", [(0,), (5, 0), (1, 0, 3)])
def test_an_empty_range_says_so(sizes: tuple[int, ...]) -> None:
    local = (1,) * len(sizes)
    plan = LaunchPlan(sizes, (0,) * len(sizes), local, "", "uniform", (), sizes)
    assert "The range is empty" in ndrange_html(plan)
