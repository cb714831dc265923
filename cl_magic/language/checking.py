"""A cell's text checked while it is typed: the diagnostics that a build would give, of the front end alone."""

from __future__ import annotations

import dataclasses
import hashlib
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from cl_magic.build.instances import analysis_on_user_lines, refused, result_on_user_lines
from cl_magic.build.options import Options
from cl_magic.build.result import BuildResult
from cl_magic.build.source_map import SourceMap
from cl_magic.build.spec import ProgramSpec
from cl_magic.clc.analysis import Analysis
from cl_magic.clc.diagnostic import Diagnostic
from cl_magic.clc.instantiation import needs_instantiation
from cl_magic.composing import composed
from cl_magic.language.client import LiveFrontEnd, live_front_end
from cl_magic.language.files import VisibleFiles, is_system, visible_files
from cl_magic.language.limits import MAX_TEXT_BYTES
from cl_magic.launch.limits import DeviceInfo

ANY_DEVICE = DeviceInfo(
    "", "the device", "", "", ("cpu",), opencl_c_versions=("1.0", "1.1", "1.2", "2.0", "3.0"), fp64=True, fp16=True,
    images=True, max_global_variable_bytes=1 << 40,
)  # fmt: skip
"""A device that lacks nothing: which one a cell will be built for is not asked while it is typed."""

_CANNOT_OPEN = re.compile(r"cannot open file '([^']*)': .*")
_AGAIN_S = 30.0
"""A text that took too long, or ended the process, is not read again before this."""


