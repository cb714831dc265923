"""Errors of names that a program does not have, with those it has and the nearest."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from cl_magic.build.result import BuildResult
from cl_magic.clc.types import type_of
from cl_magic.errors import ArgumentError, KernelNotFoundError


def no_kernel(name: str, names: Sequence[str]) -> KernelNotFoundError:
    """The error of a name that no kernel has; `names` are those that can be asked for.

    Examples
    --------
    >>> no_kernel("blr", ["blur", "sum"]).remedy
    "did you mean 'blur'?"
    """
    near = difflib.get_close_matches(name, names, 1)
    known = ", ".join(names) or "none"
    remedy = f"did you mean {near[0]!r}?" if near else f"kernels: {known}"
    message = f"the program has no kernel {name!r}; it has {known}"
    return KernelNotFoundError(message, remedy=remedy, name=name, kernels=tuple(names))


def no_type(name: str, result: BuildResult) -> ArgumentError:
    """The error of a name that no structure or union of the source has.

    Examples
    --------
    >>> from cl_magic.build.spec import ProgramSpec
    >>> no_type("P", BuildResult(True, ProgramSpec(""))).known
    ()
    """
    known = tuple(layout.short_name for layout in result.layouts)
    near = difflib.get_close_matches(name, known, 1)
    reason = next((note for note in result.notes if "front end" in note), "")
    remedy = f"did you mean {near[0]!r}?" if near else reason or "define it in the source, or in a header of it"
    if type_of(name) is not None:
        remedy = f"its dtype is that of NumPy: clm.types[{name!r}].dtype"
    elif re.search(rf"\benum\s+{re.escape(name.removeprefix('enum '))}\b", result.spec.source):
        remedy = "an enum is an int to the host: numpy.int32"
    message = f"the front end sees no struct or union {name!r}; it sees {', '.join(known) or 'none'}"
    return ArgumentError(message, remedy=remedy, value=name, known=known)
