"""What may be typed on a magic line: flags, options, their values; verbs of ``%opencl``. It searches no driver."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from cl_magic.bundle.objects import ProgramObject
from cl_magic.engine.discovery import made_discovery
from cl_magic.language.completion import Completion, Completions
from cl_magic.magics.flags import FLAGS
from cl_magic.magics.kernel_names import kernel_names
from cl_magic.magics.notebook import Notebook
from cl_magic.magics.option_meanings import LANGUAGES, OPTION_MEANINGS
from cl_magic.reflect.listing import KINDS

_WORD = re.compile(r"(?:'[^']*'?|\"[^\"]*\"?|[^\s'\"])*$")
_DEVICE_WORDS = ("gpu", "cpu")
_NAME = re.compile(r"[A-Za-z_]\w*$")


def line_completions(notebook: Notebook, line: str, column: int, body: str = "") -> Completions:
    """What may be typed at a column (from 0) of what follows ``%%opencl``; `start` is a column too.

    Parameters
    ----------
    notebook : Notebook
    line : str
    column : int
    body : str, optional
        The cell below the line: its kernels are what ``--run`` can call.

    Examples
    --------
    >>> from IPython.core.interactiveshell import InteractiveShell
    >>> found = line_completions(Notebook(InteractiveShell()), " --std=CL2", 10)
    >>> found.start, [one.text for one in found.items]
    (7, ['CL2.0'])
    """
    before = line[:column]
    match = _WORD.search(before)
    word = match[0] if match else ""
    start = column - len(word)
    name, equals, value = word.partition("=")
    if equals and (offered := _values(notebook, name, body)) is not None:
        return _of_value(start + len(name) + 1, value, offered)
    previous = before[:start].split()[-1:]
    if previous and not word.startswith("-") and (offered := _values(notebook, previous[0], body)) is not None:
        return _of_value(start, word, offered)
    return Completions(start, tuple(one for one in _flags() if one.text.startswith(word)))


def _of_value(start: int, value: str, offered: Iterable[Completion]) -> Completions:
    """Values that begin as typed, behind an opening quote and behind the last comma."""
    lead = len(value) - len(value.lstrip("'\""))
    lead = max(lead, value.rfind(",") + 1)
    typed = value[lead:]
    return Completions(start + lead, tuple(one for one in offered if one.text.lower().startswith(typed.lower())))


def _flags() -> Iterable[Completion]:
    for flag in FLAGS:
        yield Completion(f"{flag.name}=" if flag.value else flag.name, "flag", flag.meaning)
    for option, meaning in OPTION_MEANINGS:
        name = option.partition(" ")[0]
        yield Completion("-cl-std=" if name.startswith("-cl-std=") else name, "flag", meaning)


def _values(notebook: Notebook, flag: str, body: str) -> list[Completion] | None:
    """Values of a flag; None where it has none that can be listed."""
    source = _VALUES.get(flag)
    return None if source is None else source(notebook, body)


def devices(_notebook: Notebook, _body: str = "") -> list[Completion]:
    """Words that choose a device: kinds, and ids and names of those that a search has found."""
    made = made_discovery()
    found = made.devices if made else ()
    words = [Completion(word, "value", f"the best {word.upper()}") for word in _DEVICE_WORDS]
    words += [Completion(device.id, "value", device.name) for device in found]
    families = {device.family: device.platform_name for device in found if device.family != "clang"}
    return words + [Completion(family, "value", platform) for family, platform in families.items()]


def _kernels(_notebook: Notebook, body: str) -> list[Completion]:
    return [Completion(f"{name}(", "value", "kernel of this cell") for name in kernel_names(body)]


def _languages(_notebook: Notebook, _body: str) -> list[Completion]:
    return [Completion(name, "value", "language version") for name in LANGUAGES]


def _forms(_notebook: Notebook, _body: str) -> list[Completion]:
    return [Completion(kind, "value", "form of the code") for kind in KINDS]


def _local_sizes(_notebook: Notebook, _body: str) -> list[Completion]:
    return [Completion("auto", "value", "cl_magic chooses")]


def files(_notebook: Notebook, _body: str = "") -> list[Completion]:
    """Files of OpenCL C beside the notebook."""
    return [Completion(path.name, "value", "file") for path in sorted(Path.cwd().glob("*.cl"))[:100]]


def folders(_notebook: Notebook, _body: str) -> list[Completion]:
    """Folders beside the notebook."""
    inside = (path for path in sorted(Path.cwd().iterdir()) if path.is_dir() and not path.name.startswith("."))
    return [Completion(path.name, "value", "folder") for path in list(inside)[:100]]


def objects(notebook: Notebook) -> list[Completion]:
    """Variables that ``%opencl link`` takes."""
    held = [name for name, one in notebook.names.items() if isinstance(one, ProgramObject) and not name.startswith("_")]
    return [Completion(name, "value", "object") for name in held]


_VALUES: dict[str, Callable[[Notebook, str], list[Completion]]] = {
    "--device": devices,
    "--std": _languages,
    "-cl-std": _languages,
    "--emit": _forms,
    "--run": _kernels,
    "--file": files,
    "--local": _local_sizes,
    "-I": folders,
}


def verb_completions(notebook: Notebook, line: str, column: int, verbs: Iterable[tuple[str, str, str]]) -> Completions:
    """What may be typed at a column of what follows ``%opencl``.

    Parameters
    ----------
    notebook : Notebook
    line : str
    column : int
    verbs : iterable of (str, str, str)
        Name, what may follow, and meaning of each verb.

    Examples
    --------
    >>> from IPython.core.interactiveshell import InteractiveShell
    >>> verbs = [("devices", "[-v]", "list devices"), ("doctor", "", "say what ails OpenCL")]
    >>> found = verb_completions(Notebook(InteractiveShell()), " do", 3, verbs)
    >>> found.start, found.items[0].text
    (1, 'doctor')
    """
    words = line[:column].split()
    is_new = not line[:column].strip() or line[column - 1].isspace()
    typed = "" if is_new else words.pop()
    start = column - len(typed)
    if not words:
        offered = [Completion(name, "verb", meaning) for name, _, meaning in verbs]
        return Completions(start, tuple(one for one in offered if one.text.startswith(typed)))
    verb, given = words[0], {name: takes for name, takes, _ in verbs}
    if verb == "build" and (len(words) > 1 or typed.startswith("-")):
        return line_completions(notebook, line, column)
    offered = {"device": devices, "build": files}.get(verb, lambda _: [])(notebook)
    offered += objects(notebook) if verb == "link" else []
    own = re.findall(r"--?\w+=?|(?<=\[)[a-z]+(?=\])", given.get(verb, "")) if verb != "device" else []
    offered += [Completion(word, "flag", "") for word in own]
    return Completions(start, tuple(one for one in offered if one.text.startswith(typed)))
