"""NVIDIA's logs: clang's form under the name ``<kernel>``, then ``ptxas`` lines; ``#line`` is ignored.

Each kernel of each build gets a line "Function f is a kernel, so overriding noinline attribute", which says nothing.
"""

from __future__ import annotations

import re

from cl_magic.build.grammar_clang import GENERATED, HEADER, OCLGRIND
from cl_magic.build.log_entry import Dialect

_COMPILING = re.compile(r"ptxas info\s*: Compiling entry function '(?P<kernel>\w+)'.*")
_USED = re.compile(r"ptxas info\s*: Used (?P<registers>\d+) registers.*")
_SPILLED = re.compile(r"ptxas\s+\.\s+.* (?P<stores>\d+) bytes spill stores.*")
_INLINING = r"\(\): Warning: Function \w+ is a kernel, so overriding noinline attribute\..*"


def register_remarks(lines: tuple[str, ...]) -> dict[int, tuple[str, str]]:
    """Registers and spilled bytes of each kernel, which ``-cl-nv-verbose`` prints.

    Examples
    --------
    >>> register_remarks(("ptxas info    : Compiling entry function 'f' for 'sm_90a'",
    ...                   "ptxas info    : Used 10 registers, used 1 barriers"))
    {1: ('f', '10 registers')}
    """
    kernel, found = "", {}
    for index, line in enumerate(lines):
        if match := _COMPILING.fullmatch(line):
            kernel = match["kernel"]
        elif match := _USED.fullmatch(line):
            found[index] = (kernel, f"{match['registers']} registers")
        elif (match := _SPILLED.fullmatch(line)) and int(match["stores"]):
            found[index] = (kernel, f"{match['stores']} B spilled")
    return found if kernel else {}


NVIDIA = Dialect(
    header=HEADER,
    main_file=re.compile(r"<kernel>"),
    chatter=re.compile(rf"{GENERATED}|{_INLINING}|ptxas info\s*:.*|ptxas\s+\.\s.*"),
    messages=(
        (re.compile(r"ptxas (?:fatal|error)\s*: (?P<message>.*)"), "error"),
        (re.compile(r"ptxas warning\s*: (?P<message>.*)"), "warning"),
        (re.compile(r"Error in processing command line: (?P<message>.*)"), "error"),
        (re.compile(r"(?P<message>Error parsing value of .*)"), "error"),
        (re.compile(r"\(\): Error: (?P<message>.*)"), "error"),
        (re.compile(r"\(\): Warning: (?P<message>.*)"), "warning"),
        *OCLGRIND.messages,
    ),
    remarks=register_remarks,
    presumed_lines=False,
)
"""Driver 580."""
