"""Build options as a user writes them, turned into values: language, definitions, folders, the rest; or an error."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from cl_magic.build.definitions import define_options
from cl_magic.build.option_table import check_spelling, language_option, refuse_all
from cl_magic.build.option_words import glued, is_folder, split_text
from cl_magic.errors import OptionError

Define = tuple[str, str | None]
"""Name (with its parameters, if it is a function-like macro) and value; None where none is given, which means 1."""

_DEFINE = re.compile(r"(?P<name>[A-Za-z_]\w*(?:\([\w\s,.]*\))?)(?:=(?P<value>.*))?", re.DOTALL)
_DROPPED_QUOTES = re.compile(r"""(?<!['"])-D\s*(?P<name>\w+)=(?P<value>"[^"\\]*")""")


@dataclass(frozen=True, slots=True)
class Options:
    """Build options, one an item.

    Attributes
    ----------
    options : tuple of str
        All but ``-I``, in order; definitions glued and unquoted (``-DTBL={4, 5}``).
    include_dirs : tuple of str
        Absolute folders of ``-I``, in order.
    defines : tuple of (str, str or None)
        The ``-D`` among the options, taken apart.
    notes : tuple of str
        What was read in a way that may surprise, one sentence each.
    """

    options: tuple[str, ...] = ()
    include_dirs: tuple[str, ...] = ()
    defines: tuple[Define, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def language(self) -> str:
        """Value of ``-cl-std``, "" where the device decides.

        Examples
        --------
        >>> parse_options("--std=CL2.0").language
        'CL2.0'
        """
        return next((item[8:] for item in self.options if item.startswith("-cl-std=")), "")


def parse_options(given: str | Iterable[str | os.PathLike[str]] | None, *, std: str | None = None) -> Options:
    r"""Read build options from a text or a list.

    A text is split as a shell does, so a string literal keeps its quotes inside others: ``-DNAME='"xyz"'``. The items
    of a list are taken as they are: ``["-D", 'NAME="xyz"']``. A table may hold blanks in both.

    Parameters
    ----------
    given : str, iterable of str or os.PathLike, or None
    std : str, optional
        Language version (``"CL2.0"``, ``"cl1.2"``), from an argument of its own.

    Raises
    ------
    OptionError
        Unknown spelling of a standard option, an option that no device can take, a definition without a name, two
        different language versions.

    Examples
    --------
    >>> parse_options("-DN=4 -D TBL={4, 5, 6} -cl-mad-enable").options
    ('-DN=4', '-DTBL={4, 5, 6}', '-cl-mad-enable')
    >>> parse_options(["-D", 'NAME="xyz"', "-DF(a)=a*2", "-DX"]).defines
    (('NAME', '"xyz"'), ('F(a)', 'a*2'), ('X', None))
    """
    text = given if isinstance(given, str) else ""
    words = split_text(given) if isinstance(given, str) else list(given or ())
    items = glued(words)
    refuse_all(items)
    folders = tuple(_folder(item) for item in items if item.startswith("-I"))
    notes = [_quotes_note(match) for match in _DROPPED_QUOTES.finditer(text)]
    notes += [f"the include folder {folder} does not exist" for folder in folders if not is_folder(folder)]
    checked = [_checked(item, notes) for item in items if not item.startswith("-I")]
    defines = tuple(split_define(item[2:]) for item in checked if item.startswith("-D"))
    return Options(_one_language(checked, std), tuple(dict.fromkeys(folders)), defines, tuple(notes))


NO_DEFINES: Mapping[str, Any] = MappingProxyType({})


def with_defines(options: Options, defines: Mapping[str, Any]) -> Options:
    """Options with macros of Python values behind them.

    Examples
    --------
    >>> with_defines(parse_options("-DN=1 -w"), {"N": 2, "T": [1, 2]}).options
    ('-DN=1', '-w', '-DN=2', '-DT={1, 2}')
    """
    if not defines:
        return options
    more = parse_options(define_options(defines))
    return replace(
        options,
        options=(*options.options, *more.options),
        defines=(*options.defines, *more.defines),
        notes=(*options.notes, *more.notes),
    )


def split_define(text: str) -> Define:
    """Name and value of a definition without its ``-D``.

    Examples
    --------
    >>> split_define("F(a, b)=a+b"), split_define("X"), split_define("X=")
    (('F(a, b)', 'a+b'), ('X', None), ('X', ''))
    """
    match = _DEFINE.fullmatch(text)
    if not match:
        msg = f"-D{text} defines no name: a macro's name is letters, digits and _, and does not begin with a digit"
        raise OptionError(msg, remedy="write -DNAME=VALUE or -DNAME(a)=VALUE", option=f"-D{text}")
    return match["name"], match["value"]


def _quotes_note(match: re.Match[str]) -> str:
    name, value = match["name"], match["value"]
    return f"-D{name}={value}: the quotes were the shell's; write -D{name}='{value}' for a string literal"


def _folder(item: str) -> str:
    folder = Path(item[2:])
    with contextlib.suppress(RuntimeError):  # `~name` of nobody known stays as it is
        folder = folder.expanduser()
    return str(folder.absolute())


def _checked(item: str, notes: list[str]) -> str:
    """The item as the driver should get it; raises for what no driver can take."""
    if item.startswith("-D"):
        return _define(item, notes)
    if item.startswith("-cl-std="):
        return language_option(item[8:])
    if not item.startswith("-") or item in {"-", "--"}:
        msg = f"{item!r} is no build option: options begin with -"
        raise OptionError(msg, remedy="put quotes around a value or a folder that holds blanks", option=item)
    check_spelling(item)
    return item


def _define(item: str, notes: list[str]) -> str:
    """A definition ends at a newline (OpenCL 1.2, 5.6.4.1, R-63); escaped outer quotes are a string literal's."""
    name, value = split_define(item[2:])
    if value is None:
        return f"-D{name}"
    line = re.split(r"\r\n|\r|\n", value, maxsplit=1)[0]
    if line != value:
        notes.append(f"the value of -D{name} ends at its newline: {line}")
    if re.search(r"\s-(?:D|I|cl-)\w", line):
        notes.append(f"one item is one option: the value of -D{name} is {line!r}")
    if re.fullmatch(r'\\".*\\"', line):
        line = line.replace('\\"', '"')
    if line.count("/*") > line.count("*/") or line.endswith("\\") or "\0" in line:
        msg = f"the value of -D{name} would swallow the source behind it: {line!r}"
        raise OptionError(msg, remedy="close the comment, and end the value without a backslash", option=item)
    return f"-D{name}={line}"


def _one_language(items: list[str], std: str | None) -> tuple[str, ...]:
    """Keep one ``-cl-std``; two that differ are an error."""
    asked = [item for item in items if item.startswith("-cl-std=")] + ([language_option(std)] if std else [])
    versions = list(dict.fromkeys(asked))
    if len(versions) > 1:
        msg = f"two language versions are asked for: {' and '.join(versions)}"
        raise OptionError(msg, remedy="keep one of them", option=versions[-1], versions=tuple(versions))
    rest = [item for item in items if not item.startswith("-cl-std=")]
    return (*rest, *versions)