@dataclass(frozen=True, slots=True)
class CellText:
    """What a cell's text is read with.

    Attributes
    ----------
    source : str
        OpenCL C.
    options : Options
    headers : mapping of str to str
        Virtual headers: name to text.
    home : str
        The notebook's folder.
    templates : tuple of str
        Registered names.
    source_map : SourceMap
    unknown : frozenset of str
        Macros whose values are not known: what is said of their lines is not told.
    language_version : str
        ``CL3.0``: what the device took at the last build, for options without ``-cl-std``; "" where none was made.
    """

    source: str
    options: Options = field(default_factory=Options)
    headers: Mapping[str, str] = field(default_factory=dict)
    home: str = "."
    templates: tuple[str, ...] = ()
    source_map: SourceMap = field(default_factory=SourceMap)
    unknown: frozenset[str] = frozenset()
    language_version: str = ""

    def visible(self) -> VisibleFiles:
        """Headers that it may see."""
        forced = [word[8:].strip() for word in self.options.options if word.startswith("-include")]
        folders = self.options.include_dirs
        return visible_files(self.source, self.headers, home=self.home, folders=folders, forced=forced)


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check gave: diagnostics on the lines of the cell, or the reason why there are none."""

    diagnostics: tuple[Diagnostic, ...] = ()
    reason: str = ""


_gave_up: dict[str, tuple[float, str]] = {}


def check(cell: CellText, live: LiveFrontEnd | None = None) -> Checked:
    """Read a cell's text as a build would, without building.

    Parameters
    ----------
    cell : CellText
    live : LiveFrontEnd, optional
        By default the one of this process.

    Examples
    --------
    >>> found = check(CellText("kernel void f(global int *x) { x[0] = y; }", source_map=SourceMap(first_line=2)))
    >>> (found.diagnostics[0].message, found.diagnostics[0].line) if not found.reason else ("…", 2)
    ("use of undeclared identifier 'y'", 2)
    """
    if len(cell.source.encode("utf-8", "replace")) > MAX_TEXT_BYTES:
        return Checked(reason=f"over {MAX_TEXT_BYTES // 1024} KiB: the cell is read when it runs")
    digest = hashlib.sha256(repr(cell).encode("utf-8", "replace")).hexdigest()
    when, why = _gave_up.get(digest, (0.0, ""))
    if why and time.monotonic() - when < _AGAIN_S:
        return Checked(reason=why)
    checked = _checked(cell, live or live_front_end())
    if checked.reason:
        _gave_up.clear()
        _gave_up[digest] = (time.monotonic(), checked.reason)
    return checked


def _checked(cell: CellText, live: LiveFrontEnd) -> Checked:
    files = cell.visible()
    spec = ProgramSpec(
        cell.source, cell.options.options, (), files.headers, names=cell.templates, source_map=cell.source_map
    )
    if any(needs_instantiation(text, spec.names) for text in (spec.source, *(text for _, text in spec.headers))):
        return _instantiated(cell, spec, files, live)
    seen = _analysed(cell, spec, live)
    if not seen.available:
        return Checked(reason=seen.reason)
    return _told(cell, BuildResult(not _has_errors(seen), spec), seen, files)


def _analysed(cell: CellText, spec: ProgramSpec, live: LiveFrontEnd) -> Analysis:
    """In the language of the last build; before any, what is right in OpenCL C 1.2 or 3.0 is right: PoCL takes 3.0."""
    words = {"options": spec.options, "headers": spec.headers}
    seen = live.analyse(spec.source, language_version=cell.language_version, **words)  # type: ignore[arg-type]  # as typed
    if cell.language_version or cell.options.language or not _has_errors(seen):
        return seen
    newer = live.analyse(spec.source, language_version="CL3.0", **words)  # type: ignore[arg-type]  # as typed
    return newer if newer.available and not _has_errors(newer) else seen


def _has_errors(seen: Analysis) -> bool:
    return any(one.severity == "error" for one in seen.diagnostics)


def _instantiated(cell: CellText, spec: ProgramSpec, files: VisibleFiles, live: LiveFrontEnd) -> Checked:
    words = {"options": spec.options, "headers": spec.headers}
    cpp = any(option.startswith("-cl-std=CLC++") for option in spec.options)
    made = live.instantiate(spec.source, spec.names, keep_helpers=cpp, **words)  # type: ignore[arg-type]  # as typed
    if not made.available:
        return Checked(reason=made.reason)
    if made.refusals:
        said = tuple(_named(one, files) for one in refused(spec, made).diagnostics)
        return Checked(_told_lines(cell, said))
    seen = live.analyse(made.source or "\n", **words)  # type: ignore[arg-type]  # as typed
    if not seen.available:
        return Checked(reason=seen.reason)
    built = result_on_user_lines(BuildResult(ok=False, spec=spec), spec, made)
    built = dataclasses.replace(built, ok=not _has_errors(seen), diagnostics=())
    return _told(cell, built, analysis_on_user_lines(seen, made, built), files)


def _told(cell: CellText, built: BuildResult, seen: Analysis, files: VisibleFiles) -> Checked:
    headers = tuple({files.names[path]: text for path, text in reversed(files.headers)}.items())
    folders = tuple(folder for folder in cell.options.include_dirs if not is_system(folder))
    named = dataclasses.replace(built.spec, headers=headers, include_dirs=folders)
    seen = dataclasses.replace(seen, diagnostics=tuple(_named(one, files) for one in seen.diagnostics))
    whole = composed(dataclasses.replace(built, spec=named), seen, ANY_DEVICE, ())
    return Checked(_told_lines(cell, whole.diagnostics))


def _told_lines(cell: CellText, diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Without those on lines whose macros have values that are not known."""
    if not cell.unknown:
        return diagnostics
    lines, first = cell.source.split("\n"), cell.source_map.first_line
    vague = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(cell.unknown)))})\b")
    doubted = {number for number, line in enumerate(lines, first) if vague.search(line)}
    return tuple(one for one in diagnostics if one.file or one.line not in doubted)


def _named(diagnostic: Diagnostic, files: VisibleFiles) -> Diagnostic:
    """A diagnostic that names headers as the text does, and tells a header that is missing from one left unread."""
    notes = tuple(_named(note, files) for note in diagnostic.notes)
    diagnostic = dataclasses.replace(diagnostic, file=files.names.get(diagnostic.file, diagnostic.file), notes=notes)
    unopened = _CANNOT_OPEN.fullmatch(diagnostic.message)
    if unopened is None:
        return diagnostic
    path = unopened[1]
    written = re.sub(r"^(?:/cl_magic/base|/cl_magic|\.)/", "", path)
    if path in files.refused:
        text = f"{written} is not read while you type: {files.refused[path]}"
    elif path.startswith("/cl_magic/"):
        return dataclasses.replace(diagnostic, message=f"'{written}' file not found")
    else:
        text = f"{written} is not read while you type"
    return dataclasses.replace(diagnostic, severity="remark", message=text, origin="cl_magic")
