"""How a driver gets the options: what it would split, refuse or crash on goes by text, by a link, or not at all.

Measured: PoCL and Intel refuse a blank inside an option, Oclgrind's process dies of it, and PoCL loses quotes. PoCL and
NVIDIA refuse ``-Wall``; Oclgrind refuses ``-g`` and takes no notice of ``-Werror``.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cl_magic.build.options import Define, Options, split_define
from cl_magic.errors import OptionError

_PLAIN_VALUE = re.compile(r"[\w.+-]*", re.ASCII)
_PLAIN_FOLDER = re.compile(r"[\w.+\-/:@%,=~]+", re.ASCII)
_NEEDS_ARG_INFO = ("pocl", "nvidia", "clang")
_REFUSES_WARNINGS = ("pocl", "nvidia")
_REFUSES_REMARKS = ("pocl", "nvidia", "intel")
_LINK = "clm-include-"


@dataclass(frozen=True, slots=True)
class HandOver:
    r"""What one driver is to get.

    Attributes
    ----------
    prelude : str
        Whole lines to put in front of the source, "" for none.
    options : tuple of str
        Words without blanks and quotes, but for ``-I``.
    include_dirs : tuple of str
        Folders as the user named them; :func:`include_options` makes words of them.
    notes : tuple of str
        What was done differently from what was typed, one sentence each.
    """

    prelude: str = ""
    options: tuple[str, ...] = ()
    include_dirs: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def prelude_lines(self) -> int:
        """Lines that the compiler counts in front of the user's first one."""
        return self.prelude.count("\n")


def hand_over(options: Options, family: str) -> HandOver:
    r"""Decide how the driver of a compiler family gets the options.

    If one definition needs text, all go by text, so that their order stays: a later one wins (R-63).

    Parameters
    ----------
    options : Options
    family : str
        ``DeviceInfo.family``.

    Examples
    --------
    >>> from cl_magic.build.options import parse_options
    >>> given = hand_over(parse_options("-D TBL={4, 5} -DN=4 -Wall"), "pocl")
    >>> given.options, given.prelude
    (('-cl-kernel-arg-info',), '#define TBL {4, 5}\n#define N 4\n')
    >>> hand_over(parse_options("-DN=4"), "oclgrind").options
    ('-DN=4',)
    """
    macros = [item for item in options.options if item.startswith(("-D", "-U"))]
    rest = [item for item in options.options if item not in macros]
    kept, notes = _taken(rest, family)
    if family in _NEEDS_ARG_INFO and "-cl-kernel-arg-info" not in kept:
        kept.append("-cl-kernel-arg-info")  # without it PoCL and NVIDIA know no argument
    lasting = _lasting(macros)
    notes += _twice(macros)
    awkward = [item for item in lasting if not _is_plain(item)]
    if awkward:
        notes.append(f"definitions are handed over as #define lines: a driver would misread {' and '.join(awkward)}")
        prelude, words = "".join(_line(item) for item in lasting), []
    else:
        prelude, words = "", lasting
    blank = [folder for folder in options.include_dirs if not _PLAIN_FOLDER.fullmatch(folder)]
    notes += [f"the include folder {folder!r} is handed over through a link without blanks" for folder in blank]
    return HandOver(prelude, (*words, *kept), options.include_dirs, tuple(notes))


def define_line(define: Define) -> str:
    r"""The ``#define`` line of a definition (without value: 1, as OpenCL 1.2, 5.6.4.1, says).

    Examples
    --------
    >>> define_line(("F(a)", "a*2")), define_line(("X", None))
    ('#define F(a) a*2\n', '#define X 1\n')
    """
    name, value = define
    return f"#define {name} {'1' if value is None else value}".rstrip(" ") + "\n"


