"""The facts of a program, as HTML and as text."""

from __future__ import annotations

from cl_magic.build.program_info import ProgramInfo
from cl_magic.display.escape import escape, plain
from cl_magic.display.layout import columns
from cl_magic.display.page import wrap
from cl_magic.display.parts import bold, head, raw, table
from cl_magic.display.quantity import counted, duration

_MOST_NAMES = 20


def program_info_html(info: ProgramInfo) -> str:
    """HTML table.

    Examples
    --------
    >>> info = ProgramInfo("cpu", "PoCL", "source", 6, (), "-DN=4", "", "EXECUTABLE", ("f",), "", 2_000, False)
    >>> "-DN=4" in program_info_html(info)
    True
    """
    first, *rest = _title(info)
    body = head([bold(escape(first)), *map(escape, rest)])
    body += table(["fact", "value"], [[escape(a), escape(b)] for a, b in _rows(info)], "program", css="kt")
    body += raw(info.log, "log") if info.log else ""
    return wrap(body, label="program")


def program_info_text(info: ProgramInfo) -> str:
    """Text table; the log is counted only.

    Examples
    --------
    >>> info = ProgramInfo("cpu", "PoCL", "source", 6, (), "-DN=4", "", "EXECUTABLE", ("f", "g"), "", 2_000, False)
    >>> print(program_info_text(info).splitlines()[0])
    Program · 2 kernels · EXECUTABLE
    """
    lines = [plain(" · ".join(_title(info)))]
    return "\n".join([*lines, *columns([(a, plain(b)) for a, b in _rows(info)], indent="  ")])


def _title(info: ProgramInfo) -> list[str]:
    return ["Program", counted(info.num_kernels, "kernel"), info.binary_type]


def _rows(info: ProgramInfo) -> list[tuple[str, str]]:
    names = ", ".join(info.kernel_names[:_MOST_NAMES]) + (", …" if info.num_kernels > _MOST_NAMES else "")
    length = f", {counted(info.source_length, 'character')}" if info.source_length else ""
    lines = counted(len(info.log.splitlines()), "line") if info.log else "empty"
    return [
        ("kernels", names or "none"),
        ("device", f"{info.device} ({info.platform}), in a context of its own"),
        ("made from", info.made_from + length),
        ("headers", ", ".join(info.headers) or "none"),
        ("options", info.options or "none"),
        ("language", info.language_version or "unknown"),
        ("build", duration(info.duration_ns) + (", from the cache" if info.from_cache else "")),
        ("log", lines),
    ]
