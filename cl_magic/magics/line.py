"""The ``%%opencl`` line → :class:`~cl_magic.magics.request.CellRequest`: a pure parse, no shell, no device.

What OpenCL calls a build option keeps its meaning when bare; ours are long. The grammar is our own, because `argparse`
refuses values that begin with ``-``.
"""

from __future__ import annotations

import keyword
import math
import re
import shlex
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from cl_magic.build.option_table import refuse
from cl_magic.build.value_range import parse_range
from cl_magic.errors import OptionError
from cl_magic.magics.flags import FLAGS, OPTION_STARTS, OPTION_WORDS, WITH_VALUE
from cl_magic.magics.line_error import Place, line_error
from cl_magic.magics.nearest import nearest
from cl_magic.magics.request import CellRequest
from cl_magic.magics.words import Word, split_words
from cl_magic.reflect.listing import KINDS

_VALUES = {flag.name: flag.value for flag in FLAGS}
_FIELDS = {
    "--global": "global_size",
    "--local": "local_size",
    "--offset": "global_offset",
    "--as": "as_name",
    "-i": "panel",
}
_MAX_DIMENSIONS = 3
_RANGE = re.compile(r"[A-Za-z_]\w*=")


def parse_cell_line(line: str, names: Mapping[str, Any] | None = None) -> CellRequest:
    """Parse the line of a ``%%opencl`` cell.

    Parameters
    ----------
    line : str
        What follows ``%%opencl``.
    names : mapping of str to object, optional
        The notebook's variables, for ``$name`` and ``${expression}``.

    Returns
    -------
    CellRequest

    Raises
    ------
    MagicLineError
        Unknown flag, missing or wrong value, word that is no flag. Facts: ``line``, ``position`` (from 1), ``token``.
    OptionError
        A compiler option that no device could take (``-c``, ``-o``).

    Examples
    --------
    >>> request = parse_cell_line("-D N=4 -cl-mad-enable --global=$w,480 --local 16,16 --quiet", {"w": 640})
    >>> request.options, request.global_size, request.local_size, request.quiet
    (('-DN=4', '-cl-mad-enable'), (640, 480), (16, 16), True)
    """
    return parse_cell_words(line, split_words(line, names))


def parse_cell_words(line: str, words: list[Word]) -> CellRequest:
    """Parse words that were cut already; `line` is for errors. See :func:`parse_cell_line`.

    Examples
    --------
    >>> parse_cell_words("blur.cl", [Word("--file=blur.cl", 0, 7)]).file
    'blur.cl'
    """
    return _Reader(line, words).request()


class _Reader:
    """Goes through the words once, from left to right."""

    def __init__(self, line: str, words: list[Word]) -> None:
        self.line = line
        self.words = words
        self.at = 0
        self.options: list[str] = []
        self.fields: dict[str, Any] = {}

    def request(self) -> CellRequest:
        while self.at < len(self.words):
            word = self.words[self.at]
            self.at += 1
            if word.text.startswith("--"):
                self._flag(word)
            elif word.text.startswith("-") and word.text != "-":
                self._option(word)
            else:
                self._refuse_stray(word)
        return CellRequest(options=tuple(self.options), **self.fields)

    def _flag(self, word: Word) -> None:
        name, equals, value = word.text.partition("=")
        if name not in _VALUES:
            self._refuse_unknown(word, name)
        if not _VALUES[name]:
            if equals:
                self._refuse(f"{name} takes no value", word, f"write {name} alone")
            value = "yes"
        elif not equals:
            value = self._next(word, name)
        if not value:
            self._refuse(f"{name} has no value", word, f"for example {name}={_VALUES[name]}")
        self._set(word, name, value)

    def _set(self, word: Word, name: str, value: str) -> None:
        field = _FIELDS.get(name, name.removeprefix("--").replace("-", "_"))
        if name == "--options":
            self.options += self._split_options(word, value)
            return
        if name == "--interact":
            self._ranges(word, value)
            return
        if name == "--template":
            self.fields["templates"] = (*self.fields.get("templates", ()), value)
            return
        if field in self.fields:
            self._refuse(f"{name} stands on the line twice", word, "keep one of them")
        if name == "--std" and any(option.startswith("-cl-std=") for option in self.options):
            self._refuse("--std and -cl-std are the same option", word, "keep one of them")
        read = _READERS.get(name, _text)
        try:
            self.fields[field] = read(value)
        except ValueError as error:
            remedy = f"for example {name}={_VALUES[name]}"
            self._refuse(f"{name}={value}: {error}", word, remedy)

    def _ranges(self, word: Word, value: str) -> None:
        """The ranges of ``--interact``: the first one, and all words ``name=range`` that follow."""
        values = [value]
        while self.at < len(self.words) and _RANGE.match(self.words[self.at].text):
            values.append(self.words[self.at].text)
            self.at += 1
        for text in values:
            name, _, given = text.partition("=")
            try:
                parse_range(given if name.isidentifier() else "")
            except OptionError as error:
                why = error.message if name.isidentifier() and given else f"{text!r} is not of the form name=range"
                self._refuse(
                    f"--interact: {why}", word, f"for example --interact {_VALUES['--interact']}; {error.remedy}"
                )
            self.fields["interact"] = (*self.fields.get("interact", ()), (name, given))

    def _next(self, word: Word, name: str) -> str:
        """The word after a flag without ``=``. Another flag is no value, but build options are one of --options."""
        following = self.words[self.at].text if self.at < len(self.words) else ""
        if not following or (following.startswith("--") and name != "--options"):
            self._refuse(f"{name} has no value", word, f"for example {name}={_VALUES[name]}")
        self.at += 1
        return following

    def _option(self, word: Word) -> None:
        text = word.text
        if text in _VALUES:
            self._set(word, text, "yes")
            return
        if text in WITH_VALUE:
            if self.at == len(self.words):
                self._refuse(f"{text} has no value", word, f"for example {text}{_SAMPLES.get(text, ' value')}")
            text = _glued(text, self.words[self.at].text)
            self.at += 1
        elif not _is_build_option(text):
            self._refuse_unknown(word, text)
        if text.startswith("-cl-std=") and "std" in self.fields:
            self._refuse("--std and -cl-std are the same option", word, "keep one of them")
        self.options.append(text)

    def _split_options(self, word: Word, value: str) -> list[str]:
        """The options of ``--options=``; here a driver's own ones are taken too."""
        try:
            parts = shlex.split(value)
        except ValueError as error:
            self._refuse(f"--options={value}: {error}", word, "close the quote")
        options: list[str] = []
        for part in parts:
            if options and options[-1] in WITH_VALUE:
                options[-1] = _glued(options[-1], part)
            else:
                options.append(part)
        return options

    def _refuse_unknown(self, word: Word, name: str) -> NoReturn:
        if not name.startswith("--"):
            refuse(name)  # options that no device could take, with the reason
        known = nearest("--" + name.lstrip("-"), _VALUES) or nearest("-" + name.lstrip("-"), OPTION_WORDS)
        remedy = f"did you mean {known}?" if known else "%opencl help lists the flags"
        if not known and not name.startswith("--"):
            remedy = f"an option of your driver only goes into --options='{name}'; %opencl options lists OpenCL's"
        self._refuse(f"unknown flag {name}", word, remedy, suggestion=known)

    def _refuse_stray(self, word: Word) -> NoReturn:
        remedy = "values with blanks need quotes: --run='blur(src, dst)'"
        if word.text.endswith(".cl"):
            remedy = f"to build a file, write --file={word.text}"
        self._refuse(f"{word.text!r} is no flag and no build option", word, remedy)

    def _refuse(self, message: str, word: Word, remedy: str, **facts: str) -> NoReturn:
        place = Place(self.line, word.start, word.end)
        raise line_error(message, place, remedy, **facts)


