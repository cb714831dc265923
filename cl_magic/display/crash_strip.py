"""Strip of memory: the array as a box, the wrong access as a mark, the way between them cut where it is long."""

from __future__ import annotations

from dataclasses import dataclass

from cl_magic.display.escape import escape
from cl_magic.display.quantity import count
from cl_magic.display.svg import bar, rule, text
from cl_magic.record.fault import FaultReport
from cl_magic.record.numbers import NARROW

_HEIGHT = 58
_AXIS_Y = 25.5
_BOX = (17.5, 16.0)
_NEAR = 0.5
"""Share of the array's size up to which a distance is drawn to scale."""
_MIDDLE = 50


@dataclass(frozen=True, slots=True)
class _Places:
    """Where things stand, in per cent of the width: the box, the mark, the cut of the axis (None: no cut)."""

    begin: float
    end: float
    mark: float
    cut: tuple[float, float] | None = None


def _places(fault: FaultReport) -> _Places:
    share = fault.distance_bytes / max(fault.array_bytes, 1)
    if fault.side == "inside":
        return _Places(20, 80, 20 + 60 * min(share, 1.0))
    near = share <= _NEAR
    if fault.side == "before":
        return _Places(60, 90, 60 - max(1.0, 30 * share)) if near else _Places(74, 94, 12, (35, 38))
    return _Places(10, 40, 40 + max(1.0, 30 * share)) if near else _Places(6, 26, 88, (62, 65))


def _axis(cut: tuple[float, float] | None) -> str:
    if cut is None:
        return f'<line class="s-axis" x1="0" x2="100%" y1="{_AXIS_Y}" y2="{_AXIS_Y}"/>'
    left, right = cut
    pieces = [f'<line class="s-axis" x1="0" x2="{left}%" y1="{_AXIS_Y}" y2="{_AXIS_Y}"/>']
    pieces.append(f'<line class="s-axis" x1="{right}%" x2="100%" y1="{_AXIS_Y}" y2="{_AXIS_Y}"/>')
    pieces += [f'<line class="s-dim" x1="{x - 0.5}%" x2="{x + 0.5}%" y1="31" y2="20"/>' for x in cut]
    return "".join(pieces)


def _nbytes(number: int) -> str:
    sign = "−" if number < 0 else "+"
    return f"{sign}{count(abs(number))}{NARROW}B" if number else "+0"


def offset(fault: FaultReport) -> int:
    """Bytes from the array's begin to the access; negative in front of it.

    Examples
    --------
    >>> offset(FaultReport(1, "write", "guard page", "x", "x", 64, 8, "after"))
    72
    """
    away = {"after": fault.array_bytes + fault.distance_bytes, "before": -fault.distance_bytes}
    return away.get(fault.side, fault.distance_bytes)


def _between(fault: FaultReport) -> str:
    if fault.side == "after":
        return (
            f"{count(fault.distance_bytes)}{NARROW}B past the end" if fault.distance_bytes else "right behind the end"
        )
    return f"{count(fault.distance_bytes)}{NARROW}B before the begin" if fault.side == "before" else ""


def label(fault: FaultReport) -> str:
    """The picture in one sentence, with the numbers.

    Examples
    --------
    >>> label(FaultReport(1, "write", "guard page", "x", "x", 64, 8, "after"))
    'Memory: x holds 64\u202fB; the write went to +72\u202fB, 8\u202fB past the end.'
    """
    where = ", ".join(filter(None, [_nbytes(offset(fault)), _between(fault)]))
    kind = fault.kind or "access"
    return f"Memory: {fault.array} holds {count(fault.array_bytes)}{NARROW}B; the {kind} went to {where}."


def _mark_words(fault: FaultReport, at: _Places) -> list[str]:
    """What stands at the mark: all of it above, or in the cut's middle and below where the mark is far away."""
    kind = fault.kind or "access"
    if at.cut is None:
        words = f"{kind} {_between(fault) or 'at ' + _nbytes(offset(fault))}"
        return [text(words, at.mark, 10, "hi end" if at.mark > _MIDDLE else "hi", "%")]
    middle = (at.end + at.cut[0]) / 2 if fault.side == "after" else (at.cut[1] + at.begin) / 2
    below = text(_nbytes(offset(fault)), at.mark, 50, "mid", "%")
    return [text(kind, at.mark, 10, "hi mid", "%"), below, text(_between(fault), middle, 12, "mid", "%")]


def strip_svg(fault: FaultReport) -> str:
    """SVG of the strip; "" where no array is near.

    Examples
    --------
    >>> strip_svg(FaultReport(1, "write", "no array"))
    ''
    >>> "past the end" in strip_svg(FaultReport(1, "write", "guard page", "dst", "dst", 4000, 4190304, "after"))
    True
    """
    if not fault.array or not fault.array_bytes or not fault.side:
        return ""
    at = _places(fault)
    name = f"{fault.array}, {count(fault.array_bytes)}{NARROW}B"
    parts = [_axis(at.cut), bar("f-a", (at.begin, _BOX[0], at.end - at.begin, _BOX[1]))]
    parts.append(bar("s-ink", (at.begin, _BOX[0], at.end - at.begin, _BOX[1])))
    parts.append(text(name, (at.begin + at.end) / 2, 29.5, "hi mid", "%"))
    parts += [text("+0", at.begin, 50, "mid", "%"), text(_nbytes(fault.array_bytes), at.end, 50, "mid", "%")]
    parts.append(rule("s-bad two", at.mark, 15, 36))
    parts += _mark_words(fault, at)
    style = f"width:100%;height:{_HEIGHT}px"
    return f'<svg role="img" class="mem" aria-label="{escape(label(fault))}" style="{style}">{"".join(parts)}</svg>'
