"""``%opencl VERB``: devices, device, build, programs, options, help, restart, doctor; bare, the state and the help."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import cl_magic
from cl_magic.cache.kept import cache_state, clear_cache
from cl_magic.clc.type_table import TYPES, TypeTable
from cl_magic.device import matching, restart_engine, versions_text
from cl_magic.display.devices import DevicesView, all_of
from cl_magic.display.quantity import counted
from cl_magic.doctor.examine import examine
from cl_magic.doctor.finding import Examination
from cl_magic.errors import ClMagicError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.magics.cache_verb import cache_table
from cl_magic.magics.cell import run_request
from cl_magic.magics.eval_verb import is_eval, run_eval
from cl_magic.magics.flags import FLAGS
from cl_magic.magics.line import parse_cell_words
from cl_magic.magics.line_error import Place, line_error
from cl_magic.magics.link_cells import link_line
from cl_magic.magics.nearest import nearest
from cl_magic.magics.notebook import Notebook
from cl_magic.magics.option_meanings import OPTION_MEANINGS, option_notes
from cl_magic.magics.picker import device_picker, publish_widget
from cl_magic.magics.publish import bundle_of
from cl_magic.magics.table import Table
from cl_magic.magics.watch_verb import watch_line
from cl_magic.magics.words import Word, split_words
from cl_magic.session import session


@dataclass(frozen=True, slots=True)
class Line:
    """The words of a ``%opencl`` line after its verb."""

    notebook: Notebook
    text: str
    words: tuple[Word, ...]

    def show(self, answer: Table | DevicesView | Examination | TypeTable) -> None:
        """Show an answer as an output of the cell."""
        self.notebook.publish(bundle_of(answer))

    def refuse(self, message: str, word: Word, remedy: str) -> NoReturn:
        """Raise the error for a word of the line."""
        raise line_error(message, Place(self.text, word.start, word.end), remedy)


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb, what may follow it, one line of meaning, and what does it."""

    name: str
    words: str
    meaning: str
    act: Callable[[Line], Any]


def run_line(notebook: Notebook, text: str) -> Any:  # noqa: ANN401 - what --run gave, else None
    """Do what a ``%opencl`` line says.

    Parameters
    ----------
    notebook : Notebook
    text : str
        The line after ``%opencl``.

    Raises
    ------
    MagicLineError
        An unknown verb, or words that the verb does not take.
    """
    if is_eval(text):
        return run_eval(notebook, text)
    words = split_words(text, notebook.names)
    if not words:
        line = Line(notebook, text, ())
        line.show(_status())
        return _help(line)
    verb = next((verb for verb in VERBS if verb.name == words[0].text), None)
    line = Line(notebook, text, tuple(words[1:]))
    if verb is None:
        _refuse_verb(line, words[0])
    return verb.act(line)


def _refuse_verb(line: Line, word: Word) -> NoReturn:
    names = [verb.name for verb in VERBS]
    near = nearest(word.text, names)
    remedy = f"did you mean %opencl {near}?" if near else f"verbs: {', '.join(names)}"
    if word.text.startswith("-"):
        remedy = "flags and build options belong to a cell: %%opencl, with two per cent signs"
    line.refuse(f"%opencl has no verb {word.text}", word, remedy)


def _flags(line: Line, known: tuple[str, ...]) -> set[str]:
    for word in line.words:
        if word.text not in known:
            near = nearest(word.text, known)
            remedy = f"did you mean {near}?" if near else f"it takes {', '.join(known) or 'nothing'}"
            line.refuse(f"unknown word {word.text}", word, remedy)
    return {word.text for word in line.words}


def _devices(line: Line) -> None:
    flags = _flags(line, ("-v", "--refresh"))
    reports = session().reports(refresh="--refresh" in flags)
    current = _current()
    picker = device_picker()
    line.show(DevicesView(reports, current.id if current else "", folded=picker is not None))
    if "-v" in flags:
        line.show(Table(("Versions", "to paste into a report"), details=versions_text(reports)))
    if picker is not None:
        publish_widget(line.notebook, picker)


def _current() -> DeviceInfo | None:
    try:
        return session().device
    except ClMagicError:
        return None  # the table says which devices there are, and what ails the drivers


def _device(line: Line) -> None:
    selector = " ".join(word.text for word in line.words)
    chosen = session().select(selector) if selector else session().device
    known = [device for report in session().reports() for device in report.devices]
    fitting = matching(selector, known) if selector else (chosen,)
    line.show(DevicesView(all_of(fitting).reports, chosen.id))


