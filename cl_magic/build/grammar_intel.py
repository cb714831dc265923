"""Intel's logs: ``N:L:C:`` with a gutter, progress lines on every build, and what became of each kernel."""

from __future__ import annotations

import re

from cl_magic.build.grammar_clang import GENERATED, HEADER, OCLGRIND
from cl_magic.build.log_entry import Dialect

_KERNEL = re.compile(
    r'Kernel "(?P<kernel>\w+)" was (?:successfully vectorized \((?P<width>\d+)\)|(?P<no>not vectorized))'
)
_PROGRESS = (
    r"(?:Compilation|Linking|Device build) (?:started|done|failed)|Done\.|Failed to build device program"
    r"|Options used by backend compiler:.*|remark: <unknown>:0:0: .*"
)


def vector_remarks(lines: tuple[str, ...]) -> dict[int, tuple[str, str]]:
    """Vector width of each kernel, as Intel's back end reports it.

    Examples
    --------
    >>> vector_remarks(('Kernel "scale" was successfully vectorized (16)', 'Kernel "f" was not vectorized'))
    {0: ('scale', 'vectorised 16'), 1: ('f', 'not vectorised')}
    """
    found = {}
    for index, line in enumerate(lines):
        if match := _KERNEL.fullmatch(line):
            found[index] = (match["kernel"], f"vectorised {match['width']}" if match["width"] else "not vectorised")
    return found


INTEL = Dialect(
    header=HEADER,
    main_file=re.compile(r"\d+"),
    chatter=re.compile(rf"{GENERATED}|{_PROGRESS}"),
    messages=(
        (re.compile(r"(?P<message>Unrecognized build options: .*)"), "error"),
        (re.compile(r"JIT session error: (?P<message>.*)"), "error"),
        (re.compile(r"CompilerException (?P<message>Failed to lookup symbol .*)"), "note"),
        (re.compile(r"CompilerException (?P<message>.*)"), "error"),
        (re.compile(r"(?P<message>Failed to materialize symbols: .*)"), "note"),
        *OCLGRIND.messages,
    ),
    remarks=vector_remarks,
)
"""CPU runtime 2026.2. "Failed to lookup symbol KERNEL" is a note: it follows from the JIT's "Symbols not found"."""
