"""Report of a build: one line that unfolds when it succeeded, open diagnostics when it failed."""

from __future__ import annotations

from collections.abc import Sequence

from cl_magic.build.result import BuildResult
from cl_magic.display.build_tables import kernels_section, memory_section, signatures_section
from cl_magic.display.diagnostics import diagnostics_html
from cl_magic.display.escape import escape
from cl_magic.display.page import wrap
from cl_magic.display.parts import head, line, mono, quoted, raw, section
from cl_magic.display.quantity import counted, duration
from cl_magic.launch.limits import DeviceInfo

_GPU_WORDS = ("nvidia", "graphics", "radeon", "geforce")


def device_words(result: BuildResult) -> str:
    """Short name of the device of a build: ``PoCL cpu``.

    Examples
    --------
    >>> from cl_magic.build.spec import ProgramSpec
    >>> device_words(BuildResult(True, ProgramSpec(""), platform_name="Portable Computing Language"))
    'PoCL cpu'
    """
    text = f"{result.platform_name} {result.device_name}".lower()
    kind = "gpu" if any(word in text for word in _GPU_WORDS) else "cpu"
    info = DeviceInfo(
        result.device_id, result.device_name, result.platform_name, "", (kind,), simulator="oclgrind" in text
    )
    return info.short_name if result.platform_name else result.device_name


def problems(result: BuildResult) -> str:
    """``2 errors, 1 warning``; what there is none of is left out."""
    found = [(result.count("error"), "error"), (result.count("warning"), "warning")]
    return ", ".join(counted(number, noun) for number, noun in found if number)


def line_rule(result: BuildResult) -> str:
    """How the compiler's line numbers become the cell's: ``compiler line + 1 = cell line``.

    Examples
    --------
    >>> from cl_magic.build.spec import ProgramSpec
    >>> line_rule(BuildResult(True, ProgramSpec("")))
    'compiler line = cell line'
    """
    if result.spec.plain:
        return "compiler lines are those of the text made of this one"
    places = result.spec.source_map
    shift = places.first_line - 1 - places.prelude_lines
    return (
        f"compiler line {'+' if shift > 0 else '−'} {abs(shift)} = cell line" if shift else "compiler line = cell line"
    )


def log_text(result: BuildResult) -> str:
    """The compiler's log and what it printed beside it."""
    return "\n".join(part.rstrip("\n") for part in (result.log, result.log_extra) if part.strip())


def log_conclusion(result: BuildResult) -> str:
    """``4 lines as printed · compiler line + 1 = cell line``."""
    text = log_text(result)
    lines = counted(text.count("\n") + 1, "line") if text else "empty"
    return " · ".join(filter(None, [device_words(result), f"{lines} as printed" if text else lines, line_rule(result)]))


def where_from(result: BuildResult) -> str:
    """How the program came: compiled, or from the cache."""
    return "from the cache" if result.from_cache else "compiled"


LOG_SHOWN = 64 * 1024
"""Characters of a log that a report shows; all of them are in the result."""


def _log_section(result: BuildResult) -> str:
    text = log_text(result)
    options = (
        f'<p class="dim sm">options: <code>{escape(result.options_used)}</code></p>' if result.options_used else ""
    )
    if len(text) > LOG_SHOWN:
        text = f"{text[:LOG_SHOWN]}\n… {len(text) - LOG_SHOWN} more characters are in result.log"
    body = raw(text, "compiler log", faint=True) if text else '<p class="dim">The compiler printed nothing.</p>'
    made = raw(result.spec.plain, "what was compiled: templates and overloads as plain functions", faint=True)
    return section("Log", escape(log_conclusion(result)), options + body + (made if result.spec.plain else ""))


def _unparsed(result: BuildResult) -> str:
    if not result.unparsed:
        return ""
    return f'<div class="after">{raw(chr(10).join(result.unparsed), "lines of the log that no rule knows")}</div>'


def _remarks(result: BuildResult, unbound: Sequence[str]) -> str:
    return "".join(f'<p class="dim after">{quoted(note)}</p>' for note in (*unbound, *result.notes))


def _warnings_section(result: BuildResult) -> str:
    if not result.diagnostics and not result.unparsed:
        return ""
    lines = sorted({d.line for d in result.diagnostics if d.line and not d.file})
    place = f", line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines[:8]))}" if lines else ""
    place += " and more" if len(lines) > 8 else ""  # noqa: PLR2004 - as many as fit the line
    body = diagnostics_html(result, result.diagnostics) + _unparsed(result)
    number = counted(len(result.diagnostics) or len(result.unparsed), "message")
    return section("Warnings", escape((problems(result) or number) + place), body)


def _success(result: BuildResult, unbound: Sequence[str]) -> str:
    warnings = result.count("warning")
    names = [k.name for k in result.kernels]
    title = f"<b>{counted(len(names), 'kernel')}</b>"
    if len(names) == 1:
        title = f"<b>{mono(names[0])}</b>"
    title += f', <span class="is-warn">{counted(warnings, "warning")}</span>' if warnings else ""
    parts = [
        title,
        mono(result.spec.source_map.name),
        escape(device_words(result)),
        duration(result.duration_ns),
        where_from(result),
        escape(result.language_version),
    ]
    sections = [
        kernels_section(result),
        memory_section(result),
        signatures_section(result),
        _warnings_section(result),
        _log_section(result),
    ]
    return line(parts, "ok", "".join(sections)) + _remarks(result, unbound)


def _failure(result: BuildResult, unbound: Sequence[str]) -> str:
    words = f"<b>{problems(result) or 'the build failed'}</b>"
    status = "" if result.count("error") else mono(result.status)
    parts = [
        words,
        mono(result.spec.source_map.name),
        escape(device_words(result)),
        duration(result.duration_ns),
        status,
    ]
    return "".join(
        [
            head(parts, "error"),
            diagnostics_html(result, result.diagnostics),
            _unparsed(result),
            _remarks(result, unbound),
            _log_section(result),
        ]
    )


def build_label(result: BuildResult) -> str:
    """One sentence for screen readers, with the numbers."""
    outcome = "succeeded" if result.ok else "failed"
    found = [counted(len(result.kernels), "kernel")] if result.ok else []
    found += [p for p in (problems(result),) if p]
    return f"Build of {result.spec.source_map.name} {outcome}: {', '.join(found) or 'no diagnostics'}"


def build_html(result: BuildResult, unbound: Sequence[str] = ()) -> str:
    """HTML report of a build.

    Parameters
    ----------
    result : BuildResult
    unbound : sequence of str
        One sentence for each kernel that this build unbound: ``The kernel 'saxpy' … is no longer bound.``

    Examples
    --------
    >>> from cl_magic.build.spec import ProgramSpec
    >>> "<b>the build failed</b>" in build_html(BuildResult(False, ProgramSpec("")))
    True
    """
    body = _success(result, unbound) if result.ok else _failure(result, unbound)
    return wrap(body, label=build_label(result), role="" if result.ok else "alert")
