"""Sizes set for a kernel beforehand: for calls that give none, or compiled into it, so that no call may differ."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from cl_magic.clc.signature import KernelSignature
from cl_magic.errors import NDRangeError
from cl_magic.launch.sizes import normalise_sizes
from cl_magic.launch.wording import size_text

_NAMES = "XYZ"


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes set by ``kernel[global, local]``, the magic line, a picker or ``kernel.specialize``.

    Attributes
    ----------
    global_size, local_size, global_offset
        As the user wrote them; None where a call gives them.
    fixed : bool
        Whether the program was built for them: a call with others is an error.
    note : str
        What a record says of a program that was built for them.
    """

    global_size: Any = None
    local_size: Any = None
    global_offset: Any = None
    fixed: bool = False
    note: str = ""

    def check(self, global_size: Any, local_size: Any, kernel: str) -> None:  # noqa: ANN401 - as a call gave them
        """Refuse sizes of a call that contradict those which are compiled in.

        Raises
        ------
        NDRangeError
            `given` and `fixed` are attributes.

        Examples
        --------
        >>> Sizes(local_size=64, fixed=True).check(1024, 64, "f")
        """
        if not self.fixed:
            return
        for word, set_, given in (
            ("global_size", self.global_size, global_size),
            ("local_size", self.local_size, local_size),
        ):
            if set_ is not None and given is not None and three(set_, kernel) != three(given, kernel):
                fixed, other = size_text(_short(three(set_, kernel))), size_text(_short(three(given, kernel)))
                msg = f"{kernel} is specialised for {word} {fixed}, and this call gives {other}"
                remedy = f"leave {word} out, or specialise the kernel once more for {other}"
                facts = {"kernel": kernel, "argument": word, "given": given, "fixed": set_}
                raise NDRangeError(msg, remedy=remedy, **facts)


def three(size: Any, kernel: str = "kernel") -> tuple[int, int, int]:  # noqa: ANN401 - int, tuple, array
    """A size in three dimensions, ones where it has fewer.

    Examples
    --------
    >>> three((16, 8))
    (16, 8, 1)
    """
    x, y, z = (*normalise_sizes(size, kernel=kernel).global_size, 1, 1)[:3]
    return x, y, z


def required_size(sizes: Sizes, signature: KernelSignature) -> tuple[int, int, int] | None:
    """Work-group size to write into the text for fixed sizes; None where the text has it, or none is fixed.

    Raises
    ------
    NDRangeError
        No size at all, more work-items in a group than in the range, or another size in the text.

    Examples
    --------
    >>> required_size(Sizes(local_size=(8, 8)), KernelSignature("f"))
    (8, 8, 1)
    """
    name = signature.name
    if sizes.local_size is None and sizes.global_size is None:
        msg = f"{name}.specialize() gives no size to build for"
        raise NDRangeError(msg, remedy="local_size=64, global_size=(128, 128), or both", kernel=name)
    if sizes.global_size is not None:
        three(sizes.global_size, name)
    if sizes.local_size is None:
        return None
    wanted, written = three(sizes.local_size, name), signature.reqd_work_group_size
    if written is not None and written != wanted:
        msg = f"{name} requires groups of {size_text(written)} in its source, and {size_text(wanted)} is asked for"
        remedy = "leave local_size out, or take reqd_work_group_size out of the source"
        raise NDRangeError(msg, remedy=remedy, kernel=name, given=sizes.local_size, fixed=written)
    return None if written == wanted else wanted


def with_note(sizes: Sizes, rebuilt_ns: int) -> Sizes:
    """The sizes with what a record says of a kernel that was built for them (K-02); 0 ns where that was done before.

    Examples
    --------
    >>> with_note(Sizes(local_size=64), 31_000_000).note
    'specialised for local_size 64, rebuilt in 31.0 ms'
    """
    given = (("global_size", sizes.global_size), ("local_size", sizes.local_size))
    words = [f"{word} {size_text(_short(three(size)))}" for word, size in given if size is not None]
    how = f"rebuilt in {rebuilt_ns / 1e6:.1f} ms" if rebuilt_ns else "built before"
    return replace(sizes, note=f"specialised for {' and '.join(words)}, {how}")


def _short(size: tuple[int, ...]) -> tuple[int, ...]:
    """A size without trailing ones."""
    while len(size) > 1 and size[-1] == 1:
        size = size[:-1]
    return size


def size_macros(sizes: Sizes) -> dict[str, int]:
    """Macros that a program built for these sizes may use, by name.

    Examples
    --------
    >>> size_macros(Sizes(local_size=64))
    {'CL_MAGIC_LOCAL_SIZE_X': 64, 'CL_MAGIC_LOCAL_SIZE_Y': 1, 'CL_MAGIC_LOCAL_SIZE_Z': 1}
    """
    given = (("GLOBAL", sizes.global_size), ("LOCAL", sizes.local_size))
    return {
        f"CL_MAGIC_{word}_SIZE_{name}": number
        for word, size in given
        if size is not None
        for name, number in zip(_NAMES, three(size), strict=True)
    }
