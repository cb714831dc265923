"""Report of an error: what happened, where, what to do next; failed builds and crashes have reports of their own."""

from __future__ import annotations

from dataclasses import dataclass

from cl_magic.build.result import BuildResult
from cl_magic.display.build_report import build_html
from cl_magic.display.build_text import build_text
from cl_magic.display.crash_facts import crash_of
from cl_magic.display.crash_report import crash_html
from cl_magic.display.crash_text import crash_text
from cl_magic.display.escape import escape, plain
from cl_magic.display.layout import sentence
from cl_magic.display.page import wrap
from cl_magic.display.parts import bold, head, mono, quoted, raw, section
from cl_magic.display.quantity import counted
from cl_magic.errors import ClMagicError

_MOST_OUTPUT = 20_000


@dataclass(frozen=True, slots=True)
class ErrorReport:
    """An error and the user's lines that led to it, innermost last."""

    error: ClMagicError
    where: tuple[str, ...] = ()
    simulator: str = ""
    """Name of a simulator's device, where there is one that could say more of a crash."""


def failed_build(error: ClMagicError) -> BuildResult | None:
    """The failed build that an error is about; None for any other.

    Examples
    --------
    >>> failed_build(ClMagicError("too large")) is None
    True
    """
    found = error.facts.get("result")
    return found if isinstance(found, BuildResult) and not found.ok else None


def output_section(error: ClMagicError) -> str:
    """Folded: what a process wrote before it ended, where the error carries it."""
    output = str(error.facts.get("output") or "").strip()
    if not output:
        return ""
    lines = counted(output.count("\n") + 1, "line")
    return section("Output", f"{lines}, the last it wrote", raw(output[-_MOST_OUTPUT:], "output of the process"))


def _details(rest: str) -> str:
    """The message after its first line: a table, or a mark under a place, is aligned text; else it is sentences."""
    return raw(rest, "details") if _is_aligned(rest) else f'<p class="msg">{quoted(rest)}</p>'


def _is_aligned(text: str) -> bool:
    return "^" in text or text.startswith("  ")


def report_html(report: ErrorReport) -> str:
    """HTML report of an error.

    Examples
    --------
    >>> "<b>too &lt;large&gt;</b>" in report_html(ErrorReport(ClMagicError("too <large>")))
    True
    """
    error = report.error
    result, crash = failed_build(error), crash_of(error, report.simulator)
    if result is not None:
        return build_html(result, [error.remedy] if error.remedy else [])
    if crash is not None:
        return crash_html(crash, report.where)
    first, _, rest = error.message.partition("\n")
    kind = type(error).__name__
    facts = [("Details", _details(rest))] if rest.strip() else []
    facts += [("Where", "".join(f"<p>{mono(place)}</p>" for place in report.where))] if report.where else []
    facts += [("Next", f'<p class="msg">{quoted(error.remedy)}</p>')] if error.remedy else []
    rows = "".join(f"<dt>{name}</dt><dd>{words}</dd>" for name, words in facts)
    body = head([bold(quoted(first)), escape(kind)], "error")
    body += (f'<dl class="facts">{rows}</dl>' if rows else "") + output_section(error)
    return wrap(body, label=f"{kind}: {first}", role="alert")


def report_text(report: ErrorReport) -> str:
    """Text report of an error.

    Examples
    --------
    >>> print(report_text(ErrorReport(ClMagicError("too large", remedy="use 8"), ("cell [2], line 1: f(x)",))))
    ClMagicError: too large
      at cell [2], line 1: f(x)
    → use 8
    """
    error = report.error
    result, crash = failed_build(error), crash_of(error, report.simulator)
    if result is not None:
        return build_text(result, [error.remedy] if error.remedy else [])
    if crash is not None:
        return crash_text(crash, report.where)
    first, _, rest = error.message.partition("\n")
    lines = [sentence(first, f"{type(error).__name__}: ", "  ")]
    lines += [plain(row) for row in rest.split("\n")] if _is_aligned(rest) else [sentence(rest, "  ")] if rest else []
    lines += [sentence(place, "  at ", "     ") for place in report.where]
    lines += [sentence(error.remedy, "→ ")] if error.remedy else []
    return "\n".join(lines)


def error_html(error: ClMagicError) -> str:
    """HTML report of an error of which only itself is known.

    Examples
    --------
    >>> "local size 9" in error_html(ClMagicError("local size 9 is over the limit 8", remedy="use 8"))
    True
    """
    return report_html(ErrorReport(error))


def error_text(error: ClMagicError) -> str:
    """Text report of an error of which only itself is known.

    Examples
    --------
    >>> print(error_text(ClMagicError("local size 9 is over the limit 8", remedy="use 8")))
    ClMagicError: local size 9 is over the limit 8
    → use 8
    """
    return report_text(ErrorReport(error))


def whole_text(error: ClMagicError) -> str:
    """What `str` of an error is: its message and remedy; with a failed build or a crash, the whole text report.

    Examples
    --------
    >>> print(whole_text(ClMagicError("too large", remedy="use 8")))
    too large
    → use 8
    """
    if crash_of(error) is not None:
        return error_text(error)
    if failed_build(error) is not None:
        return f"{error.message}\n{error_text(error)}"
    return f"{error.message}\n→ {error.remedy}" if error.remedy else error.message
