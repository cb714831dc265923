"""Report of a crash, as text: same order, same words as the HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cl_magic.display.crash_arrays import array_rows, arrays_sentence
from cl_magic.display.crash_facts import Crash, last_words, safe, title
from cl_magic.display.crash_story import next_steps, what_happened
from cl_magic.display.layout import clip, sentence

_NAME = re.compile(r"(?<![\w=])'([^'\n]{1,200})'(?!\w)")
_MOST_LINES = 10


def _bare(words: str) -> str:
    """Names without the quotes that HTML needs."""
    return _NAME.sub(r"\1", words)


def crash_text(crash: Crash, where: Sequence[str] = ()) -> str:
    """Text report of a crash.

    Examples
    --------
    >>> from cl_magic.errors import KernelCrashedError
    >>> error = KernelCrashedError("it died", kernel="far", signal="SIGSEGV", in_words="bad memory", recovery_ms=187.0)
    >>> print(crash_text(Crash(error)))
    The kernel far crashed: the worker process ended with SIGSEGV
    Your variables are kept, and the next cell can run: a new worker was ready after 187 ms.
      what    Bad memory.
    """
    words, ending = title(crash)
    lines = [sentence(_bare(f"{words}: {ending}" if ending else words)), sentence(safe(crash))]
    lines.append(sentence(_bare(" ".join(what_happened(crash))), "  what    "))
    lines += [sentence(place, "  at      ") for place in where]
    lines += [sentence(arrays_sentence(crash), "  arrays  ")] if array_rows(crash) else []
    steps = next_steps(crash, tuple(where))
    for number, (step, line) in enumerate(steps, 1):
        lead = "  next    " if number == 1 else "          "
        lines.append(sentence(_bare(f"{number}. {step}"), lead, "             "))
        lines += [clip(f"             {line}")] if line else []
    written = last_words(crash).splitlines()[-_MOST_LINES:]
    return "\n".join([*lines, *(clip(f"  wrote   {line}") for line in written if line.strip())])
