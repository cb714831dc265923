"""Numbers as users read them: three significant digits for what is measured, all digits for what is counted.

Each function takes the space to put between thousands and before units: a plain one for text, :data:`NARROW` (U+202F)
for HTML. Minus is the true one. Traffic and rates are decimal (kB, MB, GB/s), capacities binary (KiB, MiB, GiB).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

NARROW = "\u202f"
MISSING = "\N{EN DASH}"
_DURATIONS = ((1, "ns"), (1_000, "µs"), (1_000_000, "ms"), (1_000_000_000, "s"))
_TRAFFIC = ((1, "B"), (10**3, "kB"), (10**6, "MB"), (10**9, "GB"), (10**12, "TB"))
_CAPACITY = ((1, "B"), (1 << 10, "KiB"), (1 << 20, "MiB"), (1 << 30, "GiB"), (1 << 40, "TiB"))
_DIGITS = 3
_PLAIN_FROM, _PLAIN_TO = 1e-3, 1e6
"""Array values in this range get four decimals; others are written with an exponent."""


def _sign(text: str) -> str:
    return text.replace("-", "−")


def count(number: int, space: str = " ") -> str:
    """Write a counted number: all digits, thousands parted from 1 000 on.

    Examples
    --------
    >>> count(307200), count(-5), count(999)
    ('307 200', '−5', '999')
    """
    return _sign(f"{number:,}".replace(",", space))


def _decimals(number: float, digits: int = _DIGITS) -> int:
    """Decimals that show `digits` significant digits of `number`, after rounding."""
    if not number or not math.isfinite(number):
        return 0
    exponent = int(f"{abs(number):.{digits - 1}e}".split("e")[1])
    return max(0, digits - 1 - exponent)


def significant(number: float, space: str = " ", digits: int = _DIGITS) -> str:
    """Write a measured number with `digits` significant digits, never with an exponent.

    Examples
    --------
    >>> significant(1.2351), significant(0.02968), significant(1239.6), significant(0)
    ('1.24', '0.0297', '1 240', '0')
    """
    if not math.isfinite(number):
        return _sign(str(number))
    decimals = _decimals(number, digits)
    rounded = float(f"{number:.{digits - 1}e}")
    return _sign(f"{rounded:,.{decimals}f}".replace(",", space))


def fixed(number: float, decimals: int, space: str = " ") -> str:
    """Write a number with a set count of decimals, for the cells of one column.

    Examples
    --------
    >>> fixed(6.06, 3), fixed(-1234.5, 1)
    ('6.060', '−1 234.5')
    """
    return _sign(f"{number:,.{decimals}f}".replace(",", space))


def decimals_for(numbers: Iterable[float], digits: int = _DIGITS) -> int:
    """Decimals for a column, so that its smallest number other than 0 shows `digits` significant digits; at most 6.

    Examples
    --------
    >>> decimals_for([6.06, 1.21, 0.21])
    3
    """
    sizes = [abs(n) for n in numbers if n and math.isfinite(n)]
    return min(6, _decimals(min(sizes), digits)) if sizes else 0


def _unit(number: float, units: Sequence[tuple[int, str]]) -> tuple[float, str]:
    """The largest unit in which the rounded number is at least 1."""
    for factor, name in reversed(units):
        if abs(float(f"{number / factor:.{_DIGITS - 1}e}")) >= 1:
            return factor, name
    return units[0]


def duration_unit(duration_ns: float) -> tuple[int, str]:
    """Nanoseconds of the unit that suits a duration, and its name: ns, µs, ms or s.

    Examples
    --------
    >>> duration_unit(1_240_000), duration_unit(999.9)
    ((1000000, 'ms'), (1000, 'µs'))
    """
    factor, name = _unit(duration_ns, _DURATIONS)
    return int(factor), name


def duration(duration_ns: float, space: str = " ") -> str:
    """Write a duration with the unit that suits it.

    Examples
    --------
    >>> duration(1_240_300), duration(412), duration(187_000_000), duration(0)
    ('1.24 ms', '412 ns', '187 ms', '0 ns')
    """
    factor, name = duration_unit(duration_ns)
    return f"{significant(duration_ns / factor, space)}{space}{name}"


def duration_range(least_ns: float, most_ns: float, space: str = " ") -> str:
    """Write two durations in the unit of the greater.

    Examples
    --------
    >>> duration_range(1_221_000, 1_269_000), duration_range(900_000, 1_269_000)
    ('1.22 to 1.27 ms', '0.900 to 1.27 ms')
    """
    factor, name = duration_unit(most_ns)
    return f"{significant(least_ns / factor, space)} to {significant(most_ns / factor, space)}{space}{name}"


def traffic(nbytes: float, space: str = " ") -> str:
    """Write bytes that moved: decimal units, three significant digits.

    Examples
    --------
    >>> traffic(1_228_800), traffic(512), traffic(32)
    ('1.23 MB', '512 B', '32 B')
    """
    factor, name = _unit(nbytes, _TRAFFIC)
    if factor == 1 and nbytes == int(nbytes):
        return f"{int(nbytes)}{space}{name}"  # bytes are counted, not measured
    return f"{significant(nbytes / factor, space)}{space}{name}"


def capacity(nbytes: int, space: str = " ") -> str:
    """Write the size of a memory: binary units, no decimals where it is a whole number of them.

    Examples
    --------
    >>> capacity(64 << 10), capacity(1536 << 20), capacity(48_000)
    ('64 KiB', '1.50 GiB', '46.9 KiB')
    """
    factor, name = _unit(nbytes, _CAPACITY)
    number = nbytes / factor
    return f"{count(int(number), space) if number == int(number) else significant(number, space)}{space}{name}"


def exact_bytes(nbytes: int, space: str = " ") -> str:
    """Write bytes with all their digits.

    Examples
    --------
    >>> exact_bytes(1_228_800)
    '1 228 800 B'
    """
    return f"{count(nbytes, space)}{space}B"


def rate(bytes_per_second: float, space: str = " ") -> str:
    """Write a rate in decimal units; GB/s down to a tenth, then smaller units.

    Examples
    --------
    >>> rate(1.98e9), rate(5.85e8), rate(3e6)
    ('1.98 GB/s', '0.585 GB/s', '3.00 MB/s')
    """
    if bytes_per_second >= 1e8:  # noqa: PLR2004 - a tenth of a GB/s
        return f"{significant(bytes_per_second / 1e9, space)}{space}GB/s"
    return f"{traffic(bytes_per_second, space)}/s"


def value(number: float | None, space: str = " ") -> str:
    """Write a value of an array: integers whole, others with four decimals, an exponent where those would not do.

    Examples
    --------
    >>> value(0.19394), value(-0.0816), value(255), value(1.5e-7), value(None)
    ('0.1939', '−0.0816', '255', '1.500e−7', '–')
    """
    if number is None:
        return MISSING
    if isinstance(number, int):
        return count(number, space)
    if not math.isfinite(number):
        return {True: "Inf", False: "−Inf"}[number > 0] if math.isinf(number) else "NaN"
    if number and not _PLAIN_FROM <= abs(number) < _PLAIN_TO:
        digits, exponent = f"{number:.3e}".split("e")
        return _sign(f"{digits}e{int(exponent)}")
    return fixed(number, 4, space)


def product(sizes: Iterable[int], space: str = " ") -> str:
    """Write sizes in x × y × z order.

    Examples
    --------
    >>> product((600, 512)), product((1_000_000,))
    ('600 × 512', '1 000 000')
    """
    return " × ".join(count(size, space) for size in sizes)


def percent(share: float, space: str = " ") -> str:
    """Write a share of 1 as per cent, whole.

    Examples
    --------
    >>> percent(0.876)
    '88 %'
    """
    return f"{share * 100:.0f}{space}%"


def plural(number: int, one: str, many: str = "", space: str = " ") -> str:
    """Write a count with its noun.

    Examples
    --------
    >>> plural(1, "launch", "launches"), plural(1216, "line")
    ('1 launch', '1 216 lines')
    """
    return f"{count(number, space)} {one if number == 1 else many or one + 's'}"
