"""Timeline of a run: lanes of host and command-queues, the four times of each command, warm-up cut out of scale."""

from __future__ import annotations

import math

from cl_magic.display.page import ID
from cl_magic.display.parts import key
from cl_magic.display.quantity import count, counted, duration, traffic
from cl_magic.display.svg import bar, number, path, picture, rule, stretched, text
from cl_magic.record.axis import TimeAxis
from cl_magic.record.run import RunRecord
from cl_magic.record.timeline import Bar, Timeline, lay_out

_TOP, _LANE, _BAR = 16.0, 30.0, 18.0
_PER_CHARACTER = 0.95
_THINNEST = 0.25
_LEAST_SHOWN = 0.04
_ROOM_FOR_A_NOTE = 10.0
_SWATCHES = {
    "queued": '<rect class="f-q" y="5" width="20" height="2"/>',
    "submitted": '<rect class="f-sub" x=".5" y="2.5" width="19" height="7"/>',
    "running": '<rect class="f-run" width="20" height="12"/>',
    "running, remainder launch": '<rect class="f-rem" width="20" height="12"/>',
    "transfer, ↑ to the device, ↓ back": '<rect class="f-tr" width="20" height="12"/>',
    "restoring an array before the next run": '<rect class="f-dep" width="20" height="12"/>',
    "the call in Python": '<rect class="f-host" y="1" width="20" height="10"/>',
    "share of time busy": '<path class="f-run" d="M0 12V5h6v-3h7v6h7v4z"/>',
}


def _css(item: Bar) -> str:
    if item.kind == "kernel":
        return "f-rem" if item.remainder else "f-run"
    return "f-dep" if item.kind in {"restore", "fill", "copy"} else "f-tr"


def _span(axis: TimeAxis, start: float, end: float) -> tuple[float, float]:
    """Position and width in per cent."""
    left = 100 * axis.place(start)
    return left, 100 * axis.place(end) - left


def _bar_label(item: Bar, width: float) -> str:
    """What fits in the bar: arrow, rate, run number; "" in a thin one."""
    words = item.label
    if item.bytes_per_second:
        rate = f"{item.label} {item.bytes_per_second / 1e9:.1f} GB/s"
        words = rate if width > _PER_CHARACTER * len(rate) + 1 else words
    elif item.kind == "kernel" and width < _PER_CHARACTER * len(words) + 1 and item.run > 0:
        words = str(item.run)
    return words if width > _PER_CHARACTER * len(words) + 0.6 else ""


def _waiting(item: Bar, axis: TimeAxis, top: float) -> str:
    """Queued as a line, submitted at half height."""
    drawn = ""
    queued = _span(axis, item.queued_ns, item.submit_ns)
    submitted = _span(axis, item.submit_ns, item.start_ns)
    if submitted[1] > _LEAST_SHOWN:
        drawn += bar("f-sub", (submitted[0], top + 5, submitted[1], 8))
    if queued[1] > _LEAST_SHOWN:
        drawn += bar("f-q", (queued[0], top + 8, queued[1], 2))
    return drawn


def _running(item: Bar, axis: TimeAxis, top: float) -> str:
    left, width = _span(axis, item.start_ns, item.end_ns)
    drawn = bar(_css(item), (min(left, 100 - _THINNEST), top, max(width, _THINNEST), _BAR))
    label = _bar_label(item, width)
    return drawn + (text(label, left + width / 2, top + 13, "in mid", "%") if label else "")


def _axis_marks(timeline: Timeline, bottom: float) -> str:
    marks, taken, shown = [], -10.0, 0
    for tick in timeline.axis.ticks():
        at = 100 * tick.position
        marks.append(rule("s-rule", at, _TOP, bottom))
        room = len(tick.text) * _PER_CHARACTER + 1
        if at - taken > room and at + room / 2 < 100:  # noqa: PLR2004 - per cent
            side = "mid" if at > 0.5 else ""  # noqa: PLR2004 - at the left edge
            marks.append(text(tick.text, at, 11, f"{side} alt".strip() if shown % 2 else side, "%"))
            shown += 1
            taken = at
    return "".join(marks)


def _cuts(timeline: Timeline, bottom: float) -> tuple[str, str]:
    """Hatched stretches below the bars, their edges and words above them."""
    under, over = "", ""
    for cut in timeline.axis.cuts:
        left, width = _span(timeline.axis, cut.start_ns, cut.end_ns)
        under += bar("", (left, _TOP, width, bottom - _TOP), "cut")
        over += bar("f-paper", (max(0.0, left), 0, width, 14))
        over += rule("s-ink cut", left, _TOP, bottom) + rule("s-ink cut", left + width, _TOP, bottom)
        words, middle = f"{cut.reason} {duration(cut.duration_ns)}", left + width / 2
        if width < _PER_CHARACTER * len(words):
            words = duration(cut.duration_ns)
        over += text(words, middle, 11, "mid", "%")
        over += text("not to scale", middle, bottom + 11, "mid", "%") if width > _ROOM_FOR_A_NOTE else ""
    return under, over


