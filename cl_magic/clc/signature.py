"""What the front end knows of a kernel: its parameters, attributes, builtins and guards. Values only.

Sources: OpenCL C 1.2, 6.7 (attributes), 6.5 (address space qualifiers), 6.6 (access qualifiers);
clGetKernelArgInfo (OpenCL 1.2, 5.7.3) for the same facts from a device.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

AddressQualifier = Literal["global", "constant", "local", "private"]
AccessQualifier = Literal["none", "read_only", "write_only", "read_write"]
Origin = Literal["front end", "device"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One kernel parameter.

    Attributes
    ----------
    index : int
        Position, from 0.
    name : str
        As written; ``arg0``, ``arg1``, … where neither the front end nor the device names it.
    type_name : str
        Type without qualifiers, typedefs resolved, in OpenCL C's words: ``float*``, ``uint``, ``float4*``,
        ``image2d_t``.
    address, access : str
        The qualifiers, in the words of clGetKernelArgInfo, lower case.
    qualifiers : tuple of str
        Of ``const``, ``restrict``, ``volatile``, in this order; for pointers ``const`` and ``volatile`` belong to what
        is pointed to.
    written_type : str
        The declaration's type as the user wrote it (``__global const real *``); equal to `type_name` from a device.
    reads, writes : bool or None
        Whether the kernel reads or writes what the pointer leads to; None where that is not known.
    image_families : tuple of str
        Of ``f``, ``h``, ``i``, ``ui``: the functions (``read_imageui``, ``write_imagef``) that touch an image; empty
        where none does or where that is not known.
    """

    index: int
    name: str
    type_name: str
    address: AddressQualifier = "private"
    access: AccessQualifier = "none"
    qualifiers: tuple[str, ...] = ()
    written_type: str = ""
    reads: bool | None = None
    writes: bool | None = None
    image_families: tuple[str, ...] = ()

    @property
    def is_pointer(self) -> bool:
        """Whether the argument is a memory object or local memory."""
        return self.type_name.endswith("*")

    @property
    def element_type(self) -> str:
        """Type that a pointer leads to, or the type itself: ``float4`` for ``float4*``."""
        return self.type_name.removesuffix("*").strip()

    @property
    def declaration(self) -> str:
        """One line for tables, as a source would write it: ``global const float *src``, ``read_only image2d_t photo``.

        Images are global without the word (OpenCL C 1.2, 6.5.1, C-41).
        """
        unwritten = self.address == "private" or self.access != "none"
        words = ["" if unwritten else self.address, *self.qualifiers_before_type]
        if self.access != "none":
            words.append(self.access)
        star = "*restrict " if self.is_pointer and "restrict" in self.qualifiers else "*" if self.is_pointer else ""
        return " ".join([*filter(None, words), self.element_type, star + self.name])

    @property
    def qualifiers_before_type(self) -> tuple[str, ...]:
        """``const`` and ``volatile``, where they apply."""
        return tuple(q for q in self.qualifiers if q != "restrict")


@dataclass(frozen=True, slots=True)
class Guard:
    """A comparison of a work-item's id with something else: ``if (i < n)`` on dimension 0.

    It is a fact about the text, no proof of safety.
    """

    dimension: int
    line: int
    text: str
    early_return: bool = False


@dataclass(frozen=True, slots=True)
class KernelSignature:
    """One kernel as the front end (or, less fully, the device) describes it.

    Attributes
    ----------
    reqd_work_group_size, work_group_size_hint : tuple of int or None
        Three entries (OpenCL C 1.2, 6.7.2), or None.
    vec_type_hint : str or None
        Type named by the attribute; the default, when None, is ``int``.
    builtins : frozenset of str
        Built-in functions that the kernel or a helper it calls uses; empty and `origin` "device" where not known.
    guards : tuple of Guard
        Conditions on ``get_global_id``.
    return_before_barrier : int or None
        Line of a return that some work-items may take before a barrier; None where there is none.
    line : int
        Source line of the kernel's name, from 1; 0 where not known.
    static_local_bytes : int
        Of the ``local`` variables that the kernel declares, counted from the source: PoCL and Intel report 0 for them.
    """

    name: str
    parameters: tuple[Parameter, ...] = ()
    reqd_work_group_size: tuple[int, int, int] | None = None
    work_group_size_hint: tuple[int, int, int] | None = None
    vec_type_hint: str | None = None
    builtins: frozenset[str] = frozenset()
    guards: tuple[Guard, ...] = ()
    return_before_barrier: int | None = None
    line: int = 0
    doc: str = ""
    origin: Origin = "front end"
    static_local_bytes: int = 0
