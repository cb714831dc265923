// Labels around the plane: group ids above and left, global ids below and right, the ids below the offset.

import { counted } from "./base.js";
import { ndrAt, ndrTicks } from "./ndrange_geometry.js";

const NDR_GAP = 14;
const NDR_ITEM = 16;

/** Widths that the labels take: `{left, right, top, bottom}` in px. */
export function ndrMargins(context, range, x, y) {
  const wide = (numbers) => Math.max(0, ...numbers.map((n) => context.measureText(counted(n)).width));
  const down = range.dims > 1;
  const band = range.offset.some((n) => n > 0n) ? 10 : 0;
  const left = down && range.groups ? wide([range.groups[1] - 1n]) + 10 : 8;
  const right = down ? wide([range.offset[1] + range.launched[1] - 1n]) + 12 : 8;
  return {
    left: Math.ceil(Math.max(left, down ? 24 : 8) + band),
    right: Math.ceil(Math.max(right, 16)),
    top: (range.groups ? 34 : 12) + band,
    bottom: 34,
    band,
  };
}

/** Room that a number of this axis needs. */
function ndrRoom(context, most, least) {
  return Math.max(least, context.measureText(counted(most)).width + NDR_GAP);
}

function ndrGroupLabels(context, look, inks, margins) {
  const { x, y, range, item } = look;
  const chosen = item?.groupId ?? [];
  context.textBaseline = "alphabetic";
  context.textAlign = "left";
  context.fillStyle = inks.ink2;
  context.fillText(range.dims > 1 ? "group id x, y" : "group id x", 0, -20 - margins.band);
  context.textAlign = "center";
  const room = ndrRoom(context, range.groups[0] - 1n, 28);
  const middle = ({ from, to }, length) =>
    Math.min(Math.max((Math.max(0, from) + Math.min(length, to)) / 2, 3), length - 3);
  for (const tick of ndrTicks(x, x.local, room)) {
    context.fillStyle = tick.index === chosen[0] ? inks.ink : inks.ink2;
    context.fillText(counted(tick.index), middle(tick, x.length), -6 - margins.band);
  }
  if (range.dims < 2) return;
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const tick of ndrTicks(y, y.local, 30)) {
    context.fillStyle = tick.index === chosen[1] ? inks.ink : inks.ink2;
    context.fillText(counted(tick.index), -6 - margins.band, middle(tick, y.length));
  }
}

/** Round ids, and the first one where the range begins in sight. */
function ndrIdTicks(axis, room) {
  const ticks = ndrTicks(axis, 1n, room, axis.offset);
  if (axis.anchor === 0n && axis.frac === 0 && ticks[0]?.index !== 0n)
    ticks.unshift({ index: 0n, from: 0, to: axis.scale });
  return ticks;
}

function ndrIdLabels(context, look, inks, { right, band }) {
  const { x, y, range } = look;
  context.fillStyle = inks.ink2;
  context.strokeStyle = inks.edge;
  context.lineWidth = 1;
  context.textBaseline = "alphabetic";
  const place = (tick, axis) => (axis.scale >= NDR_ITEM ? (tick.from + tick.to) / 2 : tick.from);
  context.beginPath();
  let free = -Infinity;
  for (const tick of ndrIdTicks(x, ndrRoom(context, x.offset + x.launched, 40))) {
    const at = place(tick, x);
    if (at < -1 || at > x.length + 1) continue;
    const text = counted(x.offset + tick.index);
    const half = context.measureText(text).width / 2;
    context.moveTo(Math.round(at) + 0.5, x.scale >= NDR_ITEM ? y.length : y.length + 1);
    context.lineTo(Math.round(at) + 0.5, y.length + 4);
    if (at - half < free) continue;
    context.textAlign = at - half < -8 ? "left" : "center";
    context.fillText(text, at, y.length + 16);
    free = at + half + 8;
  }
  const end = ndrAt(x, x.size);
  const last = counted(x.offset + x.size - 1n);
  if (free < x.length - context.measureText(last).width && end <= x.length + 1 && x.scale < NDR_ITEM) {
    context.textAlign = "right";
    context.fillText(last, Math.max(end, context.measureText(last).width), y.length + 16);
  }
  context.textAlign = "left";
  context.fillText(`global id x${x.offset > 0n ? `, from ${counted(x.offset)}` : ""}`, 0, y.length + 30);
  if (range.dims > 1) {
    context.textBaseline = "middle";
    let below = -Infinity;
    for (const tick of ndrIdTicks(y, 30)) {
      const at = place(tick, y);
      if (at < -1 || at > y.length - 4 || at < below) continue;
      below = at + 14;
      context.moveTo(x.length + 1, Math.round(at) + 0.5);
      context.lineTo(x.length + 4, Math.round(at) + 0.5);
      context.fillText(counted(y.offset + tick.index), x.length + 8, Math.max(5, at));
    }
    context.textBaseline = "alphabetic";
    context.textAlign = "right";
    const from = range.groups ? context.measureText("group id x, y").width + 12 : 0;
    const words = ["global id y", "id y"].find((text) => x.length + right - 2 - context.measureText(text).width > from);
    if (words) context.fillText(words, x.length + right - 2, -(range.groups ? 20 : 4) - band);
  }
  context.stroke();
}

/** The ids below the offset, which are not launched: a dashed corner, not to scale. */
function ndrOffset(context, look, inks, { band }) {
  if (!band) return;
  const { x, y } = look;
  context.strokeStyle = inks.dep;
  context.lineWidth = 1;
  context.setLineDash([3, 3]);
  context.beginPath();
  const atStart = (axis) => axis.anchor === 0n && axis.frac === 0;
  const [left, top] = [x.offset > 0n && atStart(x), y.offset > 0n && atStart(y)];
  if (left) {
    context.moveTo(-band + 1.5, y.length);
    context.lineTo(-band + 1.5, top ? -band + 1.5 : 0);
    if (top) context.lineTo(x.length, -band + 1.5);
    else {
      context.moveTo(-band + 1.5, 0);
      context.lineTo(0, 0);
    }
    context.moveTo(-band + 1.5, y.length);
    context.lineTo(0, y.length);
  } else if (top) {
    context.moveTo(0, 0);
    context.lineTo(0, -band + 1.5);
    context.lineTo(x.length, -band + 1.5);
    context.lineTo(x.length, 0);
  }
  context.stroke();
  context.setLineDash([]);
}

/** All labels, at an origin of a canvas. */
export function ndrDrawAxes(context, look, inks, origin, margins) {
  context.save();
  context.translate(origin.left, origin.top);
  context.font = inks.font;
  if (look.range.groups) ndrGroupLabels(context, look, inks, margins);
  ndrIdLabels(context, look, inks, margins);
  ndrOffset(context, look, inks, margins);
  context.restore();
}
