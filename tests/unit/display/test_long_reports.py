"""A build with thousands of messages gives a report of bounded size, which says what it leaves out."""

from __future__ import annotations

from cl_magic.build.result import BuildResult
from cl_magic.build.spec import ProgramSpec
from cl_magic.clc.diagnostic import Diagnostic
from cl_magic.display.build_report import LOG_SHOWN, build_html
from cl_magic.display.build_text import build_text
from cl_magic.display.diagnostics import SHOWN
from cl_magic.magics.publish import DIAGNOSTICS_MIME, MARKED, diagnostics_of


def test_a_flood_of_messages_is_cut_and_said() -> None:
    errors = tuple(Diagnostic("error", f"message {i}", i + 1, 1) for i in range(2409))
    result = BuildResult(ok=False, spec=ProgramSpec("x\n" * 2409), log="y" * 500_000, diagnostics=errors)
    page, text = build_html(result), build_text(result)
    assert len(page) < LOG_SHOWN + 1000 * SHOWN
    for shown in (page, text):
        assert f"message {SHOWN - 1}" in shown
        assert f"message {SHOWN}" not in shown
    assert "2 309 more messages" in text
    assert "more characters are in result.log" in page
    assert len(diagnostics_of(result, "")[DIAGNOSTICS_MIME]["diagnostics"]) == MARKED