def _build(line: Line) -> Any:  # noqa: ANN401 - what --run gave
    if not line.words or line.words[0].text.startswith("-"):
        start = len(line.text)
        line.refuse("which file?", Word("", start, start), "for example %opencl build blur.cl -DN=4")
    path, *rest = line.words
    request = parse_cell_words(line.text, [Word(f"--file={path.text}", path.start, path.end), *rest])
    return run_request(line.notebook, request, "")


def _link(line: Line) -> None:
    link_line(line.notebook, line.text, line.words)


def _watch(line: Line) -> None:
    publish_widget(line.notebook, watch_line(line.notebook, line.text, line.words))


def _eval(line: Line) -> None:
    run_eval(line.notebook, line.text)


def _programs(line: Line) -> None:
    _flags(line, ())
    programs = session().programs
    rows = []
    for program in programs:
        held = [name for name, value in line.notebook.names.items() if value is program and not name.startswith("_")]
        result = program.result
        rows.append(
            (
                result.spec.source_map.name,
                ", ".join(program.kernel_names),
                ", ".join(held),
                program.device.short_name,
                result.language_version,
                " ".join(result.spec.options),
            )
        )
    heads = ("source", "kernels", "variable", "device", "language", "options")
    line.show(Table((counted(len(programs), "program"),), heads, tuple(rows)))


def _options(line: Line) -> None:
    _flags(line, ())
    note = "They stand bare on the %%opencl line; an option of your driver only goes into --options='…'."
    device = _current()
    here = option_notes(device) if device else ()
    line.show(Table(("Build options",), ("option", "means"), OPTION_MEANINGS, (note, *here)))


def _help(line: Line) -> None:
    _flags(line, ())
    verbs = tuple((f"%opencl {verb.name} {verb.words}".strip(), verb.meaning) for verb in VERBS)
    flags = tuple((f"{flag.name}={flag.value}" if flag.value else flag.name, flag.meaning) for flag in FLAGS)
    line.show(Table(("%opencl", "verbs"), ("line", "does"), verbs))
    notes = (
        "OpenCL build options stand bare: -DN=4 -I include -cl-mad-enable.",
        "$name and ${…} put Python values in.",
    )
    line.show(Table(("%%opencl", "first line of a cell with OpenCL C"), ("flag", "means"), flags, notes))


def _doctor(line: Line) -> None:
    _flags(line, ())
    line.show(examine())


def _types(line: Line) -> None:
    _flags(line, ())
    line.show(TYPES)


def _restart(line: Line) -> None:
    _flags(line, ())
    device = session().device
    restart_engine(device)
    words = "the next command starts a new one, with the programs that it needs"
    kept = "variables and kernels are kept; arrays that live on the device only are lost"
    line.show(Table((f"the worker of {device.short_name} is ended", words), notes=(kept,)))


def _cache(line: Line) -> None:
    cleared = "clear" in _flags(line, ("clear",))
    line.show(cache_table(clear_cache() if cleared else cache_state(), cleared=cleared))


def _status() -> Table:
    current = _current()
    device = f"{current.short_name} ({current.id})" if current else "no device: %opencl doctor says why"
    made = counted(len(session().programs), "program"), counted(len(session().records), "record")
    return Table((f"cl_magic {cl_magic.__version__}", device, *made))


VERBS: tuple[Verb, ...] = (
    Verb("devices", "[-v] [--refresh]", "list and choose devices; -v adds all versions", _devices),
    Verb("device", "[gpu | cpu | 0:1 | name]", "choose the device of later cells, or show it", _device),
    Verb("build", "FILE.cl [flags]", "build a file, with the flags of a cell", _build),
    Verb("link", "PART … [--as=NAME]", "link objects of --compile cells", _link),
    Verb("eval", "[--device=all] [--bits] EXPR", "show the value and type of an OpenCL C expression", _eval),
    Verb("watch", "KERNEL", "show the arrays of a kernel's launches as they come", _watch),
    Verb("programs", "", "list the programs that are kept", _programs),
    Verb("options", "", "list OpenCL's build options", _options),
    Verb("help", "", "show this", _help),
    Verb("cache", "[clear]", "show what is kept on disk, or remove it", _cache),
    Verb("restart", "", "end the worker process of the chosen device", _restart),
    Verb("doctor", "", "say what ails OpenCL here, with the remedies", _doctor),
    Verb("types", "", "list OpenCL C's types with bytes and NumPy dtype", _types),
)
