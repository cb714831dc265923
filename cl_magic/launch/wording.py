"""Numbers and sizes as the sentences of plans and errors write them: plain spaces between thousands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

AXES = "xyz"


def count(number: int) -> str:
    """Whole number with its thousands parted.

    Examples
    --------
    >>> count(307200)
    '307 200'
    """
    return f"{number:,}".replace(",", " ")


def size_text(size: Sequence[int]) -> str:
    """Size of a range or group, x first.

    Examples
    --------
    >>> size_text((600, 512))
    '600 × 512'
    """
    return " × ".join(map(count, size))


def code_text(size: Sequence[int]) -> str:
    """Size as one types it.

    Examples
    --------
    >>> code_text((1000,)), code_text((600, 512))
    ('1000', '(600, 512)')
    """
    return str(size[0]) if len(size) == 1 else str(tuple(size))


def listed(words: Iterable[str], last: str = "and") -> str:
    """Words in a sentence.

    Examples
    --------
    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    *most, end = list(words)
    return f"{', '.join(most)} {last} {end}" if most else end