_SAMPLES = {"-D": "N=4", "-I": "include", "-U": "N"}


def _glued(option: str, value: str) -> str:
    """One item for an option and its value: ``-DN=4``, ``-cl-nv-opt-level=3``."""
    between = "=" if option.startswith("-cl-") else ""
    return f"{option}{between}{value}"


def _is_build_option(text: str) -> bool:
    """Whether a driver may know it; ``-force`` begins like ``-f…`` but is ours with a dash missing."""
    ours = "-" + text.partition("=")[0] in _VALUES
    return not ours and (text in OPTION_WORDS or text.startswith(OPTION_STARTS))


def _sizes(value: str) -> tuple[int, ...]:
    parts = [part.strip() for part in value.strip("()[] ").split(",")]
    if len(parts) > 1 and not parts[-1]:
        parts.pop()  # a tuple of one is written (640,)
    try:
        sizes = tuple(int(part) for part in parts)
    except ValueError:
        message = "sizes are whole numbers parted by commas"
        raise ValueError(message) from None
    if len(sizes) > _MAX_DIMENSIONS:
        message = f"an NDRange has at most 3 dimensions, these are {len(sizes)}"
        raise ValueError(message)
    if min(sizes) < 0:
        message = f"{min(sizes)} is negative"
        raise ValueError(message)
    return sizes


def _local_size(value: str) -> tuple[int, ...] | str:
    return "auto" if value == "auto" else _sizes(value)


def _variable(value: str) -> str:
    if not value.isidentifier() or keyword.iskeyword(value):
        message = "this is no name for a Python variable"
        raise ValueError(message)
    return value


def _kinds(value: str) -> tuple[str, ...]:
    kinds = tuple(dict.fromkeys(part.strip() for part in value.split(",")))
    wrong = next((kind for kind in kinds if kind not in KINDS), None)
    if wrong is not None:
        near = nearest(wrong, KINDS)
        message = f"{wrong!r} is no form of code; did you mean {near}?" if near else f"the forms are {', '.join(KINDS)}"
        raise ValueError(message)
    return kinds


def _seconds(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        message = "this is no number of seconds"
        raise ValueError(message) from None
    if not 0 < seconds < math.inf:
        message = "seconds must be more than 0 and finite"
        raise ValueError(message)
    return seconds


def _text(value: str) -> str:
    return value


def _switch(value: str) -> bool:
    return bool(value)


_READERS: dict[str, Callable[[str], Any]] = {
    "--global": _sizes,
    "--local": _local_size,
    "--offset": _sizes,
    "--save-log": _variable,
    "--as": _variable,
    "--emit": _kinds,
    "--timeout": _seconds,
    "--quiet": _switch,
    "--force": _switch,
    "--eval": _switch,
    "--compile": _switch,
    "--bits": _switch,
    "-i": _switch,
}
