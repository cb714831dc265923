"""The doctor's report: one line a finding, with its mark and word; a remedy below what needs one."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cl_magic.display.escape import escape, plain
from cl_magic.display.layout import sentence
from cl_magic.display.page import wrap
from cl_magic.display.parts import Status, bold, head, icon, section
from cl_magic.display.quantity import counted
from cl_magic.doctor.finding import Examination, Finding

_WORDS = {"error": "error", "warn": "warning", "ok": "ok", "note": "note"}
_TROUBLES = ("error", "warn")
_COMMAND = re.compile(r"(?:pip|conda|apt|rm|chmod|mkdir|unset|export|sudo) (?:(?![;,] ).)+")
"""A remedy that can be pasted into a shell as it stands; others are sentences."""


def _answer(seen: Examination) -> tuple[list[str], Status]:
    """Facts of the first line, and its mark."""
    can = f"kernels run on {', '.join(seen.usable)}" if seen.ok else "no kernel can run here"
    troubles = [counted(seen.count("error"), "error")] if seen.count("error") else []
    troubles += [counted(seen.count("warn"), "warning")] if seen.count("warn") else []
    status: Status = "error" if not seen.ok else "warn" if troubles else "ok"
    return [can, *(troubles or ["no trouble"])], status


def _row(finding: Finding) -> str:
    word = _WORDS[finding.severity]
    return (
        f'<li class="fd"><span class="is-{finding.severity}">{icon(finding.severity)} {word}</span>'
        f"<b>{escape(finding.subject)}</b>"
        f'<span class="msg">{escape(finding.text)}</span>{_remedy(finding.remedy)}</li>'
    )


def _remedy(remedy: str) -> str:
    if not remedy:
        return ""
    words = f'<code class="cmd">{escape(remedy)}</code>' if _COMMAND.fullmatch(remedy) else escape(remedy)
    return f'<span class="dim rem">remedy</span><span class="way">{words}</span>'


def _rows(findings: Iterable[Finding]) -> str:
    return f'<ul class="fds">{"".join(map(_row, findings))}</ul>'


def doctor_html(seen: Examination) -> str:
    """HTML: the answer, then what needs a remedy, then what is in order or only so, folded where there is a trouble.

    Examples
    --------
    >>> "no kernel can run here" in doctor_html(Examination((Finding("error", "device", "none"),)))
    True
    """
    (first, *rest), status = _answer(seen)
    troubles = [finding for finding in seen.findings if finding.severity in _TROUBLES]
    others = [finding for finding in seen.findings if finding.severity not in _TROUBLES]
    body = head([bold(escape(first)), *map(escape, rest)], status)
    body += _rows(troubles) if troubles else ""
    body += section("In order", escape(_summary(seen)), _rows(others), opened=not troubles) if others else ""
    return wrap(body, label=f"doctor: {plain(', '.join([first, *rest]))}")


def _summary(seen: Examination) -> str:
    return f"{seen.count('ok')} ok, {counted(seen.count('note'), 'note')}"


def doctor_text(seen: Examination) -> str:
    """Text in the same order: troubles first, each with its remedy.

    Examples
    --------
    >>> print(doctor_text(Examination((Finding("error", "device", "there is none", "install one"),))))
    no kernel can run here · 1 error
    error    device: there is none
             → install one
    """
    lines = [sentence(" · ".join(_answer(seen)[0]))]
    ordered = sorted(seen.findings, key=lambda finding: finding.severity not in _TROUBLES)
    for finding in ordered:
        first = f"{_WORDS[finding.severity]:<8} "
        lines.append(sentence(f"{finding.subject}: {finding.text}", first))
        lines += [sentence(finding.remedy, " " * len(first) + "→ ")] if finding.remedy else []
    return "\n".join(lines)
