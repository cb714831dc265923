"""NumPy dtypes of structure layouts, and the comparison of a dtype with a layout member by member.

A vector member is a subarray of its components (one of three has three, and the room of four), an array of vectors of
three has four a vector; a union's members overlap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from cl_magic.clc.structs import Field, Layout, is_object
from cl_magic.clc.types import CType, type_of

Verdict = Literal["same", "moved", "other", "missing", "unknown"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One member of a layout beside that of a dtype.

    Attributes
    ----------
    path : str
        ``pos``, ``head.id``.
    wanted, given : str
        Type and offset in bytes, ``float32 (3,) at 16``; "" where there is none.
    verdict : {"same", "moved", "other", "missing", "unknown"}
        "moved": the same type elsewhere or in the other byte order; "other": another type; "missing": not in the
        dtype; "unknown": not in the structure.
    """

    path: str
    wanted: str
    given: str
    verdict: Verdict


def dtype_of(layout: Layout) -> np.dtype[Any]:
    """Structured dtype with the layout's offsets and its size.

    Parameters
    ----------
    layout : Layout
        Pointers in it become 64-bit numbers.

    Raises
    ------
    ValueError
        A member has a type without a NumPy counterpart.

    Examples
    --------
    >>> pair = Field("c", "char", 0, 1), Field("p", "float3", 16, 16)
    >>> dtype_of(Layout("S", "struct", 32, 16, pair)).fields["p"]
    (dtype(('<f4', (3,))), 16)
    """
    if layout.bit_field or not layout.fields:
        msg = f"{layout.short_name} has no members that NumPy could name"
        raise ValueError(msg)
    return np.dtype(
        {
            "names": [field.name for field in layout.fields],
            "formats": [_member(field) for field in layout.fields],
            "offsets": [field.offset_bytes for field in layout.fields],
            "itemsize": layout.size_bytes,
        }
    )


def _member(field: Field) -> np.dtype[Any]:
    if field.layout is not None:
        return _arrayed(dtype_of(field.layout), field.shape)
    dtype, shape = _numbers(field)
    return _arrayed(dtype, shape)


def _numbers(field: Field) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """Element type and shape of a member that is no structure."""
    if is_object(field.type_name):
        return np.dtype(np.uint64), field.shape
    ctype = type_of(field.type_name)
    if ctype is None:
        msg = f"member {field.name} is a {field.type_name}, which NumPy does not know"
        raise ValueError(msg)
    if ctype.width == 1:
        return ctype.dtype, field.shape
    return ctype.dtype, (*field.shape, ctype.slots if field.shape else ctype.width)


def _arrayed(dtype: np.dtype[Any], shape: tuple[int, ...]) -> np.dtype[Any]:
    return np.dtype((dtype, shape)) if shape else dtype


def compared(layout: Layout, dtype: np.dtype[Any], path: str = "") -> tuple[Comparison, ...]:
    """A layout beside a structured dtype, one row a member; members that only the dtype has come last.

    Examples
    --------
    >>> layout = Layout("S", "struct", 8, 4, (Field("c", "char", 0, 1), Field("v", "int", 4, 4)))
    >>> [row.verdict for row in compared(layout, np.dtype([("c", "i1"), ("v", "i4")]))]
    ['same', 'moved']
    """
    rows: list[Comparison] = []
    given: Mapping[str, Any] = dtype.fields or {}
    for field in layout.fields:
        member = given.get(field.name)
        if member is None:
            rows.append(Comparison(f"{path}{field.name}", _placed(_member(field), field.offset_bytes), "", "missing"))
        else:
            rows += _compared(field, member[0], int(member[1]), path)
    known = {field.name for field in layout.fields}
    more = [name for name in dtype.names or () if name not in known]
    rows += [Comparison(f"{path}{name}", "", _placed(given[name][0], int(given[name][1])), "unknown") for name in more]
    return tuple(rows)


def _compared(field: Field, given: np.dtype[Any], offset: int, path: str) -> Iterator[Comparison]:
    name = f"{path}{field.name}"
    wanted_text, given_text = _placed(_member(field), field.offset_bytes), _placed(given, offset)
    if field.layout is None:
        yield Comparison(name, wanted_text, given_text, _verdict(field, given, offset))
        return
    base, shape = given.subdtype or (given, ())
    if base.names is None or shape != field.shape:
        yield Comparison(name, wanted_text, given_text, "other")
        return
    if offset != field.offset_bytes or (base.itemsize != field.layout.size_bytes and shape):
        yield Comparison(name, wanted_text, given_text, "moved")
    yield from compared(field.layout, base, f"{name}.")


