"""Run report, devices and errors: structure and facts (R-01, R-03)."""

from __future__ import annotations

import dataclasses

import pytest
from support import values
from support.markup import read

import cl_magic.display  # noqa: F401 - registers the views
from cl_magic.display.devices import DevicesView, capabilities
from cl_magic.display.run_report import run_html
from cl_magic.display.run_text import plan_text, run_text
from cl_magic.errors import BuildError, ClMagicError
from cl_magic.show import html_of, text_of


def test_a_run_is_one_line_with_five_folded_sections() -> None:
    root = read(run_html(values.run_record()))
    (line,) = root.all("details", "line")
    sections = line.all("details", "sec")
    assert [s.all("b")[0].words() for s in sections] == ["Plan", "NDRange", "Timeline", "Buffers", "Printf"]
    assert all("open" not in s.attributes for s in [line, *sections])
    assert all(s.children[0].all("span")[0].words() for s in sections)
    summary = line.children[0].words()
    assert summary.startswith("blur · 600 × 512 items in 16 × 16 groups · 1.26\u202fms")


def test_plan_section_has_launches_transfers_and_arguments() -> None:
    plan = read(run_html(values.run_record())).all("details", "sec")[0]
    launches = [[c.words() for c in row.children] for row in plan.all("tbody")[0].all("tr")]
    assert launches[1][:4] == ["2, remainder", "(592, 0)", "8 × 512", "8 × 16"]
    assert launches[2][-1] == "307\u202f200"
    words = plan.words()
    assert "1\u202f228\u202f800\u202fB" in words
    assert "const in the source" in words
    assert "global const float *restrict src" in words


def test_the_element_of_the_selected_work_item() -> None:
    ndrange = read(run_html(values.run_record())).all("details", "sec")[1]
    assert "dst[155, 341]" in ndrange.words()


def test_the_element_counts_the_offset() -> None:
    image = values.cells_image(40, 50)
    plan = values.plan_of((32, 32), (8, 8), offset=(18, 8))
    record = values.run_record(plan=plan, captures=(values.capture_of("a", image),))
    words = read(run_html(record)).all("details", "sec")[1].words()
    assert "a[21, 36]" in words
    assert f"= {image[21, 36]:.4f}" in words


def test_printf_shows_the_first_lines_and_where_all_are() -> None:
    printf = read(run_html(values.run_record())).all("details", "sec")[4]
    assert printf.all("pre")[0].words().count("\n") == 999
    assert "1\u202f000 of 1\u202f216 lines" in printf.words()
    assert "print(run.printf)" in printf.words()


@pytest.mark.parametrize("line", ["x" * 499, '"' * 499, "é" * 499, "x" * 100_000])
def test_printf_on_the_screen_has_at_most_64_kib(line: str) -> None:
    """Issue 3, 5: also where every character is six in HTML."""
    html = run_html(values.run_record(printf=f"{line}\n" * 900, captures=()))
    pre = html[html.index('<pre class="raw"') : html.index("</pre>")]
    assert 30_000 < len(pre.encode()) <= 65_536 + 200
    assert "of 900 lines" in html


def test_a_failed_run_is_an_alert_with_its_error() -> None:
    record = values.run_record(status="failed", error="the worker ended with SIGSEGV", captures=(), printf="")
    root = read(run_html(record))
    assert root.children[1].attributes["role"] == "alert"
    assert "SIGSEGV" in root.words()
    assert "SIGSEGV" in run_text(record)


def test_a_bare_record_is_shown() -> None:
    known = values.run_record()
    bare = type(known)(known.kernel, known.device, known.plan)
    assert len(read(run_html(bare)).all("details", "sec")) == 5
    assert run_text(bare)


def test_text_of_a_run_has_the_five_conclusions() -> None:
    lines = run_text(values.run_record(notes=("The arrays were padded.",))).split("\n")
    assert [row.split()[0] for row in lines[1:]] == ["plan", "ndrange", "timeline", "buffers", "printf", "note"]
    assert "2 launches; remainder 8 columns launched separately as 8 × 16 groups" in lines[1]


def test_text_of_a_plan_has_each_launch() -> None:
    text = plan_text(values.plan_of((1000, 600), (64, 64)))
    assert text.count("remainder  ") >= 3
    assert "(960, 576)" in text


def test_devices_have_badges_simulator_and_trouble_with_remedy() -> None:
    root = read(html_of(DevicesView(values.driver_reports(), "0:0")))
    rows = root.all("tbody")[0].all("tr")
    assert len(rows) == 3
    assert [b.words() for b in rows[0].all(css="badge")] == ["fp64", "images", "SVM coarse"]
    assert "no fp16, sub-groups" in rows[0].words()
    assert [len(row.all(css="sim")) for row in rows] == [0, 0, 1]
    assert "chosen" in rows[1].words()
    assert "not reported" in rows[2].words()
    (trouble,) = root.all(css="un")
    assert "permission denied" in trouble.words()
    assert "usermod" in trouble.words()
    assert "3 devices on 3 platforms" in root.words()


def test_devices_in_text() -> None:
    text = text_of(DevicesView(values.driver_reports(), "0:0"))
    assert "* 0:0  PoCL cpu" in text
    assert "→ sudo usermod" in text


def test_no_driver_at_all_names_the_way_out() -> None:
    assert "pip install" in read(html_of(DevicesView(()))).words()


def test_unavailable_devices_are_marked() -> None:
    device = values.pocl_device(available=False)
    assert "not available" in read(html_of(device)).words()
    assert capabilities(dataclasses.replace(device, sub_groups=True, fp16=True)) == [
        "fp64",
        "fp16",
        "images",
        "SVM fine",
        "sub-groups",
    ]


def test_an_error_says_what_and_what_next() -> None:
    error = ClMagicError("the local size 9 is over the limit 8\nof 'saxpy'", remedy="use 8")
    root = read(html_of(error))
    assert root.children[1].attributes["role"] == "alert"
    assert [d.words() for d in root.all("dt")] == ["Details", "Next"]
    assert text_of(error).split("\n")[-1] == "→ use 8"


def test_a_build_error_shows_its_build() -> None:
    error = BuildError("not built", result=values.failed_build(), remedy="The kernel 'saxpy' is no longer bound.")
    root = read(html_of(error))
    assert len(root.all("li", "diag")) == 3
    assert "no longer bound" in root.words()
    assert text_of(error).startswith("saxpy.cl: 2 errors, 1 warning")


def test_what_a_process_wrote_is_folded() -> None:
    error = ClMagicError("the worker ended", output="line <1>\nline 2\n")
    (section,) = read(html_of(error)).all("details", "sec")
    assert "2 lines" in section.children[0].words()
    assert section.all("pre")[0].words() == "line <1>\nline 2"


def test_long_messages_may_break_and_short_facts_may_not() -> None:
    spans = read(html_of(ClMagicError("word " * 40))).all("p", "head")[0].children
    assert [s.attributes.get("class") for s in spans if s.name == "span"] == ["long", "dim", None]
