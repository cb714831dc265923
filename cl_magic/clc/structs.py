"""Layouts of structures and unions as values: where each member begins, how large it is, what it may not hold.

OpenCL C 1.2, 6.1.5 (alignment of types), 6.11.1 (packed and aligned), 6.9.k (what a kernel parameter may not be).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from cl_magic.show import Shown

UNSIZED_TYPES = ("bool", "size_t", "ptrdiff_t", "intptr_t", "uintptr_t")
"""Types whose size is the device's own (OpenCL C 1.2, 6.9.k)."""


@dataclass(frozen=True, slots=True)
class Field:
    """One member.

    Attributes
    ----------
    name : str
        As written; members of an unnamed structure or union inside are named as one writes them, without it.
    type_name : str
        Type of one element, in OpenCL C's words: ``float3`` for ``float3 p[2]``.
    offset_bytes, size_bytes : int
        From the beginning of the structure; size of the whole member.
    shape : tuple of int
        Lengths of an array member, outermost first; () for others.
    layout : Layout or None
        Of a structure or union.
    written_type : str
        Type of one element as the user wrote it: ``size_t``.
    line : int
        From 1; 0 where not known.
    """

    name: str
    type_name: str
    offset_bytes: int
    size_bytes: int
    shape: tuple[int, ...] = ()
    layout: Layout | None = None
    written_type: str = ""
    line: int = 0

    @property
    def count(self) -> int:
        """Elements: 1 where the member is no array."""
        return math.prod(self.shape)

    @property
    def element_bytes(self) -> int:
        """Size of one element."""
        return self.size_bytes // max(self.count, 1)

    @property
    def declaration(self) -> str:
        """As in a table: ``float3 p[2]``."""
        return f"{self.type_name} {self.name}{''.join(f'[{length}]' for length in self.shape)}"


@dataclass(frozen=True, slots=True)
class Layout(Shown):
    """A structure or union as the device's compiler lays it out.

    Attributes
    ----------
    name : str
        As kernel parameters name it: ``struct Particle``, or the name of a typedef.
    kind : {"struct", "union"}
    size_bytes, alignment : int
        ``sizeof``, padding at the end included, and the multiple at which it begins.
    fields : tuple of Field
        In the order of the text.
    aliases : tuple of str
        Further names that typedefs give it.
    line : int
    bit_field : str
        Name of a member that is a bit-field, "" where there is none: bit-fields have no layout (OpenCL C 1.2, 6.9.c).
    bit_field_line : int
    """

    name: str
    kind: Literal["struct", "union"]
    size_bytes: int
    alignment: int
    fields: tuple[Field, ...] = ()
    aliases: tuple[str, ...] = ()
    line: int = 0
    bit_field: str = ""
    bit_field_line: int = 0

    @property
    def short_name(self) -> str:
        """Name without the word before it.

        Examples
        --------
        >>> Layout("struct Particle", "struct", 4, 4).short_name
        'Particle'
        """
        return plain_name(self.name)

    @property
    def padding_bytes(self) -> int:
        """Bytes of a structure that no member covers; 0 for a union."""
        return sum(size for _, size in self.gaps)

    @property
    def gaps(self) -> tuple[tuple[int, int], ...]:
        """Offset and size, in bytes, of each stretch that no member covers.

        Examples
        --------
        >>> pair = Field("c", "char", 0, 1), Field("v", "int", 4, 4)
        >>> Layout("P", "struct", 8, 4, pair).gaps
        ((1, 3),)
        """
        found, end = [], 0
        for field in sorted(self.fields, key=lambda field: field.offset_bytes):
            if field.offset_bytes > end:
                found.append((end, field.offset_bytes - end))
            end = max(end, field.offset_bytes + field.size_bytes)
        return (*found, (end, self.size_bytes - end)) if self.size_bytes > end else tuple(found)


