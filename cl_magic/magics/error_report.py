"""An error as a report: what, where, the remedy; HTML and text. Failed builds have a report of their own."""

from __future__ import annotations

from dataclasses import dataclass

from cl_magic.display.escape import escape, plain
from cl_magic.display.layout import sentence
from cl_magic.display.page import wrap
from cl_magic.display.parts import bold, head, mono, raw
from cl_magic.errors import ClMagicError
from cl_magic.show import html_of, text_of


@dataclass(frozen=True, slots=True)
class ErrorReport:
    """An error and the user's lines that led to it."""

    error: ClMagicError
    where: tuple[str, ...] = ()


@text_of.register
def error_text(report: ErrorReport) -> str:
    """Text of an error report.

    Examples
    --------
    >>> print(error_text(ErrorReport(ClMagicError("too large", remedy="use 8"), ("cell [2], line 1: f(x)",))))
    ClMagicError: too large
      at cell [2], line 1: f(x)
    → use 8
    """
    error = report.error
    first, *rest = error.message.split("\n")
    lines = [sentence(first, f"{type(error).__name__}: ", "  "), *map(plain, rest)]
    lines += [sentence(place, "  at ", "     ") for place in report.where]
    lines += [sentence(error.remedy, "→ ")] if error.remedy else []
    return "\n".join(lines)


@html_of.register
def error_html(report: ErrorReport) -> str:
    """HTML of an error report.

    Examples
    --------
    >>> "<b>too &lt;large&gt;</b>" in error_html(ErrorReport(ClMagicError("too <large>")))
    True
    """
    error = report.error
    first, _, rest = error.message.partition("\n")
    facts = [("Details", raw(rest, "details"))] if rest else []
    facts += [("Where", "".join(f"<p>{mono(place)}</p>" for place in report.where))] if report.where else []
    facts += [("Next", f'<p class="msg">{escape(error.remedy)}</p>')] if error.remedy else []
    rows = "".join(f"<dt>{name}</dt><dd>{words}</dd>" for name, words in facts)
    body = head([bold(escape(first)), escape(type(error).__name__)], "error")
    body += f'<dl class="facts">{rows}</dl>' if rows else ""
    return wrap(body, label=f"{type(error).__name__}: {first}", role="alert")
