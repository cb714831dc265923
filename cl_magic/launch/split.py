"""An NDRange that is no multiple of its group, as at most 2^d launches with offsets and smaller groups.

Exact: global and local ids, local sizes, barriers and local memory are those of a launch with non-uniform groups
(OpenCL 2.0, 5.8); what differs is in :mod:`cl_magic.launch.whole_range`.
"""

from __future__ import annotations

from itertools import product

from cl_magic.launch.plan import LaunchPart


def divides(global_size: tuple[int, ...], local_size: tuple[int, ...]) -> bool:
    """Whether the range is a whole number of groups in each dimension.

    Examples
    --------
    >>> divides((600, 512), (16, 16)), divides((608, 512), (16, 16))
    (False, True)
    """
    return all(size % local == 0 for size, local in zip(global_size, local_size, strict=True))


def groups_of(global_size: tuple[int, ...], local_size: tuple[int, ...]) -> tuple[int, ...]:
    """Work-groups in each dimension; partial ones count.

    Examples
    --------
    >>> groups_of((600, 512), (16, 16))
    (38, 32)
    """
    return tuple(-(-size // local) for size, local in zip(global_size, local_size, strict=True))


def split(global_size: tuple[int, ...], local_size: tuple[int, ...], offset: tuple[int, ...]) -> tuple[LaunchPart, ...]:
    """Launches that cover each work-item once: the whole groups first, then the remainders, x fastest.

    Examples
    --------
    >>> for part in split((10,), (4,), (100,)):
    ...     print(part.role, part.global_offset, part.global_size, part.local_size)
    main (100,) (8,) (4,)
    remainder (108,) (2,) (2,)
    """
    axes = [_pieces(size, local) for size, local in zip(global_size, local_size, strict=True)]
    parts = []
    for pieces in product(*reversed(axes)):
        starts, sizes, locals_ = zip(*reversed(pieces), strict=True)
        part_offset = tuple(base + start for base, start in zip(offset, starts, strict=True))
        whole = locals_ == local_size
        parts.append(LaunchPart(part_offset, sizes, locals_, "main" if whole else "remainder"))
    return tuple(parts)


def _pieces(size: int, local: int) -> list[tuple[int, int, int]]:
    """Start, length and group size of the pieces of one dimension."""
    whole = size - size % local
    pieces = [(0, whole, local), (whole, size - whole, size - whole)]
    return [piece for piece in pieces if piece[1]]
