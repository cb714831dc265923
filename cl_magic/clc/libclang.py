"""The part of libclang that the front end uses, behind one class; only the front end's own process makes one.

``clang.cindex`` lacks a few functions that libclang 18 exports; they are declared here by hand.
"""

from __future__ import annotations

import ctypes
from typing import Any

from cl_magic.clc.analysis import AnalysisRequest
from cl_magic.clc.base_header import HEADER_NAME, base_header
from cl_magic.clc.include_aliases import include_aliases
from cl_magic.clc.libclang_arguments import BASE_DIR, HEADER_DIR, SOURCE_PATH, libclang_arguments
from cl_magic.clc.libclang_location import LibclangLocation, load_cindex

BASE_HEADER_PATH = f"{BASE_DIR}/{HEADER_NAME}"

_TERSE_OUTPUT = 17
"""CXPrintingPolicy_TerseOutput: a function without its body."""

_DETAILED = 1
"""CXTranslationUnit_DetailedPreprocessingRecord."""

_EVALUATED_INTEGER = 1
"""CXEval_Int."""

# CXUnaryOperatorKind and CXBinaryOperatorKind of libclang 18 (clang-c/Index.h).
UNARY = {1: "x++", 2: "x--", 3: "++x", 4: "--x", 5: "&", 6: "*", 7: "+", 8: "-", 9: "~", 10: "!"}
BINARY_ASSIGN = 22
BINARY_LESS = frozenset({11, 13})
BINARY_GREATER = frozenset({12, 14})
BINARY_AND = frozenset({17, 20})
"""``&`` and ``&&``: on truth values they say the same."""
BINARY_OR = frozenset({19, 21})


class Libclang:
    """libclang, loaded, with one index.

    Parameters
    ----------
    location : LibclangLocation
        Of a library that exists.
    """

    def __init__(self, location: LibclangLocation) -> None:
        cindex = load_cindex(location)
        self.cindex: Any = cindex
        self._lib: Any = cindex.conf.lib
        self._declare()
        self._index: Any = cindex.Index.create()
        self._names: dict[int, str] = {kind.value: kind.name for kind in cindex.CursorKind.get_all_kinds()}
        self._base_header = base_header().encode()

    def _declare(self) -> None:
        lib, cursor = self._lib, self.cindex.Cursor
        lib.clang_getCursorPrettyPrinted.argtypes = [cursor, ctypes.c_void_p]
        lib.clang_getCursorPrettyPrinted.restype = self.cindex._CXString  # noqa: SLF001 - cindex names it for no one else
        lib.clang_getCursorPrettyPrinted.errcheck = self.cindex._CXString.from_result  # noqa: SLF001
        lib.clang_getCursorPrintingPolicy.argtypes = [cursor]
        lib.clang_getCursorPrintingPolicy.restype = ctypes.c_void_p
        lib.clang_PrintingPolicy_setProperty.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_uint]
        lib.clang_PrintingPolicy_dispose.argtypes = [ctypes.c_void_p]
        lib.clang_Cursor_Evaluate.argtypes = [cursor]
        lib.clang_Cursor_Evaluate.restype = ctypes.c_void_p
        for function in (lib.clang_EvalResult_getKind, lib.clang_EvalResult_getAsInt):
            function.argtypes = [ctypes.c_void_p]
            function.restype = ctypes.c_int
        lib.clang_EvalResult_dispose.argtypes = [ctypes.c_void_p]
        for function in (lib.clang_getCursorBinaryOperatorKind, lib.clang_getCursorUnaryOperatorKind):
            function.argtypes = [cursor]
            function.restype = ctypes.c_int

    def parse(self, request: AnalysisRequest, *, language: str = "cl", detailed: bool = False) -> Any:  # noqa: ANN401 - a TranslationUnit of an untyped module
        """Parse a request's text with its headers, as OpenCL C (``cl``) or as C++ for OpenCL (``clcpp``).

        With `detailed` macros are cursors too.

        Raises
        ------
        clang.cindex.TranslationUnitLoadError
            When libclang gave up (its parser crashed, or an argument was refused).
        """
        arguments = self.arguments(request, language)
        return self._index.parse(SOURCE_PATH, arguments, self.files(request), _DETAILED if detailed else 0)

    def arguments(self, request: AnalysisRequest, language: str) -> list[str]:
        """Command line for a request."""
        return libclang_arguments(request, language=language)

    def files(self, request: AnalysisRequest) -> list[tuple[str, bytes]]:
        """The files of a request that libclang gets by value: text, base header, virtual headers."""
        headers = {**dict(request.headers), **include_aliases(request.source, request.headers)}
        return [
            (SOURCE_PATH, request.source.encode("utf-8", "replace")),
            (BASE_HEADER_PATH, self._base_header),
            *((f"{HEADER_DIR}/{name}", text.encode("utf-8", "replace")) for name, text in headers.items()),
        ]

    def file_location(self, location: Any, places: tuple[Any, Any, Any, Any]) -> None:  # noqa: ANN401
        """Write file, line, column and offset of a location; of a macro's argument, where that is written."""
        self._lib.clang_getFileLocation(location, *map(ctypes.byref, places))

    def specialized_template(self, cursor: Any) -> Any | None:  # noqa: ANN401
        """The template that a function is an instance or specialisation of, None for others."""
        return self._lib.clang_getSpecializedCursorTemplate(cursor)

    def kind_name(self, cursor: Any) -> str:  # noqa: ANN401
        """Name that cindex has for a cursor's kind; "" for kinds that it does not know."""
        return self._names.get(cursor._kind_id, "")  # noqa: SLF001 - `kind` raises for new kinds and is slow

    def kind_name_of(self, number: int) -> str:
        """Name that cindex has for the number of a cursor's kind; "" for kinds that it does not know."""
        return self._names.get(number, "")

    def binary_operator(self, cursor: Any) -> int:  # noqa: ANN401
        """CXBinaryOperatorKind of an expression, 0 where it has none."""
        return int(self._lib.clang_getCursorBinaryOperatorKind(cursor))

    def unary_operator(self, cursor: Any) -> str:  # noqa: ANN401
        """Operator of a unary expression as in :data:`UNARY`, "" for others."""
        return UNARY.get(int(self._lib.clang_getCursorUnaryOperatorKind(cursor)), "")

    def integer_value(self, cursor: Any) -> int | None:  # noqa: ANN401
        """Value of a constant integer expression, None for others."""
        result = self._lib.clang_Cursor_Evaluate(cursor)
        if not result:
            return None
        try:
            is_integer = self._lib.clang_EvalResult_getKind(result) == _EVALUATED_INTEGER
            return int(self._lib.clang_EvalResult_getAsInt(result)) if is_integer else None
        finally:
            self._lib.clang_EvalResult_dispose(result)

    def declaration_text(self, cursor: Any) -> str:  # noqa: ANN401
        """A function's declaration as clang prints it: attributes with their values computed, no macros, no body."""
        policy = self._lib.clang_getCursorPrintingPolicy(cursor)
        try:
            self._lib.clang_PrintingPolicy_setProperty(policy, _TERSE_OUTPUT, 1)
            return str(self._lib.clang_getCursorPrettyPrinted(cursor, policy))
        finally:
            self._lib.clang_PrintingPolicy_dispose(policy)