def _verdict(field: Field, given: np.dtype[Any], offset: int) -> Verdict:
    ctype = type_of(field.type_name)
    dtype, shape, stride = _as_components(given, ctype)
    wanted, wanted_shape = _numbers(field)
    if dtype is None or dtype.newbyteorder("=") != wanted:
        return "other"
    if ctype is not None and ctype.width > 1:
        if shape[:-1] != field.shape or not shape or shape[-1] not in {ctype.width, ctype.slots}:
            return "other"
        in_place = not field.shape or stride == ctype.size_bytes
    else:
        in_place = shape == wanted_shape
        if not in_place:
            return "other"
    return "same" if in_place and dtype.isnative and offset == field.offset_bytes else "moved"


def _as_components(given: np.dtype[Any], ctype: CType | None) -> tuple[np.dtype[Any] | None, tuple[int, ...], int]:
    """Component type, shape and bytes of a vector that may be written as a record (x, y, z) or a complex number."""
    base, shape = given.subdtype or (given, ())
    if ctype is None or ctype.width == 1:
        return base, shape, base.itemsize
    if base.names is not None and base.fields is not None:
        parts = [base.fields[name] for name in base.names]
        dtype = parts[0][0]
        in_row = all(part[0] == dtype and part[1] == i * dtype.itemsize for i, part in enumerate(parts))
        return (dtype if in_row else None), (*shape, len(parts)), base.itemsize
    if base.kind == "c":
        return np.dtype(f"{base.byteorder}f{base.itemsize // 2}"), (*shape, 2), base.itemsize
    return base, shape, base.itemsize * (shape[-1] if shape else 1)


def same_layout(layout: Layout, dtype: np.dtype[Any], rows: tuple[Comparison, ...] | None = None) -> bool:
    """Whether the bytes of a dtype are those of the structure, name by name.

    Examples
    --------
    >>> layout = Layout("S", "struct", 8, 4, (Field("c", "char", 0, 1), Field("v", "int", 4, 4)))
    >>> same_layout(layout, dtype_of(layout)), same_layout(layout, np.dtype([("c", "i1"), ("v", "i4")]))
    (True, False)
    """
    found = compared(layout, dtype) if rows is None else rows
    return dtype.itemsize == layout.size_bytes and all(row.verdict == "same" for row in found)


def convertible(layout: Layout, rows: tuple[Comparison, ...]) -> bool:
    """Whether names and types are the structure's and only places differ, so that members can be copied one by one.

    Examples
    --------
    >>> convertible(Layout("S", "struct", 4, 4), (Comparison("c", "int8 at 0", "int8 at 4", "moved"),))
    True
    """
    return layout.kind == "struct" and all(row.verdict in {"same", "moved"} for row in rows)


def copy_members(layout: Layout, ours: Any, theirs: Any, *, back: bool = False) -> None:  # noqa: ANN401 - record arrays
    """Copy members between records of the layout's own dtype and records of one that is :func:`convertible`.

    Parameters
    ----------
    layout : Layout
    ours, theirs : numpy.ndarray
        Structured arrays of one shape; `ours` has :func:`dtype_of` the layout.
    back : bool
        From `ours` to `theirs`; else the other way.

    Examples
    --------
    >>> layout = Layout("S", "struct", 8, 4, (Field("c", "char", 0, 1), Field("v", "int", 4, 4)))
    >>> ours, theirs = np.zeros(1, dtype_of(layout)), np.array([(1, 2)], [("c", "i1"), ("v", "i4")])
    >>> copy_members(layout, ours, theirs)
    >>> ours["v"]
    array([2], dtype=int32)
    """
    for field in layout.fields:
        mine, other = ours[field.name], theirs[field.name]
        if field.layout is not None:
            copy_members(field.layout, mine, other, back=back)
            continue
        for one, two in _pairs(field, mine, other):
            to, source = (two, one) if back else (one, two)
            to[...] = source


def _pairs(field: Field, mine: Any, other: Any) -> Iterator[tuple[Any, Any]]:  # noqa: ANN401
    ctype = type_of(field.type_name)
    if ctype is None or ctype.width == 1:
        yield mine, other
    elif other.dtype.names is not None:
        yield from ((mine[..., i], other[name]) for i, name in enumerate(other.dtype.names[: ctype.width]))
    elif other.dtype.kind == "c":
        yield from ((mine[..., 0], other.real), (mine[..., 1], other.imag))
    else:
        yield mine[..., : ctype.width], other[..., : ctype.width]


def _placed(dtype: np.dtype[Any], offset: int) -> str:
    base, shape = dtype.subdtype or (dtype, ())
    name = f"record of {base.itemsize} B" if base.names else str(base)
    return f"{name} {shape} at {offset}" if shape else f"{name} at {offset}"
