"""Report of an error: what happened and what to do next; a failed build shows its own report."""

from __future__ import annotations

from cl_magic.build.result import BuildResult
from cl_magic.display.build_report import build_html
from cl_magic.display.build_text import build_text
from cl_magic.display.escape import escape
from cl_magic.display.layout import sentence
from cl_magic.display.page import wrap
from cl_magic.display.parts import bold, head, quoted, raw, section
from cl_magic.display.quantity import counted
from cl_magic.errors import ClMagicError

_MOST_OUTPUT = 20_000


def _result(error: ClMagicError) -> BuildResult | None:
    found = error.facts.get("result")
    return found if isinstance(found, BuildResult) and not found.ok else None


def _output(error: ClMagicError) -> str:
    """Folded: what a process wrote before it ended, where the error carries it."""
    output = str(error.facts.get("output") or "").strip()
    if not output:
        return ""
    lines = counted(output.count("\n") + 1, "line")
    return section("Output", f"{lines}, the last it wrote", raw(output[-_MOST_OUTPUT:], "output of the process"))


def error_html(error: ClMagicError) -> str:
    """HTML report of an error.

    Examples
    --------
    >>> "local size 9" in error_html(ClMagicError("local size 9 is over the limit 8", remedy="use 8"))
    True
    """
    result = _result(error)
    if result is not None:
        return build_html(result, [error.remedy] if error.remedy else [])
    first, _, rest = error.message.partition("\n")
    kind = type(error).__name__
    body = head([bold(quoted(first)), escape(kind)], "error")
    facts = [("Details", f'<p class="msg">{quoted(rest)}</p>')] if rest.strip() else []
    facts += [("Next", f'<p class="msg">{quoted(error.remedy)}</p>')] if error.remedy else []
    rows = "".join(f"<dt>{name}</dt><dd>{words}</dd>" for name, words in facts)
    body += (f'<dl class="facts">{rows}</dl>' if rows else "") + _output(error)
    return wrap(body, label=f"{kind}: {first}", role="alert")


def error_text(error: ClMagicError) -> str:
    """Text report of an error.

    Examples
    --------
    >>> print(error_text(ClMagicError("local size 9 is over the limit 8", remedy="use 8")))
    ClMagicError: local size 9 is over the limit 8
    → use 8
    """
    result = _result(error)
    if result is not None:
        return build_text(result, [error.remedy] if error.remedy else [])
    lines = [sentence(error.message, f"{type(error).__name__}: ", "  ")]
    lines += [sentence(error.remedy, "→ ")] if error.remedy else []
    return "\n".join(lines)
