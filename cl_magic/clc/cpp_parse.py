"""A text read as C++ for OpenCL, in which kernels may be templates because they do not look like kernels.

clang refuses templates and overloads that are kernels (C++ for OpenCL 2021, 1.2 of its differences to C++17). So the
word ``kernel`` and the attributes that only kernels take are blanked, at unchanged offsets, before it reads the text.
"""

from __future__ import annotations

import ctypes
import re
from dataclasses import replace
from typing import Any

from cl_magic.clc.analysis import AnalysisRequest
from cl_magic.clc.lexemes import Words
from cl_magic.clc.libclang import Libclang
from cl_magic.clc.libclang_arguments import SOURCE_PATH

KERNEL_WORDS = frozenset({"kernel", "__kernel"})
_KERNEL_ATTRIBUTE = re.compile(r"reqd_work_group_size|work_group_size_hint|vec_type_hint|intel_reqd_sub_group_size")
_OTHER_CHARACTERS = re.compile(r"[^\x00-\x7f]")

# `restrict` is no word of C++, and headers choose by these macros what a C compiler may see.
_AS_OPENCL_C = ("-Drestrict=__restrict", "-U__cplusplus", "-U__OPENCL_CPP_VERSION__", "-D__OPENCL_C_VERSION__=120")
FUNCTION_POINTERS = "#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable\n"


def probing(text: str) -> str:
    """A text in which no function is a kernel and every character is one byte; offsets stay.

    Examples
    --------
    >>> probing("__kernel void f(); // é")
    '         void f(); // ?'
    """
    words = Words(text)
    parts: list[str] = []
    at = 0
    for lexeme in words.all:
        end = _blanked_end(words, lexeme.text, lexeme.start, lexeme.end)
        if end and lexeme.start >= at:
            parts += (text[at : lexeme.start], re.sub(r"[^\n]", " ", text[lexeme.start : end]))
            at = end
    return _OTHER_CHARACTERS.sub("?", "".join((*parts, text[at:])))


def _blanked_end(words: Words, word: str, start: int, end: int) -> int:
    """End of what is blanked from a lexeme on, 0 for nothing."""
    if word in KERNEL_WORDS:
        return end
    if word in {"__attribute__", "__attribute"}:
        closing = words.closing(end)
        return closing if _KERNEL_ATTRIBUTE.search(words.text, start, max(closing, start)) else 0
    return 0


def parse_cpp(clang: Libclang, request: AnalysisRequest, text: str) -> Any:  # noqa: ANN401 - an untyped module
    """Parse a text, as :func:`probing` gives it, with a request's options and headers.

    Raises
    ------
    clang.cindex.TranslationUnitLoadError
        When libclang gave up.
    """
    options = [option for option in request.options if not option.startswith("-cl-std=")]
    given = replace(request, source=text, options=(*options, *_AS_OPENCL_C), language_version="CLC++2021")
    return clang.parse(given, language="clcpp")


def offset_of(clang: Libclang, cursor: Any) -> int:  # noqa: ANN401
    """Offset of a cursor's name; inside a macro's argument where it is written there. -1 outside the text itself."""
    file, line, column, offset = ctypes.c_void_p(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
    where = cursor.location
    if where.file is None or where.file.name != SOURCE_PATH:
        return -1
    clang.file_location(where, (file, line, column, offset))
    return offset.value
