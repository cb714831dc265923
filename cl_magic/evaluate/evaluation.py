"""``evaluate``: a text on one device or more, one work-item each, types from the front end, values from them."""

from __future__ import annotations

import re
import struct
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from cl_magic.build.options import parse_options
from cl_magic.build.result import BuildResult
from cl_magic.build.source import prepare_source
from cl_magic.build.source_map import SourceMap
from cl_magic.build.spec import ProgramSpec
from cl_magic.clc.analysis import AnalysisRequest
from cl_magic.clc.diagnostic import Diagnostic
from cl_magic.clc.evaluation import Examined
from cl_magic.clc.frontend import front_end
from cl_magic.composing import headline
from cl_magic.errors import BuildError, ClMagicError, SourceError
from cl_magic.evaluate.decoding import parts_of, type_text, value_text
from cl_magic.evaluate.items import Item, closes_too_much, items_of
from cl_magic.evaluate.names import Given, given_names, not_given
from cl_magic.evaluate.program_text import KERNEL, Slot, Written, evaluating, probe, user_spec
from cl_magic.launch.limits import DeviceInfo
from cl_magic.program import Program
from cl_magic.record.evaluation import EvaluatedColumn, EvaluatedRow, EvaluatedValue, Evaluation
from cl_magic.record.run import RunRecord
from cl_magic.session import Session, session

_REDEFINED = re.compile(r"redefinition of '(\w+)'")
_IDLE_WARNINGS = ("-Wunused", "-Wdivision-by-zero", "-Wuninitialized", "-Wmissing-prototypes")
_UNSPECIFIED = (
    "an integer division by zero, or one that overflows, raises nothing and gives no specified value "
    "(OpenCL C 1.2, 6.3.a); here it was "
)
_NOT_REACHED = "not evaluated: the text returns before"
_ADDRESS = "an address of the device; write *p or p[0] for what it leads to"


@dataclass(frozen=True, slots=True)
class Origin:
    """What reports call a text, and the number of its first line there."""

    name: str = "eval"
    first_line: int = 1


@dataclass(frozen=True, slots=True)
class _Task:
    """A text with what is needed to build it."""

    text: str
    items: tuple[Item, ...]
    names: Mapping[str, Any]
    words: dict[str, Any]
    origin: Origin
    workshop: Session


def evaluate(  # noqa: PLR0913 - each is one of the things that a value depends on
    text: str,
    *,
    names: Mapping[str, Any] | None = None,
    devices: Sequence[DeviceInfo] = (),
    options: str | Sequence[str | Path] = (),
    std: str | None = None,
    timeout: float | None = None,
    bits: bool = False,
    origin: Origin | None = None,
    workshop: Session | None = None,
) -> Evaluation:
    """Evaluate expressions and statements of OpenCL C on devices.

    Parameters
    ----------
    text : str
        One item or more: expressions, declarations, statements, functions. Each line is an item, as in a prompt;
        what stands above is visible below.
    names : mapping of str to object, optional
        Python's variables: numbers among them are variables of the text.
    devices : sequence of DeviceInfo, optional
        By default the session's current device. With more than one, a device that fails is a column with its error.
    options, std, timeout
        As for :meth:`cl_magic.session.Session.build`; `timeout` is that of build and run, each.
    bits : bool
        Whether reports show the bits of values.
    origin : Origin, optional
    workshop : Session, optional

    Raises
    ------
    SourceError
        There is nothing to evaluate, or no front end to tell the types.
    BuildError
        The text is no OpenCL C: with the messages on the user's lines.

    Examples
    --------
    >>> evaluate("(int4)(1, 2, 3, 4) > 2").text()
    'int4 {0, 0, -1, -1}'
    """
    workshop = workshop or session()
    source, _ = prepare_source(text)
    items = items_of(source)
    if not any(not item.outside for item in items):
        message = "there is nothing to evaluate"
        raise SourceError(message, remedy="for example (int4)(1, 2, 3, 4) > 2")
    _check_brackets(items)
    words = {"options": options, "std": std, "timeout": timeout}
    task = _Task(source, items, names or {}, words, origin or Origin(), workshop)
    places = tuple(devices) or (workshop.device,)
    results = [_on(task, device, alone=len(places) == 1) for device in places]
    rows = next((rows for rows, _, _ in results if rows), ())
    if not rows and all(column.error for _, column, _ in results):
        raise next(error for _, _, error in results if isinstance(error, ClMagicError))
    notes = dict.fromkeys(note for _, _, told in results if not isinstance(told, ClMagicError) for note in told)
    return Evaluation(rows, tuple(column for _, column, _ in results), tuple(notes), bits)


def _check_brackets(items: Iterable[Item]) -> None:
    """Refuse an item that would close the kernel around it."""
    for item in items:
        if closes_too_much(item.text):
            message = f"line {item.line} closes a bracket that it does not open: {item.text[:60]}"
            raise SourceError(message, remedy="take the bracket out, or open it", line=item.line)


_Result = tuple[tuple[EvaluatedRow, ...], EvaluatedColumn, "tuple[str, ...] | ClMagicError"]


def _on(task: _Task, device: DeviceInfo, *, alone: bool) -> _Result:
    started = time.perf_counter_ns()
    try:
        rows, column, notes = _evaluated(task, device)
    except ClMagicError as error:
        if alone:
            raise
        return (), EvaluatedColumn(device, error=error.message.split("\n")[0]), error
    return rows, replace(column, duration_ns=time.perf_counter_ns() - started), notes


