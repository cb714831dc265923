"""The numbers of :mod:`cl_magic.record.numbers` as outputs write them: narrow no-break spaces (U+202F).

The text form gets plain spaces from :func:`cl_magic.display.escape.plain`.
"""

from __future__ import annotations

from cl_magic.record import numbers
from cl_magic.record.numbers import NARROW


def count(number: int) -> str:
    r"""All digits.

    Examples
    --------
    >>> count(307200)
    '307\u202f200'
    """
    return numbers.count(number, NARROW)


def counted(number: int, noun: str, plural: str = "") -> str:
    """Count with its noun.

    Examples
    --------
    >>> counted(2, "error"), counted(1, "launch", "launches")
    ('2 errors', '1 launch')
    """
    return numbers.plural(number, noun, plural, NARROW)


def duration(duration_ns: float) -> str:
    r"""Duration with the unit that suits it.

    Examples
    --------
    >>> duration(1_240_000)
    '1.24\u202fms'
    """
    return numbers.duration(duration_ns, NARROW)


def traffic(nbytes: float) -> str:
    r"""Bytes that moved.

    Examples
    --------
    >>> traffic(1_228_800)
    '1.23\u202fMB'
    """
    return numbers.traffic(nbytes, NARROW)


def capacity(nbytes: int) -> str:
    r"""Size of a memory.

    Examples
    --------
    >>> capacity(1 << 20)
    '1\u202fMiB'
    """
    return numbers.capacity(nbytes, NARROW)


def value(number: float | None) -> str:
    """Value of an array.

    Examples
    --------
    >>> value(0.19394)
    '0.1939'
    """
    return numbers.value(number, NARROW)


def times(sizes: tuple[int, ...]) -> str:
    """Sizes in x, y, z order.

    Examples
    --------
    >>> times((600, 512))
    '600 × 512'
    """
    return numbers.product(sizes, NARROW)


def ids(values: tuple[int, ...]) -> str:
    """Ids as OpenCL counts them: ``(21, 9)``, or the number alone in one dimension.

    Examples
    --------
    >>> ids((21, 9)), ids((7,))
    ('(21, 9)', '7')
    """
    return f"({', '.join(map(count, values))})" if len(values) > 1 else count(values[0])
