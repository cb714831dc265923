"""Templates and overloads by registered name: what is asked of the front end, and what it answers. Values.

OpenCL C has neither; C++ for OpenCL has both but no kernel templates. So they become plain OpenCL C by text, on every
device (names as in SYCL's ``registered_names``, sycl_ext_oneapi_kernel_compiler).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from cl_magic.clc.analysis import AnalysisRequest
from cl_magic.clc.diagnostic import Diagnostic
from cl_magic.clc.lexemes import lexemes
from cl_magic.clc.text_map import TextMap

INSTANTIATE = b"i"
"""First byte of a request of this kind to the front end's process."""

_PLAIN_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_TEMPLATE = re.compile(r"\btemplate\s*<")


@dataclass(frozen=True, slots=True)
class InstantiationRequest:
    """What the front end's process is asked.

    Attributes
    ----------
    text : AnalysisRequest
        Source, options, folders, headers.
    names : tuple of str
        Registered names, as the user writes them.
    keep_helpers : bool
        Whether the device takes C++ for OpenCL: then kernels alone are instantiated, and the rest stays as it is.
    """

    text: AnalysisRequest
    names: tuple[str, ...]
    keep_helpers: bool = False


@dataclass(frozen=True, slots=True)
class Instantiation:
    """A source with its templates and overloads turned into plain functions.

    Attributes
    ----------
    available : bool
        False when the front end could not be asked; `reason` says why.
    reason : str
    source : str
        Plain OpenCL C; "" when there are refusals.
    kernels : tuple of (str, str)
        Registered name, exactly as given, and the name of its kernel in `source`.
    line_map : TextMap
        From places in `source` to places in the text that was given.
    refusals : tuple of Diagnostic
        Why there is no `source`: names that mean no kernel, constructs outside the subset.
    problems : tuple of Diagnostic
        What C++ finds wrong inside templates and their instances; the device's compiler has the last word.
    idle : tuple of str
        Kernel templates that no name instantiates.
    """

    available: bool = True
    reason: str = ""
    source: str = ""
    kernels: tuple[tuple[str, str], ...] = ()
    line_map: TextMap = field(default_factory=TextMap)
    refusals: tuple[Diagnostic, ...] = ()
    problems: tuple[Diagnostic, ...] = ()
    idle: tuple[str, ...] = ()

    def raw_name(self, registered: str) -> str:
        """The kernel's name in `source` for a registered name; KeyError for others.

        Examples
        --------
        >>> Instantiation(kernels=(("f<float>", "f__float"),)).raw_name("f<float>")
        'f__float'
        """
        return dict(self.kernels)[registered]


def needs_instantiation(source: str, names: Iterable[str] = ()) -> bool:
    """Whether a text has templates, or a name is more than an identifier.

    Examples
    --------
    >>> needs_instantiation("kernel void f(global int *x) {}"), needs_instantiation("", ["f<float>"])
    (False, True)
    >>> needs_instantiation("// template<class T>"), needs_instantiation("template <class T> T sq(T x);")
    (False, True)
    """
    if not all(_PLAIN_NAME.fullmatch(name) for name in names):
        return True
    if not _TEMPLATE.search(source):  # most texts are not read any further
        return False
    found = [lexeme for lexeme in lexemes(source) if lexeme.kind != "comment"]
    if any(lexeme.kind == "directive" and _TEMPLATE.search(lexeme.text) for lexeme in found):
        return True
    return any(first.text == "template" and second.text == "<" for first, second in itertools.pairwise(found))
