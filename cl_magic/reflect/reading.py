"""What is asked of the reader's process, and what it answers. Values that travel as JSON."""

from __future__ import annotations

from dataclasses import dataclass

from cl_magic.reflect.listing import FunctionCode


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """A binary to be read; its bytes follow the request.

    Attributes
    ----------
    kind : {"llvm", "asm"}
    kernels : tuple of str
        Names of the kernels, in the order of the source.
    local_size : str
        ``16-1-1``: PoCL's code for that local size, where it has one.
    """

    kind: str
    kernels: tuple[str, ...]
    local_size: str = ""


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """What was read, or why nothing was.

    Attributes
    ----------
    functions : tuple of FunctionCode
        Their lines are the compiler's.
    whole : str
        The module as text.
    notes : tuple of str
    missing : str
        Package that is not installed.
    failure : str
        What went wrong, in words.
    """

    functions: tuple[FunctionCode, ...] = ()
    whole: str = ""
    notes: tuple[str, ...] = ()
    missing: str = ""
    failure: str = ""
