"""Report of a crash, as HTML: what happened, what is safe, what next; it stands open, only its details fold."""

from __future__ import annotations

from collections.abc import Sequence

from cl_magic.display.crash_arrays import ArrayRow, array_rows
from cl_magic.display.crash_facts import Crash, kept, last_words, process_words, safe, title
from cl_magic.display.crash_story import next_steps, what_happened
from cl_magic.display.crash_strip import strip_svg
from cl_magic.display.escape import escape
from cl_magic.display.page import wrap
from cl_magic.display.parts import bold, icon, mono, quoted, raw, section, table
from cl_magic.display.quantity import count

_MOST_WORDS = 20_000
_HEADS = ("array", "dtype, shape", "#bytes", "state", "why")


def _head(crash: Crash) -> str:
    words, ending = title(crash)
    colon = ":" if ending else ""
    return (
        f'<p class="head">{icon("error")}{bold(quoted(words) + colon)} <span class="long">{escape(ending)}</span></p>'
        f'<p class="ok2">{icon("ok")}{escape(safe(crash))}</p>'
    )


def _happened(crash: Crash) -> str:
    words = " ".join(what_happened(crash))
    strip = strip_svg(crash.fault) if crash.fault is not None and not crash.fault.through_null else ""
    return f'<p class="msg">{quoted(words)}</p>{strip}'


def _state(row: ArrayRow) -> str:
    return escape(row.state) if row.state == "unchanged" else f'<b class="is-warn">{escape(row.state)}</b>'


def _arrays(crash: Crash) -> str:
    rows = [
        [bold(mono(r.name)), escape(r.described), count(r.nbytes) if r.nbytes else "", _state(r), quoted(r.why)]
        for r in array_rows(crash)
    ]
    if not rows:
        return ""
    rows.append(["all others", "", "", "unchanged", "not given to this kernel"])
    return table(_HEADS, rows, "state of the arrays", css="states")


def _next(crash: Crash, where: tuple[str, ...]) -> str:
    items = []
    for words, line in next_steps(crash, where):
        typed = f'<br><span class="do"><code class="cmd">{escape(line)}</code></span>' if line else ""
        items.append(f"<li><span>{quoted(words)}</span>{typed}</li>")
    return f'<ol class="next">{"".join(items)}</ol>' if items else ""


def _details(crash: Crash) -> str:
    written = last_words(crash)
    body = f'<p class="msg">{quoted(crash.error.message)}</p>'
    body += raw(written[-_MOST_WORDS:], "the last text of the process") if written else ""
    return section("Details", escape(", ".join(process_words(crash))), body)


def crash_html(crash: Crash, where: Sequence[str] = ()) -> str:
    """HTML report of a crash.

    Parameters
    ----------
    crash : Crash
    where : sequence of str
        The user's lines that led to it, innermost last.

    Examples
    --------
    >>> from cl_magic.errors import KernelCrashedError
    >>> 'role="alert"' in crash_html(Crash(KernelCrashedError("it died", kernel="far", signal="SIGSEGV")))
    True
    """
    places = tuple(where)
    facts = [
        ("What happened", _happened(crash)),
        ("Where", "".join(f"<p>{mono(place)}</p>" for place in places)),
        ("Arrays", _arrays(crash)),
        ("Kept", f"<p>{quoted(kept(crash))}</p>"),
        ("Next", _next(crash, places)),
    ]
    rows = "".join(f"<dt>{name}</dt><dd>{html}</dd>" for name, html in facts if html)
    body = f'{_head(crash)}<dl class="facts">{rows}</dl>{_details(crash)}'
    return wrap(body, label=f"{title(crash)[0].replace(chr(39), '')}; the notebook is unharmed", role="alert")
