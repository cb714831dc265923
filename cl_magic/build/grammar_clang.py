"""Logs in clang's own form: Oclgrind, and every driver that is not known by name."""

from __future__ import annotations

import re

from cl_magic.build.log_entry import Dialect

SEVERITY = r"(?P<severity>fatal error|error|warning|note|remark)"
HEADER = re.compile(rf"(?P<file>[^\s:](?:.*?[^:])??):(?P<line>\d+)(?::(?P<column>\d+))?: {SEVERITY}: (?P<message>.*)")
GENERATED = r"\d+ (?:error|warning)s?(?: and \d+ errors?)? generated\."
BARE_ERROR = re.compile(r"(?:fatal )?error: (?P<message>.*)", re.IGNORECASE)
BARE_WARNING = re.compile(r"warning: (?P<message>.*)", re.IGNORECASE)
BARE_NOTE = re.compile(r"note: (?P<message>.*)", re.IGNORECASE)
BARE_REMARK = re.compile(r"remark: (?P<message>.*)", re.IGNORECASE)

OCLGRIND = Dialect(
    header=HEADER,
    main_file=re.compile(r"input\.cl"),
    chatter=re.compile(GENERATED),
    messages=((BARE_ERROR, "error"), (BARE_WARNING, "warning"), (BARE_NOTE, "note"), (BARE_REMARK, "remark")),
    presumed_lines=False,
)
"""``input.cl:L:C: error: …``, two lines of excerpt, ``#line`` ignored."""

CLANG = Dialect(
    header=HEADER,
    main_file=re.compile(
        r"input\.cl|\d+|<[\w ]*(?:kernel|source|stdin|program)[\w ]*>|(?:.*[/\\])?(?:tempfile|temp|tmp)[-_]?\w*\.cl"
    ),
    chatter=re.compile(rf"{GENERATED}|Compilation (?:started|done|failed)|Linking (?:started|done)|Done\."),
    messages=OCLGRIND.messages,
)
"""A driver of unknown make: clang's form, with all the names that drivers are known to give the source."""
