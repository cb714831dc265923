"""The report of a crash: what happened, what is safe, what next; arrays by state; the strip of memory (issue 3, 1)."""

from __future__ import annotations

from typing import Any

import pytest
from support import values
from support.markup import Element, read

import cl_magic.display  # noqa: F401 - registers the views
from cl_magic.display.crash_arrays import array_rows
from cl_magic.display.crash_facts import crash_of, title
from cl_magic.display.crash_story import next_steps
from cl_magic.display.crash_strip import offset, strip_svg
from cl_magic.display.error_report import ErrorReport
from cl_magic.errors import (
    BuildTimeoutError,
    ClMagicError,
    CompilerCrashedError,
    DeviceLostError,
    KernelCrashedError,
    LaunchTimeoutError,
    OutOfBoundsError,
    OutOfMemoryError,
    WorkerDiedError,
)
from cl_magic.record.fault import FaultReport
from cl_magic.record.run import ArgumentFact
from cl_magic.show import html_of, text_of

SRC = ArgumentFact(0, "global const float *src", "float32 (1000,)", "in")
DST = ArgumentFact(1, "global float *dst", "float32 (1000,)", "inout")
SCALE = ArgumentFact(2, "float scale", "2.0f")
FAR = FaultReport(0x7F3A4C400000, "write", "guard page", "dst", "dst", 4000, 4_190_304, "after")
WHERE = ("cell [11], line 1: far(src, dst, 2.0, global_size=1000)",)
KINDS = (
    KernelCrashedError,
    DeviceLostError,
    CompilerCrashedError,
    OutOfMemoryError,
    LaunchTimeoutError,
    BuildTimeoutError,
    OutOfBoundsError,
    WorkerDiedError,
)


def crashed(kind: type[ClMagicError] = KernelCrashedError, **facts: Any) -> ClMagicError:
    """A crash with all facts, as the engine gives them."""
    known: dict[str, Any] = {
        "kernel": "far",
        "plan": values.plan_of((1000,), (64,), "padded"),
        "arguments": (SRC, DST, SCALE),
        "partly_written": ("dst",),
        "arrays_unchanged": ("src",),
        "lost": ("lut",),
        "signal": "SIGSEGV",
        "signal_number": 11,
        "exit_code": None,
        "in_words": "it read or wrote memory it does not own",
        "fault": FAR,
        "last_words": "first\nlast",
        "recovery_ms": 187.3,
        "timeout": 2.0,
        "reason": "",
    }
    return kind("the worker process ended with SIGSEGV while it was at kernel far", **(known | facts))


def report(error: ClMagicError, simulator: str = "oclgrind") -> ErrorReport:
    return ErrorReport(error, WHERE, simulator)


def facts_of(error: ClMagicError) -> dict[str, Element]:
    root = read(html_of(report(error)))
    box = root.all("dl", "facts")[0]
    return {dt.words(): dd for dt, dd in zip(box.all("dt"), box.all("dd"), strict=True)}


def test_the_text_form_is_that_of_the_look() -> None:
    assert text_of(report(crashed())).split("\n") == [
        "The kernel far wrote outside its arrays: the worker process ended with SIGSEGV",
        "Your variables are kept, and the next cell can run: a new worker was ready after 187 ms.",
        "  what    1 000 items in groups of 64, 16 groups. It wrote 4 190 304 bytes behind the end of dst",
        "          (4 000 bytes); that is element 1 048 576 of dst, which has 1 000.",
        "  at      cell [11], line 1: far(src, dst, 2.0, global_size=1000)",
        "  arrays  dst may be partly written; lut is lost (it lived in the worker only); all others unchanged",
        "  next    1. Check with the simulator: it names the work-item and the line.",
        '             far(src, dst, 2.0, global_size=1000, device="oclgrind")',
        "          2. Fill dst again before you use it.",
        "          3. Make lut again.",
        "  wrote   first",
        "  wrote   last",
    ]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bare", [False, True])
def test_every_kind_of_failure_has_the_report(kind: type[ClMagicError], *, bare: bool) -> None:
    """Also where an engine knows little: a report must not need a fact."""
    error = kind("the worker process ended") if bare else crashed(kind)
    root = read(html_of(error))
    section = root.children[1]
    assert section.attributes["role"] == "alert"
    assert "the notebook is unharmed" in section.attributes["aria-label"]
    assert "Your variables are kept" in section.words()
    assert str(error) == text_of(error)
    assert "Your variables are kept" in str(error)