def plain_name(name: str) -> str:
    """A type's name without ``struct``, ``union`` or ``enum`` before it.

    Examples
    --------
    >>> plain_name("struct Particle"), plain_name("Particle")
    ('Particle', 'Particle')
    """
    first, _, rest = name.strip().partition(" ")
    return rest.strip() if first in {"struct", "union", "enum"} and rest else name.strip()


def layout_named(layouts: Iterable[Layout], name: str) -> Layout | None:
    """Layout of a type by its tag or by the name of a typedef, with or without ``struct``; None where there is none.

    Examples
    --------
    >>> known = (Layout("struct P", "struct", 4, 4, aliases=("particle",)),)
    >>> layout_named(known, "P") is layout_named(known, "particle") is known[0]
    True
    """
    wanted = plain_name(name)
    found = None
    for layout in layouts:
        if layout.name == name.strip():
            return layout
        if found is None and (layout.short_name == wanted or wanted in layout.aliases):
            found = layout
    return found


def members(layout: Layout, prefix: str = "") -> Iterator[tuple[str, Field]]:
    """Every member with its path, those of nested structures after their holder.

    Examples
    --------
    >>> inner = Layout("I", "struct", 4, 4, (Field("x", "int", 0, 4),))
    >>> [path for path, _ in members(Layout("O", "struct", 4, 4, (Field("i", "I", 0, 4, layout=inner),)))]
    ['i', 'i.x']
    """
    for field in layout.fields:
        path = f"{prefix}{field.name}"
        yield path, field
        if field.layout is not None:
            yield from members(field.layout, f"{path}.")


def pointer_member(layout: Layout) -> tuple[str, Field] | None:
    """First member that is a pointer, or another object of OpenCL, with its path; None where there is none.

    Examples
    --------
    >>> node = Layout("Node", "struct", 8, 8, (Field("next", "struct Node*", 0, 8),))
    >>> pointer_member(node)[0]
    'next'
    """
    return next(((path, field) for path, field in members(layout) if is_object(field.type_name)), None)


def is_object(type_name: str) -> bool:
    """Whether a type is a pointer, image, sampler, event or the like, whose bytes mean nothing outside its device.

    Examples
    --------
    >>> is_object("float*"), is_object("image2d_t"), is_object("float4")
    (True, True, False)
    """
    objects = ("image", "sampler_t", "event_t", "queue_t", "pipe", "clk_event_t", "reserve_id_t")
    return type_name.endswith("*") or type_name.startswith(objects)


def value_fault(layout: Layout) -> str:
    """Why no kernel parameter may have this type by value, one phrase; "" where it may (OpenCL C 1.2, 6.9.k and p).

    Examples
    --------
    >>> value_fault(Layout("S", "struct", 8, 8, (Field("n", "ulong", 0, 8, written_type="size_t"),)))
    'its member n is a size_t, whose size is the device’s own (OpenCL C 1.2, 6.9.k): write ulong'
    """
    if layout.bit_field:
        return bit_field_fault(layout)
    for path, field in members(layout):
        if is_object(field.type_name):
            return f"its member {path} is a {field.type_name}, which no structure may pass (OpenCL C 1.2, 6.9.p)"
        if field.written_type in UNSIZED_TYPES:
            instead = "uchar or int" if field.type_name == "bool" else field.type_name
            return (
                f"its member {path} is a {field.written_type}, whose size is the device’s own (OpenCL C 1.2, 6.9.k): "
                f"write {instead}"
            )
    return ""


def bit_field_fault(layout: Layout) -> str:
    """Why a structure with a bit-field has no layout, one phrase with its line.

    Examples
    --------
    >>> bit_field_fault(Layout("S", "struct", 4, 4, bit_field="a", bit_field_line=3))
    'its member a (line 3) is a bit-field, which OpenCL C has not (1.2, 6.9.c): use masks and shifts on a uint'
    """
    where = f" (line {layout.bit_field_line})" if layout.bit_field_line else ""
    return (
        f"its member {layout.bit_field}{where} is a bit-field, which OpenCL C has not (1.2, 6.9.c): "
        "use masks and shifts on a uint"
    )
