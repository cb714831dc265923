"""A listing: the code of a program's kernels in one form, line by line, with source lines and resources. Values."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from cl_magic.build.source_map import SourceMap
from cl_magic.show import Shown

KINDS = ("source", "llvm", "asm", "ptx", "spirv", "binary")
"""Every form that a listing can have; a device gives some of them."""

KIND_WORDS = {
    "source": "OpenCL C",
    "llvm": "LLVM IR",
    "asm": "machine code",
    "ptx": "PTX",
    "spirv": "SPIR-V",
    "binary": "binary",
}

_OWN_TEXT = re.compile(r"tempfile\w*\.cl|input\.cl|\d+|<\w+>|")
"""What PoCL, Oclgrind, Intel and NVIDIA call the text of a program in debug information."""


def header_name(path: str) -> str:
    """File name in debug information as a listing tells it: "" for the program's own text.

    Examples
    --------
    >>> header_name("/tmp/tempfile_kUL0sJ.cl"), header_name("<kernel>"), header_name("/home/user/noise.h")
    ('', '', 'noise.h')
    """
    name = path.replace("\\", "/").rpartition("/")[2]
    return "" if _OWN_TEXT.fullmatch(name) else name


@dataclass(frozen=True, slots=True)
class Extracted:
    """What an engine takes out of a built program.

    Attributes
    ----------
    binary : bytes
        CL_PROGRAM_BINARIES of the one device (OpenCL 1.2, 5.6.7); empty where the driver gives none.
    il : bytes
        CL_PROGRAM_IL; empty where the program was not made from intermediate language.
    text : str
        What the compiler got, with what was put in front of the source.
    prelude_lines : int
        Lines of `text` in front of the user's first one.
    options : str
        The option string that the driver got.
    """

    binary: bytes
    il: bytes = b""
    text: str = ""
    prelude_lines: int = 0
    options: str = ""


@dataclass(frozen=True, slots=True)
class CodeLine:
    """One line of a listing.

    Attributes
    ----------
    text : str
        Without line end.
    line : int
        Source line as the user's editor numbers it; 0 where it is not known, or the compiler made the code up.
    file : str
        Name of a header, "" for the user's own source.
    address : int or None
        Of an instruction of machine code, bytes from the begin of its function.
    """

    text: str
    line: int = 0
    file: str = ""
    address: int | None = None


@dataclass(frozen=True, slots=True)
class Resources:
    """What the code of one kernel takes, counted in its text or told by the compiler; None where neither says.

    Attributes
    ----------
    instructions : int or None
    vector_bits : int or None
        Width of the widest vector operation; 0 where all are scalar.
    private_bytes : int or None
        Memory of a work-item for arrays and what else is kept in memory (OpenCL 1.2, 6.5.4).
    stack_bytes : int or None
        Stack frame of machine code; one frame may serve many work-items.
    local_bytes : int or None
        Local memory that the kernel itself declares, bytes a work-group.
    registers : int or None
        Registers of a work-item, where the compiler reports them.
    spilled_bytes : int or None
        Registers kept in memory, where the compiler reports them.
    calls : tuple of str
        Functions that are still called, in order of their first call.
    """

    instructions: int | None = None
    vector_bits: int | None = None
    private_bytes: int | None = None
    stack_bytes: int | None = None
    local_bytes: int | None = None
    registers: int | None = None
    spilled_bytes: int | None = None
    calls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FunctionCode:
    """The code of one function: a kernel, or what a kernel calls.

    Attributes
    ----------
    name : str
        Of the kernel in the source; of another function, as the form writes it.
    symbol : str
        Name in the container (``_pocl_kernel_saxpy_workgroup_fast``).
    kernel : bool
    lines : tuple of CodeLine
    resources : Resources
    """

    name: str
    symbol: str
    kernel: bool
    lines: tuple[CodeLine, ...]
    resources: Resources = Resources()

    def __repr__(self) -> str:
        return f"<code of {self.name}: {len(self.lines)} lines>"

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(line.text for line in self.lines)

    @property
    def has_lines(self) -> bool:
        """Whether debug information tells a source line of any of its lines."""
        return any(line.line for line in self.lines)


@dataclass(frozen=True, slots=True)
class Listing(Shown):
    """The code of a program in one form.

    Attributes
    ----------
    kind : str
        One of :data:`KINDS`.
    device : str
        Short name of the device.
    functions : tuple of FunctionCode
        Kernels first, in the order of the source.
    source : str
        The user's text.
    source_map : SourceMap
        Where that text stands.
    whole : str
        The form as one text (a module, a PTX file); "" where the functions are all there is.
    data : bytes
        The bytes that it was read from.
    notes : tuple of str
        What was done and what is missing, one sentence each.

    Examples
    --------
    >>> code = FunctionCode("f", "f", True, (CodeLine("ret void", 2),), Resources(instructions=1))
    >>> listing = Listing("llvm", "PoCL cpu", (code,))
    >>> listing["f"].lines[0].line, listing.text
    (2, 'ret void')
    """

    kind: str
    device: str
    functions: tuple[FunctionCode, ...] = ()
    source: str = ""
    source_map: SourceMap = field(default_factory=SourceMap)
    whole: str = ""
    data: bytes = b""
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All of it as one text."""
        return self.whole or "\n\n".join(function.text for function in self.functions)

    @property
    def kernels(self) -> tuple[FunctionCode, ...]:
        """The functions that are kernels of the source."""
        return tuple(function for function in self.functions if function.kernel)

    @property
    def resources(self) -> dict[str, Resources]:
        """Resources by kernel."""
        return {function.name: function.resources for function in self.kernels}

    @property
    def has_lines(self) -> bool:
        """Whether any line has a source line."""
        return any(function.has_lines for function in self.functions)

    def __repr__(self) -> str:
        names = ", ".join(kernel.name for kernel in self.kernels)
        size = f"{len(self.data)} bytes" if self.data else f"{self.text.count(chr(10)) + 1} lines"
        return f"<{KIND_WORDS[self.kind]} of {self.source_map.name} on {self.device}: {names or size}>"

    def __getitem__(self, name: str) -> FunctionCode:
        """The code of a function, by name or symbol; KeyError where there is none."""
        for function in self.functions:
            if name in (function.name, function.symbol):
                return function
        raise KeyError(name)

    def source_line(self, number: int) -> str:
        r"""Text of a source line, by the user's number; "" where the source has no such line.

        Examples
        --------
        >>> Listing("llvm", "", source="a\nb", source_map=SourceMap(first_line=2)).source_line(3)
        'b'
        """
        lines = self.source.split("\n")
        index = number - self.source_map.first_line
        return lines[index] if 0 <= index < len(lines) else ""
