"""SVG by text: shapes with the classes of the style sheet, numbers short, strings escaped."""

from __future__ import annotations

from collections.abc import Iterable

from cl_magic.display.escape import escape
from cl_magic.display.page import ID

SWATCH_GROUPS = '<rect class="f-a" width="10" height="12"/><rect class="f-b" x="10" width="10" height="12"/>'
SWATCH_SELECTED = '<rect class="f-sel" x="4" width="12" height="12"/><rect class="s-sel" x="4" width="12" height="12"/>'


def number(value: float) -> str:
    """At most two decimals, no trailing zeros.

    Examples
    --------
    >>> number(3.0), number(2.345)
    ('3', '2.35')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else f"{value:.0f}"


def rect(css: str, box: tuple[float, float, float, float], fill: str = "") -> str:
    """Rectangle (x, y, width, height) in px; `fill` is the id of a pattern of this output."""
    x, y, width, height = (number(v) for v in box)
    painted = f' fill="url(#{ID}{fill})"' if fill else ""
    name = f' class="{css}"' if css else ""
    return f'<rect{name} x="{x}" y="{y}" width="{width}" height="{height}"{painted}/>'


def bar(css: str, box: tuple[float, float, float, float], fill: str = "") -> str:
    """Rectangle whose x and width are per cent of the picture's width."""
    x, y, width, height = (number(v) for v in box)
    painted = f' fill="url(#{ID}{fill})"' if fill else ""
    name = f' class="{css}"' if css else ""
    return f'<rect{name} x="{x}%" y="{y}" width="{width}%" height="{height}"{painted}/>'


def text(words: str, x: float, y: float, css: str = "", unit: str = "") -> str:
    """Label at 11 px; `words` are escaped; `unit` "%" for a position in per cent."""
    name = f' class="{css}"' if css else ""
    return f'<text{name} x="{number(x)}{unit}" y="{number(y)}">{escape(words)}</text>'


def path(css: str, data: str) -> str:
    """Path."""
    return f'<path class="{css}" d="{data}"/>'


def rule(css: str, x: float, y1: float, y2: float) -> str:
    """Upright line at x per cent."""
    return f'<line class="{css}" x1="{number(x)}%" x2="{number(x)}%" y1="{number(y1)}" y2="{number(y2)}"/>'


def grid(xs: Iterable[float], ys: Iterable[float], width: float, height: float) -> str:
    """One path of upright and level lines over a field."""
    data = [f"M{number(x)} 0V{number(height)}" for x in xs] + [f"M0 {number(y)}H{number(width)}" for y in ys]
    return path("s-grid", "".join(data))


def chequer(name: str, width: float, height: float) -> str:
    """Pattern of fields `width` × `height` px in the two colours of groups."""
    w, h = number(width), number(height)
    w2, h2 = number(2 * width), number(2 * height)
    return (
        f'<pattern id="{ID}{name}" width="{w2}" height="{h2}" patternUnits="userSpaceOnUse">'
        f'<rect class="f-a" width="{w2}" height="{h2}"/>'
        f'<path class="f-b" d="M{w} 0h{w}v{h}h-{w}zM0 {h}h{w}v{h}h-{w}z"/></pattern>'
    )


def hatch(name: str = "rem", css: str = "s-rem") -> str:
    """Pattern of slanted lines: the remainder."""
    return (
        f'<pattern id="{ID}{name}" width="4" height="4" patternUnits="userSpaceOnUse">'
        f'<path class="{css}" d="M-1 1 1-1M0 4 4 0M3 5 5 3"/></pattern>'
    )


def cross(name: str = "corner") -> str:
    """Pattern of crossed lines: remainder in two dimensions."""
    return (
        f'<pattern id="{ID}{name}" width="4" height="4" patternUnits="userSpaceOnUse">'
        '<path class="s-rem" d="M-1 1 1-1M0 4 4 0M3 5 5 3M-1 3 1 5M0 0 4 4M3-1 5 1"/></pattern>'
    )


def dots(name: str = "pad") -> str:
    """Pattern of dots: padding."""
    return (
        f'<pattern id="{ID}{name}" width="4" height="4" patternUnits="userSpaceOnUse">'
        '<circle class="f-pad" cx="1" cy="1" r=".8"/></pattern>'
    )


def picture(body: str, label: str, width: float | str, height: float, css: str = "") -> str:
    """The svg element with its role and its sentence; a width of "100%" follows the cell."""
    shown = width if isinstance(width, str) else f"{number(width)}px"
    attribute = width if isinstance(width, str) else number(width)
    name = f' class="{css}"' if css else ""
    return (
        f'<svg role="img"{name} width="{attribute}" height="{number(height)}" aria-label="{escape(label)}" '
        f'style="width:{shown};height:{number(height)}px">{body}</svg>'
    )


def stretched(body: str, box: tuple[float, float], view: tuple[float, float], x: str = "0") -> str:
    """Inner svg of full width at y, `height` px (`box`), whose content has the coordinates `view`."""
    y, height = (number(v) for v in box)
    return (
        f'<svg class="nss" x="{x}" y="{y}" width="100%" height="{height}" '
        f'viewBox="0 0 {number(view[0])} {number(view[1])}" preserveAspectRatio="none" '
        f'style="width:100%;height:{height}px">{body}</svg>'
    )
