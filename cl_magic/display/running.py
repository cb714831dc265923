"""The line that stands in an output while a launch or build takes long: how long, how far, how to stop it."""

from __future__ import annotations

from cl_magic.display.escape import escape
from cl_magic.display.layout import sentence
from cl_magic.display.page import wrap
from cl_magic.display.parts import bold, facts, mono
from cl_magic.record.numbers import NARROW
from cl_magic.record.waiting import Waiting

STOP = "to stop it, interrupt the kernel (the ■ button, or the keys I, I)"


def _parts(state: Waiting) -> list[str]:
    parts = [f"running {state.elapsed_s:.0f}{NARROW}s"]
    parts += [f"{100 * state.progress:.0f}{NARROW}% done"] if state.progress is not None else []
    parts += [f"ends by itself at {state.limit_s:g}{NARROW}s"] if state.limit_s is not None else []
    return [*parts, STOP]


def running_html(state: Waiting) -> str:
    """HTML line of a wait that goes on; screen readers are told of it politely.

    Examples
    --------
    >>> "running 3\u202fs" in running_html(Waiting("kernel blur", 3.4))
    True
    """
    words = facts([bold(mono(state.name)), *map(escape, _parts(state))])
    body = f'<p class="head" aria-live="polite" aria-atomic="true">{words}</p>'
    return wrap(body, label=f"{state.what} runs", role="status")


def running_text(state: Waiting) -> str:
    """Text line of a wait that goes on.

    Examples
    --------
    >>> print(running_text(Waiting("kernel blur", 3.4, 0.25)))
    blur · running 3 s · 25 % done · to stop it, interrupt the kernel (the ■ button, or the keys I, I)
    """
    return sentence(" · ".join([state.name, *_parts(state)]), "", "  ")