def _evaluated(task: _Task, device: DeviceInfo) -> tuple[tuple[EvaluatedRow, ...], EvaluatedColumn, tuple[str, ...]]:
    written, given, seen = _examined(task, device)
    if not seen.items:
        raise _refusal(task, device, written, seen)
    written = evaluating(task.items, seen.items, given)
    program = _built(task, device, written)
    out = np.zeros(written.nbytes, np.uint8)
    timeout = task.words["timeout"]
    limit = {} if timeout is None else {"timeout": timeout}
    values = [one.value for one in given]
    record = program[KERNEL](out, *values, global_size=1, local_size=1, capture="none", **limit)
    printf = record.printf if isinstance(record, RunRecord) else ""
    rows = tuple(_row(task, slot, seen) for slot in written.slots)
    column = EvaluatedColumn(device, tuple(_value(out.tobytes(), slot) for slot in written.slots), printf)
    return rows, column, (*_warnings(seen), *_told(given))


def _examined(task: _Task, device: DeviceInfo) -> tuple[Written, tuple[Given, ...], Examined]:
    """What the front end says, with Python's numbers for the names that the text does not declare itself."""
    parsed = parse_options(task.words["options"], std=task.words["std"])
    defined = {option[2:].partition("=")[0].partition("(")[0] for option in parsed.options if option[:2] == "-D"}
    without = set(defined)
    while True:
        given = given_names(task.text, task.names, fp64=device.fp64, without=without)
        written, ranges = probe(task.items, given)
        # The newest version: what the device's own one lacks its compiler refuses, and types are the same in all.
        request = AnalysisRequest(written.source, parsed.options, parsed.include_dirs, language_version="CL3.0")
        seen = front_end().examine(request, KERNEL, ranges)
        if not seen.available:
            message = f"types of values come from the front end, which did not read this: {seen.reason}"
            raise SourceError(message, remedy="pip install 'libclang>=18.1.1,<19'")
        redefined = {match[1] for one in seen.diagnostics if (match := _REDEFINED.match(one.message))}
        clashes = redefined & {one.name for one in given}
        if not clashes:
            return written, given, seen
        without |= clashes


def _built(task: _Task, device: DeviceInfo, written: Written) -> Program:
    try:
        return task.workshop.build(written.source, device=device, source_map=SourceMap("eval"), **task.words)
    except BuildError as error:
        raise _on_user_lines(task, written, error.result) from None


def _refusal(task: _Task, device: DeviceInfo, written: Written, seen: Examined) -> ClMagicError:
    """What the device's compiler says of a text that the front end refuses; where it takes it, there are no types."""
    _built(task, device, written)
    first = next(one.message for one in seen.diagnostics if one.severity == "error")
    message = f"{device.short_name} builds this, but the front end cannot tell its types: {first}"
    return SourceError(message, remedy="build it as a kernel: %%opencl", text=task.text)


def _on_user_lines(task: _Task, written: Written, result: BuildResult) -> BuildError:
    first = task.origin.first_line
    moved = [_explained(written.on_user_lines(diagnostic, first), task.names) for diagnostic in result.diagnostics]
    kept = tuple(one for one in moved if one.severity == "error" or (one.line and not _is_idle(one)))
    spec: ProgramSpec = user_spec(task.text, result.spec, task.origin.name, first)
    shown = replace(result, spec=spec, diagnostics=kept)
    return BuildError(headline(shown), result=shown)


def _explained(diagnostic: Diagnostic, names: Mapping[str, Any]) -> Diagnostic:
    """Add why a variable of Python's is unknown to the text."""
    text = not_given(diagnostic.message, names)
    if not text:
        return diagnostic
    place = {"line": diagnostic.line, "column": diagnostic.column, "file": diagnostic.file}
    note = Diagnostic("note", text, **place, origin="cl_magic")  # type: ignore[arg-type]  # ints and a name
    return replace(diagnostic, notes=(*diagnostic.notes, note))


def _is_idle(diagnostic: Diagnostic) -> bool:
    """Whether a warning is about what every text to evaluate does: values that nobody uses."""
    return diagnostic.option.startswith(_IDLE_WARNINGS) or "unused" in diagnostic.message


def _warnings(seen: Examined) -> list[str]:
    told = [one for one in seen.diagnostics if one.severity == "warning" and not _is_idle(one)]
    return [f"warning: {one.message}" for one in told]


def _told(given: Iterable[Given]) -> list[str]:
    names = [f"{one.name} = ({one.type_name}) {one.value!s}" for one in given]
    return [f"from Python: {', '.join(names)}"] if names else []


def _row(task: _Task, slot: Slot, seen: Examined) -> EvaluatedRow:
    item, facts = task.items[slot.item], seen.items[slot.item]
    line = item.line + task.origin.first_line - 1
    return EvaluatedRow(" ".join(item.text.split()), slot.name, line, type_text(slot.type), facts.notes)


def _value(results: bytes, slot: Slot) -> EvaluatedValue:
    if slot.item >= struct.unpack_from("<i", results)[0]:
        return EvaluatedValue(note=_NOT_REACHED)
    if not slot.nbytes:
        is_address = slot.type.name.endswith("*")
        note = (
            _ADDRESS if is_address else "" if slot.type.name == "void" else f"a {slot.type.name} has no value to show"
        )
        return EvaluatedValue(note=note)
    data = results[slot.offset : slot.offset + slot.nbytes]
    text, parts = value_text(data, slot.type), parts_of(data, slot.type)
    if slot.flag >= 0 and struct.unpack_from("<i", results, slot.flag)[0]:
        return EvaluatedValue("unspecified", parts, _UNSPECIFIED + text)
    return EvaluatedValue(text, parts)
