"""What a grammar reads from a build log before positions become the user's: entries, and the dialect to find them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from cl_magic.clc.diagnostic import Severity

Position = tuple[str, int, int]
"""File, line and column (from 1, 0 for none) as the compiler wrote them."""

NOWHERE: Position = ("", 0, 0)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The source line that a compiler quotes, the marks under it, and the line of proposed text.

    All three count display columns: tabs are expanded to 8, wide characters take two.
    """

    text: str = ""
    marks: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One message of a log, with the compiler's own positions.

    Attributes
    ----------
    severity, message
        As in :class:`~cl_magic.clc.diagnostic.Diagnostic`.
    position : Position
        ``NOWHERE`` for messages about the whole program (linker, options).
    excerpt : Excerpt
    spelling : Position
        Where the text stands that a macro put at `position`, if the compiler says so in the same line.
    included_from : tuple of Position
        Chain of includes, outermost first.
    """

    severity: Severity
    message: str
    position: Position = NOWHERE
    excerpt: Excerpt = Excerpt()
    spelling: Position = NOWHERE
    included_from: tuple[Position, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """A whole log, each of its lines in one place."""

    entries: tuple[Entry, ...] = ()
    unparsed: tuple[str, ...] = ()
    chatter: tuple[str, ...] = ()
    remarks: tuple[tuple[str, str], ...] = ()


def no_remarks(lines: tuple[str, ...]) -> dict[int, tuple[str, str]]:
    """Remarks of a compiler that makes none.

    Examples
    --------
    >>> no_remarks(("Done.",))
    {}
    """
    del lines
    return {}


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one compiler family writes its log.

    Attributes
    ----------
    header : re.Pattern
        A message with a position; groups ``file line column severity message``, and perhaps ``spelled_file
        spelled_line spelled_column``.
    main_file : re.Pattern
        Names that the compiler gives the source text itself (the whole name).
    chatter : re.Pattern
        Whole lines that say nothing to the user.
    messages : tuple of (re.Pattern, str)
        Whole lines that are messages without position: group ``message``, and their severity.
    remarks : callable
        From all lines to ``{index: (kernel, remark)}``. A line that is chatter may carry a remark, too.
    presumed_lines : bool
        Whether the compiler obeys ``#line`` in its positions (PoCL and Intel do, Oclgrind and NVIDIA do not).
    """

    header: re.Pattern[str]
    main_file: re.Pattern[str]
    chatter: re.Pattern[str]
    messages: tuple[tuple[re.Pattern[str], Severity], ...]
    remarks: Callable[[tuple[str, ...]], dict[int, tuple[str, str]]] = no_remarks
    presumed_lines: bool = True
