"""What holds for every output: one style, names with numbers, ids of its own, text of 100 columns."""

from __future__ import annotations

import re
from typing import Any

import pytest
from support import values
from support.markup import read

import cl_magic.display  # noqa: F401 - registers the views
from cl_magic.display.devices import DevicesView
from cl_magic.display.page import style, wrap
from cl_magic.display.run_text import buffers_text, timeline_text
from cl_magic.display.timeline import timeline_html
from cl_magic.errors import BuildError, NDRangeError
from cl_magic.show import html_of, text_of

LIMIT = NDRangeError("the local size 8 192 is over the limit 4 096", remedy="local_size=4096")
VALUES: dict[str, Any] = {
    "failed build": values.failed_build(),
    "good build": values.good_build(),
    "run": values.run_record(),
    "failed run": values.run_record(status="failed", error="the device was lost", captures=(), printf=""),
    "1-D plan": values.plan_of((1000,), (64,), "padded"),
    "2-D plan": values.plan_of((600, 512), (16, 16)),
    "3-D plan": values.plan_of((100, 30, 101), (16, 8, 4)),
    "devices": DevicesView(values.driver_reports(), "0:0"),
    "no devices": DevicesView(()),
    "device": values.nvidia_device(),
    "driver": values.driver_reports()[-1],
    "error": LIMIT,
    "build error": BuildError("not built", result=values.failed_build()),
}


@pytest.fixture(params=VALUES)
def value(request: pytest.FixtureRequest) -> Any:
    return VALUES[request.param]


def test_html_is_one_section_with_one_style_and_a_name(value: Any) -> None:
    root = read(html_of(value))
    assert [child.name for child in root.children] == ["style", "section"]
    assert len(root.all("style")) == 1
    section = root.children[1]
    assert section.attributes["class"] == "clm"
    assert section.attributes["aria-label"]


def test_every_picture_says_its_numbers(value: Any) -> None:
    for svg in read(html_of(value)).all("svg"):
        if svg.attributes.get("role") == "img":
            assert re.search(r"\d", svg.attributes["aria-label"])
        else:
            hidden = svg.attributes.get("aria-hidden") == "true" or "nss" in svg.attributes.get("class", "")
            assert hidden


def test_ids_are_those_of_one_output(value: Any) -> None:
    first, second = read(html_of(value)), read(html_of(value))
    ids = {e.attributes["id"] for e in first.all() if "id" in e.attributes}
    others = {e.attributes["id"] for e in second.all() if "id" in e.attributes}
    assert not ids & others
    used = set(re.findall(r"url\(#([^)]*)\)", html_of(value).split("</style>")[1]))
    assert len({name.split("-")[0] for name in used}) <= 1


def test_every_reference_has_its_pattern(value: Any) -> None:
    body = html_of(value).split("</style>")[1]
    defined = {e.attributes["id"] for e in read(body).all() if "id" in e.attributes}
    assert set(re.findall(r"url\(#([^)]*)\)", body)) <= defined


def test_scrolling_boxes_can_be_reached_and_have_names(value: Any) -> None:
    for box in read(html_of(value)).all(css="scroll"):
        assert box.attributes["tabindex"] == "0"
        assert box.attributes["aria-label"]


def test_nothing_is_fetched(value: Any) -> None:
    html = html_of(value)
    assert not re.search(r"(?:src|href)=\"(?!data:)", html)
    assert "http" not in html
    assert "@import" not in html


def test_text_has_at_most_100_columns_and_no_markup(value: Any) -> None:
    text = text_of(value)
    assert text
    assert max(map(len, text.split("\n"))) <= 100
    assert "\u202f" not in text
    assert not re.search(r"</?[a-z]+[ >]", text)


def test_style_follows_the_theme_and_the_cells_width() -> None:
    assert '[data-jp-theme-light="false"] .clm' in style()
    assert "@container" in style()
    assert "</" not in style()


def test_wrap_names_the_role() -> None:
    section = read(wrap("<p>x</p>", label='a "b"', role="alert")).children[1]
    assert section.attributes == {"class": "clm", "role": "alert", "aria-label": 'a "b"'}


@pytest.mark.parametrize("maker", [timeline_text, lambda record: buffers_text(record.captures)])
def test_tables_in_text_keep_the_width(maker: Any) -> None:
    assert max(map(len, maker(values.run_record()).split("\n"))) <= 100


def test_timeline_is_an_output_too() -> None:
    assert [child.name for child in read(timeline_html(values.run_record())).children] == ["style", "section"]