def test_other_errors_are_no_crashes() -> None:
    assert crash_of(ClMagicError("too large")) is None
    assert str(ClMagicError("too large", remedy="use 8")) == "too large\n→ use 8"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (crashed(fault=None, signal="SIGFPE"), "The kernel 'far' failed in an integer division"),
        (crashed(fault=None), "The kernel 'far' crashed"),
        (crashed(fault=FaultReport(1, "read", "guard page", "src", "src", 8, 0, "after")), "read outside its arrays"),
        (crashed(fault=FaultReport(1, "write", "read-only array", "src", "src", 8, 4, "inside")), "wrote into 'src'"),
        (crashed(fault=FaultReport(1, "write", "closed array", "b", "", 8, 4, "inside")), "that it was not given"),
        (crashed(fault=None, signal=None, exit_code=3), "The kernel 'far' crashed"),
        (crashed(LaunchTimeoutError), "The kernel 'far' took longer than timeout=2 s"),
        (crashed(BuildTimeoutError, kernel=None), "The build took longer than timeout=2 s"),
        (crashed(CompilerCrashedError, program="cell [4]"), "The compiler died while it built cell [4]"),
        (crashed(DeviceLostError, code_name="OUT_OF_RESOURCES"), "lost at the kernel 'far' (OUT_OF_RESOURCES)"),
        (crashed(OutOfMemoryError), "Memory ran out at the kernel 'far'"),
    ],
)
def test_the_first_line_says_what_happened(error: ClMagicError, words: str) -> None:
    crash = crash_of(error)
    assert crash is not None
    assert words in title(crash)[0]


def test_the_table_names_each_array_once_with_its_state() -> None:
    crash = crash_of(crashed())
    assert crash is not None
    assert [(row.name, row.nbytes, row.state) for row in array_rows(crash)] == [
        ("dst", 4000, "may be partly written"),
        ("lut", 0, "lost"),
        ("src", 4000, "unchanged"),
    ]
    rows = facts_of(crashed())["Arrays"].all("tbody")[0].all("tr")
    assert [row.all("th")[0].words() for row in rows] == ["dst", "lut", "src", "all others"]


def test_all_unchanged_is_said_in_one_word() -> None:
    error = crashed(partly_written=(), lost=(), arrays_unchanged=("src", "dst"))
    assert "  arrays  all unchanged" in text_of(error).split("\n")
    crash = crash_of(error)
    assert crash is not None
    assert next_steps(crash) == []


@pytest.mark.parametrize(
    ("fault", "at", "words"),
    [
        (FAR, 4_194_304, "4 190 304 B past the end"),
        (FaultReport(1, "write", "guard page", "x", "x", 4000, 0, "after"), 4000, "right behind the end"),
        (FaultReport(1, "read", "guard page", "x", "x", 4000, 4, "before"), -4, "4 B before the begin"),
        (
            FaultReport(1, "read", "guard page", "x", "x", 4000, 400_000, "before"),
            -400_000,
            "400 000 B before the begin",
        ),
        (FaultReport(1, "write", "read-only array", "x", "x", 4000, 400, "inside"), 400, "+400 B"),
    ],
)
def test_the_strip_shows_where_the_access_went(fault: FaultReport, at: int, words: str) -> None:
    assert offset(fault) == at
    svg = read(strip_svg(fault)).all("svg")[0]
    assert svg.attributes["role"] == "img"
    assert words in svg.attributes["aria-label"].replace("\u202f", " ")
    marks = [float(line.attributes["x1"].rstrip("%")) for line in svg.all("line", "s-bad")]
    box = svg.all("rect", "s-ink")[0].attributes
    left = float(box["x"].rstrip("%"))
    right = left + float(box["width"].rstrip("%"))
    assert len(marks) == 1
    assert 0 < marks[0] < 100
    side = "before" if marks[0] < left else "after" if marks[0] > right else "inside"
    assert side == fault.side


def test_no_strip_without_an_array() -> None:
    assert strip_svg(FaultReport(0x10, "write", "no array")) == ""
    assert facts_of(crashed(fault=FaultReport(0x10, "write", "no array")))["What happened"].all("svg") == []


def test_the_simulator_is_named_only_where_there_is_one() -> None:
    assert "device=" not in text_of(report(crashed(), simulator=""))
    assert "device=" not in text_of(report(crashed(LaunchTimeoutError)))
    odd = ErrorReport(crashed(), ("cell [2], line 9: y)",), "oclgrind")
    assert 'far(…, device="oclgrind")' in text_of(odd)


def test_an_apostrophe_quotes_nothing() -> None:
    error = crashed(partly_written=(), lost=())
    error.remedy = "compare it with the array's length; or use 'b', as in device='oclgrind'"
    text, html = text_of(ErrorReport(error)), html_of(ErrorReport(error))
    assert "Compare it with the array's length; or use b, as in device='oclgrind'." in " ".join(text.split())
    assert "the array&#x27;s length; or use <code>b</code>, as in device=<code>oclgrind</code>" in html


@pytest.mark.parametrize("hostile", values.HOSTILE)
def test_hostile_names_stay_text(hostile: str) -> None:
    fault = FaultReport(1, "write", "guard page", hostile, hostile, 4000, 4, "after")
    error = crashed(
        kernel=hostile, partly_written=(hostile,), lost=(hostile,), last_words=hostile, in_words=hostile, fault=fault
    )
    root = read(html_of(ErrorReport(error, (hostile,), "oclgrind")))
    names = {element.name for element in root.all()}
    assert not names & {"script", "img"}
    assert len(root.all("style")) == 1
    assert max(map(len, text_of(ErrorReport(error, (hostile,))).split("\n"))) <= 100