def _density(shares: tuple[float, ...], top: float) -> str:
    steps = "".join(
        f"H{index + 1}V{number(1 - share)}" if index else f"V{number(1 - share)}" for index, share in enumerate(shares)
    )
    data = f"M0 1{steps}H{len(shares)}V1z"
    return stretched(path("f-run", data), (top, _BAR), (len(shares), 1))


def _lanes(timeline: Timeline, tops: dict[int, float]) -> str:
    drawn = []
    for lane in timeline.lanes:
        top = tops[lane.queue]
        drawn.append(f'<line class="s-axis" x1="0" x2="100%" y1="{number(top + 9)}" y2="{number(top + 9)}"/>')
        if lane.density:
            drawn.append(_density(lane.density, top))
    # What waits is drawn first: a command queued early must not cover those that run meanwhile.
    drawn += [_waiting(item, timeline.axis, tops[item.queue]) for item in timeline.bars]
    ordered = sorted(timeline.bars, key=lambda item: item.remainder)
    return "".join(drawn) + "".join(_running(item, timeline.axis, tops[item.queue]) for item in ordered)


def _host(timeline: Timeline) -> str:
    if timeline.host is None:
        return ""
    left, width = _span(timeline.axis, *timeline.host)
    middle = _TOP + 15
    return (
        f'<line class="s-axis" x1="0" x2="100%" y1="{number(middle)}" y2="{number(middle)}"/>'
        + bar("f-host", (left, middle - 7, max(width, _THINNEST), 14))
        + (text("call", left + width / 2, middle + 4, "in mid", "%") if width > 5 else "")  # noqa: PLR2004 - per cent
    )


def timeline_label(record: RunRecord, timeline: Timeline) -> str:
    """The sentence for screen readers, with the numbers."""
    words = [f"Timeline of {timeline.commands} commands on {counted(len(timeline.lanes), 'queue')}"]
    words.append(f"over {duration(timeline.axis.end_ns)}")
    moved = [f"{t.label} {t.direction} {traffic(t.nbytes)}" for t in record.transfers[:4]]
    words += [f"{cut.reason} of {duration(cut.duration_ns)} drawn cut" for cut in timeline.axis.cuts]
    if timeline.busy is not None:
        words.append(f"busy {timeline.busy * 100:.0f} %")
    return ", ".join(words + moved) + ". The table below says the same."


def _key(timeline: Timeline) -> str:
    names = ["share of time busy"] if timeline.reduced else ["queued", "submitted", "running"]
    kinds = {(_css(item)) for item in timeline.bars}
    names += ["running, remainder launch"] if "f-rem" in kinds else []
    names += ["transfer, ↑ to the device, ↓ back"] if "f-tr" in kinds else []
    names += ["restoring an array before the next run"] if "f-dep" in kinds else []
    names += ["the call in Python"] if timeline.host else []
    return key((_SWATCHES[name], name) for name in names)


def timeline_svg(record: RunRecord) -> str:
    """Timeline picture with its lane names and key; more than 400 commands are drawn as density.

    Examples
    --------
    >>> from cl_magic.launch.limits import DeviceInfo
    >>> from cl_magic.launch.plan import LaunchPlan
    >>> from cl_magic.record.event import CommandEvent
    >>> plan = LaunchPlan((8,), (0,), (8,), "as you gave it", "uniform", (), (1,))
    >>> events = (CommandEvent("kernel", "k", 1000, 1010, 1020, 1100),)
    >>> record = RunRecord("k", DeviceInfo("0:0", "d", "p", "1.2", ("cpu",)), plan, events=events)
    >>> 'class="f-run"' in timeline_svg(record)
    True
    """
    timeline = lay_out(record)
    if not timeline.commands:
        return '<p class="dim">No command was recorded.</p>'
    first = _TOP + (32.0 if timeline.host else 6.0)
    tops = {lane.queue: first + _LANE * index for index, lane in enumerate(timeline.lanes)}
    bottom = first + _LANE * len(timeline.lanes) - 4
    under, over = _cuts(timeline, bottom)
    pattern = (
        f'<defs><pattern id="{ID}cut" width="6" height="6" patternUnits="userSpaceOnUse" '
        'patternTransform="rotate(45)"><path class="s-rule" d="M0 0V6" style="stroke-width:2"/></pattern></defs>'
    )
    body = pattern + _axis_marks(timeline, bottom) + under + _host(timeline) + _lanes(timeline, tops) + over
    names = [(2.0, timeline.axis.unit[1])]
    names += [(_TOP + 7, "host")] if timeline.host else []
    names += [(tops[lane.queue] + 1, lane.name) for lane in timeline.lanes]
    lanes = "".join(f'<span style="top:{number(top)}px">{words}</span>' for top, words in names)
    drawn = picture(
        body, timeline_label(record, timeline), "100%", math.ceil(bottom + (16 if timeline.axis.cuts else 4))
    )
    note = ""
    if timeline.reduced:
        note = f'<p class="sm dim">{count(timeline.commands)} commands, drawn as density.</p>'
    return f'<div class="tl"><div class="lanes sm">{lanes}</div>{drawn}</div>{_key(timeline)}{note}'
