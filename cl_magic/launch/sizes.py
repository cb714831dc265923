"""From what a person writes for sizes to an NDRange: forms, arrays, subscripts, errors that show the right form.

OpenCL 1.2, 5.8 (clEnqueueNDRangeKernel): 1 to 3 dimensions, x first.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cl_magic.errors import NDRangeError
from cl_magic.launch.ndrange import NDRange
from cl_magic.launch.wording import code_text, count, listed, size_text

MAX_DIMENSIONS = 3
_PAIR = 2
_LIMIT = 1 << 64


class Subscript(NamedTuple):
    """The two entries of ``kernel[global_size, local_size]``, as written."""

    global_size: Any
    local_size: Any


def normalise_sizes(
    global_size: Any,  # noqa: ANN401 - int, tuple, array: that is what it finds out
    local_size: Any = None,  # noqa: ANN401
    global_offset: Any = None,  # noqa: ANN401
    *,
    kernel: str = "kernel",
) -> NDRange:
    """Sizes as the user wrote them, as an NDRange.

    Parameters
    ----------
    global_size : int, sequence of int, or array
        Work-items, x first. An array (anything with a ``shape``) means its items: its shape reversed.
    local_size : int, sequence of int, or None
        Work-items of a group. One number for more than one dimension means ``(n, 1, …)``; None is automatic.
    global_offset : int, sequence of int, or None
    kernel : str
        Name for the errors.

    Raises
    ------
    NDRangeError
        More than three dimensions, nothing to do (a size of zero), negative, a size or the range over 64 bits, no
        whole number, or tuples of different length. ``argument`` and ``value`` are attributes.

    Examples
    --------
    >>> normalise_sizes((128, 128), 64)
    NDRange(global_size=(128, 128), local_size=(64, 1), global_offset=None)
    """
    sizes = _dimensions("global_size", global_size, kernel)
    for size in sizes:
        _refuse_zero(size, sizes, global_size, kernel)
    if _product(sizes) >= _LIMIT // 2:
        # Each size fits its size_t; drivers multiply them, and PoCL runs what is left of the product, or divides by 0.
        message = f"{code_text(sizes)} has {count(_product(sizes))} work-items; drivers count up to 2^63 - 1"
        raise _wrong(kernel, "global_size", global_size, message)
    local: tuple[int, ...] | None = None
    if local_size is not None:
        local = _local(local_size, sizes, kernel)
    offset: tuple[int, ...] | None = None
    if global_offset is not None:
        offset = _same_length("global_offset", _dimensions("global_offset", global_offset, kernel), sizes, kernel)
    return NDRange(sizes, local, offset)


def parse_subscript(key: object, *, kernel: str = "kernel") -> Subscript:
    """Read ``kernel[global_size, local_size]``: exactly two entries, None for an automatic local size.

    Examples
    --------
    >>> parse_subscript((1000, None))
    Subscript(global_size=1000, local_size=None)
    >>> parse_subscript(((600, 512), (16, 16))).local_size
    (16, 16)
    """
    if not isinstance(key, tuple) or len(key) != _PAIR:
        remedy = _right_form(key, kernel)
        found = f"{len(key)} entries" if isinstance(key, tuple) else "one entry"
        message = f"{kernel}[…] takes exactly two entries, global_size and local_size; it has {found}"
        raise NDRangeError(message, remedy=remedy, kernel=kernel, argument="subscript", value=key)
    if any(isinstance(entry, slice) or entry is Ellipsis for entry in key):
        message = f"{kernel}[…] takes sizes, no slices"
        raise NDRangeError(message, remedy=f"{kernel}[(w, h), None]", kernel=kernel, argument="subscript", value=key)
    if key[0] is None:
        message = f"{kernel}[None, …] leaves global_size open; only local_size can be None"
        raise NDRangeError(message, remedy=f"{kernel}[n, None]", kernel=kernel, argument="global_size", value=None)
    return Subscript(key[0], key[1])


def propose_global_size(arrays: Mapping[str, Any]) -> str:
    """What fits the arrays of a call that gave no global_size; "" where there is none.

    Parameters
    ----------
    arrays : mapping of str to array
        By parameter name.

    Examples
    --------
    >>> import numpy as np
    >>> propose_global_size({"x": np.zeros(1000), "y": np.zeros(1000), "lut": np.zeros(8)})
    'x and y have 1 000 elements: global_size=1000'
    >>> propose_global_size({"image": np.zeros((512, 600))})
    'image has 512 rows of 600 elements: global_size=(600, 512)'
    """
    by_shape: dict[tuple[int, ...], list[str]] = {}
    for name, array in arrays.items():
        by_shape.setdefault(tuple(array.shape), []).append(name)
    fitting = {shape: names for shape, names in by_shape.items() if shape and all(shape)}
    if not fitting:
        return ""
    shape, names = max(fitting.items(), key=lambda item: (len(item[1]), _product(item[0])))
    verb = "has" if len(names) == 1 else "have"
    if len(shape) == _PAIR:
        what = f"{count(shape[0])} rows of {count(shape[1])} elements"
    else:
        what = f"{size_text(shape)} {'element' if shape == (1,) else 'elements'}"
    proposed = shape[::-1] if len(shape) <= MAX_DIMENSIONS else (_product(shape),)
    return f"{listed(names)} {verb} {what}: global_size={code_text(proposed)}"


def missing_global_size(kernel: str, arrays: Mapping[str, Any]) -> NDRangeError:
    """Error for a call without global_size, with what fits its arrays as the remedy.

    Examples
    --------
    >>> missing_global_size("saxpy", {}).remedy
    'saxpy(…, global_size=n) or saxpy[n, None](…)'
    """
    remedy = propose_global_size(arrays) or f"{kernel}(…, global_size=n) or {kernel}[n, None](…)"
    return NDRangeError(f"{kernel} needs a global_size", remedy=remedy, kernel=kernel, argument="global_size")


def numpy_order_note(global_size: object, ndrange: NDRange, written: Mapping[str, Sequence[int]]) -> str:
    """Warning where a typed tuple equals the NumPy shape of a written, non-square array; "" elsewhere.

    Parameters
    ----------
    global_size : object
        As the user wrote it: an array means its items, and needs no warning.
    ndrange : NDRange
    written : mapping of str to sequence of int
        NumPy shapes of the arrays that the kernel writes, by parameter name.

    Examples
    --------
    >>> numpy_order_note((512, 600), normalise_sizes((512, 600)), {"dst": (512, 600)})[:46]
    'global_size=(512, 600) is the NumPy shape of d'
    """
    sizes = ndrange.global_size
    if hasattr(global_size, "shape") or sizes == sizes[::-1]:
        return ""
    name = next((name for name, shape in written.items() if tuple(shape) == sizes), None)
    if name is None:
        return ""
    axes = ", ".join(f"{axis} runs to {count(size)}" for axis, size in zip("xyz", sizes, strict=False))
    return (
        f"global_size={code_text(sizes)} is the NumPy shape of {name}, rows first, but OpenCL takes x first: "
        f"as written, {axes}; for x along the columns write {code_text(sizes[::-1])} or global_size={name}"
    )


def _dimensions(argument: str, value: Any, kernel: str) -> tuple[int, ...]:  # noqa: ANN401
    """Entries of a size, checked for what needs no other size."""
    if hasattr(value, "shape") and value.shape != ():
        entries: Sequence[Any] = tuple(value.shape)[::-1]
        if argument != "global_size":
            raise _wrong(kernel, argument, value, "is an array; only global_size can be one")
    elif isinstance(value, (tuple, list)):
        entries = value
    else:
        entries = (value,)
    if not 1 <= len(entries) <= MAX_DIMENSIONS:
        total = f"global_size={_product(entries)} for one dimension" if len(entries) > MAX_DIMENSIONS else ""
        message = f"has {len(entries)} dimensions; an NDRange has 1 to 3"
        raise _wrong(kernel, argument, value, message, total)
    return tuple(_whole(argument, entry, value, kernel) for entry in entries)


def _whole(argument: str, entry: Any, value: object, kernel: str) -> int:  # noqa: ANN401
    if isinstance(entry, bool) or type(entry).__name__ in {"bool_", "bool"}:
        raise _wrong(kernel, argument, value, f"holds {entry}, which is no size")
    try:
        number = operator.index(entry)
    except TypeError:
        remedy = f"int({entry!r}) if that is what you mean" if isinstance(entry, float) else "a whole number or a tuple"
        raise _wrong(kernel, argument, value, f"holds {entry!r}, which is no whole number", remedy) from None
    if number < 0:
        raise _wrong(kernel, argument, value, f"holds {number}; sizes and offsets are not negative")
    if number >= _LIMIT:
        raise _wrong(kernel, argument, value, f"holds {number}, which is over 64 bits")
    return number


def _refuse_zero(size: int, sizes: tuple[int, ...], value: object, kernel: str) -> None:
    # OpenCL 1.2 forbids a range of zero items, 2.1 allows it, drivers of both take it in silence: one rule here.
    if size == 0:
        message = f"{kernel} has nothing to do: global_size {size_text(sizes)} has no work-items"
        remedy = "skip the call where there is no data"
        raise NDRangeError(message, remedy=remedy, kernel=kernel, argument="global_size", value=value)


def _local(value: Any, sizes: tuple[int, ...], kernel: str) -> tuple[int, ...]:  # noqa: ANN401
    local = _dimensions("local_size", value, kernel)
    if not isinstance(value, (tuple, list)):
        local += (1,) * (len(sizes) - 1)
    if 0 in local:
        remedy = "local_size=None chooses one"
        message = f"is {code_text(local)}; a work-group has at least one work-item in each dimension"
        raise _wrong(kernel, "local_size", value, message, remedy)
    return _same_length("local_size", local, sizes, kernel)


def _same_length(argument: str, entries: tuple[int, ...], sizes: tuple[int, ...], kernel: str) -> tuple[int, ...]:
    if len(entries) != len(sizes):
        filler = 1 if argument == "local_size" else 0
        fitted = (entries + (filler,) * MAX_DIMENSIONS)[: len(sizes)]
        message = (
            f"{kernel}: {argument} {code_text(entries)} has {len(entries)} dimensions, "
            f"global_size {code_text(sizes)} has {len(sizes)}"
        )
        remedy = f"{argument}={code_text(fitted)}"
        raise NDRangeError(message, remedy=remedy, kernel=kernel, argument=argument, value=entries)
    return entries


def _right_form(key: object, kernel: str) -> str:
    """Subscript that says what `key` probably meant."""
    if not isinstance(key, tuple):
        shown = repr(key) if isinstance(key, (int, list)) else "n"
        return f"{kernel}[{shown}, None](…), or with a local size {kernel}[(w, h), (16, 16)](…)"
    if len(key) == MAX_DIMENSIONS and all(isinstance(entry, int) for entry in key):
        return f"{kernel}[{key}, None](…) for three dimensions"
    return f"{kernel}[n, None](…) or {kernel}[(w, h), (16, 16)](…)"


def _wrong(kernel: str, argument: str, value: object, what: str, remedy: str = "") -> NDRangeError:
    message = f"{kernel}: {argument} {what}"
    return NDRangeError(message, remedy=remedy, kernel=kernel, argument=argument, value=value)


def _product(sizes: Sequence[Any]) -> int:
    total = 1
    for size in sizes:
        total *= size if isinstance(size, int) else 1
    return total
