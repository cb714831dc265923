"""Build options as words: text split as a shell does, tables with blanks joined again, short and long forms unified."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from cl_magic.errors import OptionError

_LONG = {
    "--include-directory": "-I",
    "--define-macro": "-D",
    "--undefine-macro": "-U",
    "--std": "-cl-std=",
    "-std": "-cl-std=",
    "-cl-std": "-cl-std=",
}
_VALUED = ("-D", "-I", "-U", "-Xs")
_OPEN, _CLOSE = "{([", "})]"
_DEFINITION = re.compile(r"-D\w+=")


def split_text(text: str) -> list[str]:
    r"""Words of an option text, with the quoting of a shell.

    Raises
    ------
    OptionError
        When a quote is not closed.

    Examples
    --------
    >>> split_text('-D "N=4" -DNAME=\'"xyz"\'')
    ['-D', 'N=4', '-DNAME="xyz"']
    """
    try:
        return shlex.split(text)
    except ValueError as error:
        msg = f"the options {text!r} cannot be split into words: {str(error).lower()}"
        raise OptionError(msg, remedy="close the quote, or write \\ in front of it", option=text) from None


def glued(items: Iterable[str | os.PathLike[str]]) -> list[str]:
    """One option an item: values joined to ``-D``, ``-I``, ``-U``; long forms made short; torn tables mended.

    Parameters
    ----------
    items : iterable of str or os.PathLike
        Words as a user gives them in a list; a path may follow ``-I``.

    Examples
    --------
    >>> glued(["-D", "T={4,", "5}", "-I", "/tmp", "--std=cl1.2"])
    ['-DT={4, 5}', '-I/tmp', '-cl-std=cl1.2']
    """
    words = [_text(item) for item in items]
    found: list[str] = []
    position = 0
    while position < len(words):
        word, position = _unquoted(words[position]), position + 1
        flag = _flag(word)
        if flag is None:
            found.extend(_parts(word))
            continue
        value = word[len(flag) :].removeprefix("=") if flag.startswith("--") or flag == "-std" else word[len(flag) :]
        if not value.strip("= "):
            value, position = _next(words, position, word)
        value, position = _whole(flag, value.lstrip("= " if flag.endswith("std") else " "), words, position)
        found.extend(glued(split_text(value)) if flag == "-Xs" else [_LONG.get(flag, flag) + value])
    return found


def _text(item: str | os.PathLike[str]) -> str:
    if isinstance(item, bytes) or not isinstance(item, str | os.PathLike):
        msg = f"a build option is text or a path, not {type(item).__name__}: {item!r}"
        raise OptionError(msg, remedy="pass str, or pathlib.Path after -I", option=item)
    return os.fspath(item)


def _unquoted(word: str) -> str:
    """Drop one pair of quotes around a whole item (``'"TBL={4, 5}"'``), as some bindings need them."""
    if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'" and word[0] not in word[1:-1]:
        return word[1:-1]
    return word


def _flag(word: str) -> str | None:
    """The short or long flag that a word begins with and that takes a value."""
    for long in _LONG:
        if word == long or word.startswith(long + "="):
            return long
    return next((short for short in _VALUED if word.startswith(short)), None)


def _parts(word: str) -> Iterator[str]:
    """An item that holds several plain options (``"-w -cl-mad-enable"``) is taken apart."""
    yield from split_text(word) if word.startswith("-") and " " in word else [word]


def _next(words: list[str], position: int, flag: str) -> tuple[str, int]:
    value = _unquoted(words[position]) if position < len(words) else ""
    if not value.strip() or (value.startswith("-") and not flag.startswith("-Xs")):
        msg = f"{flag} has no value"
        raise OptionError(
            msg, remedy=f"write {flag}NAME=VALUE" if flag == "-D" else f"write a value after {flag}", option=flag
        )
    return value, position + 1


def _whole(flag: str, value: str, words: list[str], position: int) -> tuple[str, int]:
    """Join words that a blank inside a table or a folder's name has torn off."""
    if _LONG.get(flag, flag) == "-D":
        return _balanced(value, words, position)
    if _LONG.get(flag, flag) == "-I":
        return _folder(_unquoted(value), words, position)
    return value, position


def _balanced(value: str, words: list[str], position: int) -> tuple[str, int]:
    text, end = value, position
    while _depth(text) > 0 and end < len(words) and not _DEFINITION.match(words[end]):
        text, end = f"{text} {words[end]}", end + 1
    return (text, end) if _depth(text) == 0 else (value, position)


def _depth(text: str) -> int:
    bare = re.sub(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'', "", text)
    return sum(bare.count(char) for char in _OPEN) - sum(bare.count(char) for char in _CLOSE)


def _folder(value: str, words: list[str], position: int) -> tuple[str, int]:
    if is_folder(value):
        return value, position
    text = value
    for end in range(position, len(words)):
        if words[end].startswith("-"):
            break
        text = f"{text} {words[end]}"
        if is_folder(text):
            return text, end + 1
    return value, position


def is_folder(text: str) -> bool:
    """Whether a folder of that name is there; a name that no file system takes (too long) is none.

    Examples
    --------
    >>> is_folder("/"), is_folder("x" * 9999)
    (True, False)
    """
    try:
        return Path(text).is_dir()
    except OSError:
        return False