def include_options(folders: Iterable[str], link_root: Path) -> tuple[str, ...]:
    """Words ``-I…`` for a driver; a folder whose name holds a blank gets a link under `link_root`.

    Call it where the compiler runs. Links are named by what they point to, so that calling it again makes none twice.

    Parameters
    ----------
    folders : iterable of str
        Absolute folders.
    link_root : Path
        Folder of this process alone, its own name without blanks; made when a link is needed.

    Raises
    ------
    OptionError
        When no link can be made.

    Examples
    --------
    >>> include_options(["/usr/include"], Path("/tmp"))
    ('-I/usr/include',)
    """
    return tuple(f"-I{folder if _PLAIN_FOLDER.fullmatch(folder) else _link(folder, link_root)}" for folder in folders)


def named_as_typed(log: str, link_root: Path) -> str:
    """Put the folders' own names back into a log that names links.

    Examples
    --------
    >>> named_as_typed("error: k.h:1:1: no", Path("/nowhere"))
    'error: k.h:1:1: no'
    """
    if str(link_root) not in log:
        return log
    for link in link_root.glob(f"{_LINK}*"):
        log = log.replace(str(link), str(link.readlink()))
    return log


def _link(folder: str, link_root: Path) -> Path:
    link = link_root / (_LINK + hashlib.sha256(os.fsencode(folder)).hexdigest()[:16])
    try:
        if not _PLAIN_FOLDER.fullmatch(str(link)):
            _no_link(folder, f"{link_root} itself holds a blank")
        link_root.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not link.is_symlink():
            link.symlink_to(folder, target_is_directory=True)
    except FileExistsError:  # another thread was faster: the same name is the same folder
        pass
    except OSError as error:
        _no_link(folder, str(error))
    return link


def _no_link(folder: str, why: str) -> None:
    msg = (
        f"drivers cannot take the include folder {folder!r} with a blank in its name, and no link could be made: {why}"
    )
    raise OptionError(msg, remedy="move the headers to a folder without blanks", option=f"-I{folder}", folder=folder)


def _taken(items: list[str], family: str) -> tuple[list[str], list[str]]:
    """The options that this family's driver takes, and a note for each that it does not."""
    kept: list[str] = []
    notes: list[str] = []
    for item in items:
        why = _not_taken(item, family)
        if why:
            notes.append(f"{item} is not handed to the driver: {why}")
        else:
            kept.append(item)
    if family == "oclgrind" and "-Werror" in kept:
        notes.append("Oclgrind's compiler takes no notice of -Werror: cl_magic fails the build where it warns")
    return kept, notes


def _not_taken(item: str, family: str) -> str:
    if item.startswith("-W") and item != "-Werror" and family in _REFUSES_WARNINGS:
        return "it refuses warning options; the front end applies it"
    if item.startswith("-R") and family in _REFUSES_REMARKS:
        return "it refuses remark options; the front end applies it"
    if item == "-cl-strict-aliasing":
        return "it has no effect since OpenCL 1.1, and Intel refuses it"
    if item == "-g" and family == "oclgrind":
        return "Oclgrind always knows the lines, and refuses it"
    return ""


def _macro_name(item: str) -> str:
    return split_define(item[2:])[0].partition("(")[0]


def _lasting(macros: list[str]) -> list[str]:
    """The last word on each name, in order: a name defined twice would only bring a warning about it."""
    last = {_macro_name(item): position for position, item in enumerate(macros)}
    return [item for position, item in enumerate(macros) if last[_macro_name(item)] == position]


def _twice(macros: list[str]) -> list[str]:
    lasting = {_macro_name(item): item for item in macros}
    lost = {_macro_name(item) for item in macros if item != lasting[_macro_name(item)]}
    return [f"{name} is defined more than once; the last one counts: {lasting[name]}" for name in sorted(lost)]


def _is_plain(item: str) -> bool:
    name, value = split_define(item[2:])
    plain_name = re.fullmatch(r"\w+", name, re.ASCII) is not None
    return item.startswith("-D") and plain_name and _PLAIN_VALUE.fullmatch(value or "") is not None


def _line(item: str) -> str:
    return define_line(split_define(item[2:])) if item.startswith("-D") else f"#undef {item[2:].strip()}\n"
