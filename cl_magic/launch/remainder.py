"""The sentences about a range that is no multiple of its group: how it falls apart, and the ways out."""

from __future__ import annotations

from cl_magic.errors import NDRangeError
from cl_magic.launch.plan import LaunchPlan
from cl_magic.launch.wording import AXES, code_text, count, listed


def remainder_text(base: LaunchPlan) -> str:
    """How each uneven dimension falls apart: ``600 = 37 × 16 + 8``, with its axis where there are more than one.

    Examples
    --------
    >>> remainder_text(LaunchPlan((600, 512), (0, 0), (16, 16), "", "uniform", (), (38, 32)))
    'x: 600 = 37 × 16 + 8'
    """
    pieces = []
    for axis, (size, local) in enumerate(zip(base.global_size, base.local_size or (), strict=True)):
        if size % local:
            name = f"{AXES[axis]}: " if len(base.global_size) > 1 else ""
            pieces.append(f"{name}{count(size)} = {count(size // local)} × {count(local)} + {count(size % local)}")
    return ", ".join(pieces)


def nearest_divisors(size: int, wanted: int, limit: int) -> tuple[int, ...]:
    """Divisors of `size` next to `wanted`, below and above, at most `limit`.

    Examples
    --------
    >>> nearest_divisors(1000, 64, 1024)
    (50, 100)
    """
    below = next(n for n in range(min(wanted, size), 0, -1) if size % n == 0)
    above = next((n for n in range(wanted + 1, min(size, limit, 16 * wanted) + 1) if size % n == 0), None)
    return (below,) if above is None else (below, above)


def remainder_error(
    base: LaunchPlan, message: str, *, limit: int, fixed: bool, pad: bool, later_version: bool
) -> NDRangeError:
    """Error with the numbers and the ways out that are open.

    Parameters
    ----------
    base : LaunchPlan
        With the local size that does not divide the range.
    message : str
    limit : int
        Most work-items a group.
    fixed : bool
        Whether the local size cannot be another.
    pad, later_version : bool
        Whether ``remainder="pad"`` and ``--std=CL2.0`` are ways out.

    Examples
    --------
    >>> base = LaunchPlan((60,), (0,), (8,), "", "uniform", (), (8,))
    >>> remainder_error(base, "no", limit=64, fixed=True, pad=False, later_version=False).remedy
    'global_size=56 or 64'
    """
    local = base.local_size or ()
    ways = [_other_range(base.global_size, local) if fixed else _other_group(base.global_size, local, limit)]
    if pad:
        ways.append('remainder="pad" (the guard keeps the extra work-items off)')
    if later_version:
        ways.append("--std=CL2.0, with which this device cuts the last groups itself")
    if not fixed:
        ways.append('local_size=None with remainder="asis" for the driver\'s own choice')
    facts = {"global_size": base.global_size, "local_size": local, "ways": tuple(ways)}
    return NDRangeError(message, remedy=listed(ways, "or") if len(ways) == 1 else "; ".join(ways), **facts)


def _other_range(sizes: tuple[int, ...], local: tuple[int, ...]) -> str:
    down = tuple(size - size % part or part for size, part in zip(sizes, local, strict=True))
    up = tuple(-(-size // part) * part for size, part in zip(sizes, local, strict=True))
    return f"global_size={code_text(down)} or {code_text(up)}" if down != up else f"global_size={code_text(up)}"


def _other_group(sizes: tuple[int, ...], local: tuple[int, ...], limit: int) -> str:
    near = [
        nearest_divisors(size, part, limit) if size % part else (part,) for size, part in zip(sizes, local, strict=True)
    ]
    below = tuple(found[0] for found in near)
    above = tuple(found[-1] for found in near)
    items = 1
    for part in above:
        items *= part
    fits = above != below and items <= limit
    return f"local_size={code_text(below)}{f' or {code_text(above)}' if fits else ''}"
