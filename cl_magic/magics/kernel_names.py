"""Kernel names read from a text that no compiler took: the identity of a cell whose build failed."""

from __future__ import annotations

import re

_NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|^[ \t]*#(?:\\\n|[^\n])*', re.DOTALL | re.MULTILINE)
_ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)")
_KERNEL = re.compile(r"\b(?:__)?kernel\b([^;{}()]*)\(")


def kernel_names(source: str) -> tuple[str, ...]:
    """Return the names of the kernels that `source` seems to define, in order (OpenCL C 1.2, 6.7).

    Parameters
    ----------
    source : str
        OpenCL C text, which need not be correct.

    Examples
    --------
    >>> kernel_names("__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void blur(global int *x) { oops }")
    ('blur',)
    """
    text = _ATTRIBUTE.sub(" ", _NOISE.sub(" ", source))
    heads = (re.findall(r"\w+", match[1]) for match in _KERNEL.finditer(text))
    return tuple(dict.fromkeys(words[-1] for words in heads if words))
