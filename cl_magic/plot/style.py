"""Colours and small parts that all figures share; the colours are those of the HTML reports' light theme."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK = "#212121"
INK2 = "#5f6b76"
RULE = "#bdbdbd"
GROUP_A = "#dde8f0"
GROUP_B = "#f2f6f9"
GROUP_LINE = "#a9b8c4"
REMAINDER = "#e06c8c"
PAD = "#7f8993"
QUEUED = "#7f8993"
SUBMITTED = "#cfe2ef"
RUN = "#0072b2"
SECOND = "#16585c"
THIRD = "#5d0091"
TRANSFER = "#a36000"
HOST = "#1d2a34"
BELOW = "#1f86c7"
ABOVE = "#cf6f12"

FONT = 9
SMALL = 8


def axes_or_new(ax: Axes | None, size: tuple[float, float]) -> Axes:
    """Return the axes given, or those of a new pyplot figure of `size` inches."""
    if ax is not None:
        return ax
    from matplotlib import pyplot as plt  # noqa: PLC0415 - pyplot chooses a backend when it is imported

    return plt.subplots(figsize=size, layout="constrained")[1]


def quiet_frame(ax: Axes) -> None:
    """Thin grey frame without top and right side, small grey tick labels."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(RULE)
    ax.tick_params(labelsize=SMALL, colors=INK2, length=3)


def title(ax: Axes, text: str, detail: str = "") -> None:
    """Left-aligned title; `detail` stands under it in the second ink."""
    ax.set_title(text, loc="left", fontsize=FONT, color=INK, fontweight="bold", pad=18 if detail else 6)
    if detail:
        place: dict[str, Any] = {"xycoords": "axes fraction", "xytext": (0, 6), "textcoords": "offset points"}
        ax.annotate(detail, (0, 1), va="bottom", fontsize=SMALL, color=INK2, annotation_clip=False, **place)
