"""PoCL's logs: severity first, a temporary file's name, no quoted source, errors before warnings.

``error: …/tempfile_AbCdEf.cl:4:12 <Spelling=…/tempfile_AbCdEf.cl:1:32>: use of undeclared identifier 'missing'``
"""

from __future__ import annotations

import re

from cl_magic.build.grammar_clang import BARE_ERROR, BARE_NOTE, BARE_REMARK, BARE_WARNING, GENERATED, SEVERITY
from cl_magic.build.log_entry import Dialect

_SPELLING = r"(?: <Spelling=(?P<spelled_file>.+?):(?P<spelled_line>\d+):(?P<spelled_column>\d+)>)?"

POCL = Dialect(
    header=re.compile(
        rf"{SEVERITY}: (?P<file>[^\s:](?:.*?[^:])??):(?P<line>\d+):(?P<column>\d+){_SPELLING}: (?P<message>.*)"
    ),
    main_file=re.compile(r"(?:.*[/\\])?tempfile[-_]\w+\.cl"),
    chatter=re.compile(rf"{GENERATED}|Device .* failed to build the program|Error\(s\) while linking:\s*"),
    messages=(
        (re.compile(r"(?P<message>Invalid build option: .*)"), "error"),
        (re.compile(r"(?P<message>Cannot find symbol .* in kernel library)"), "error"),
        (BARE_ERROR, "error"),
        (BARE_WARNING, "warning"),
        (BARE_NOTE, "note"),
        (BARE_REMARK, "remark"),
    ),
)
"""PoCL 3.0 and 5.0."""
