// The time axis of a timeline: time to position and back, with stretches that are not to scale; ticks; the view.

import { counted, NARROW } from "./base.js";

const TL_UNITS = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];
const TL_LEAST_NS = 10;

/** Time in ns to a share of the whole width, through knots `[time, share]` between which it runs evenly. */
export class TlAxis {
  constructor({ end_ns: end, knots, cuts }, toScale = false) {
    this.end = Math.max(1, end);
    this.cuts = toScale ? [] : cuts;
    this.knots = toScale || cuts.length === 0 || end <= 0 ? [[0, 0], [this.end, 1]] : knots;
  }

  place(at) {
    const { knots } = this;
    let after = 1;
    while (after < knots.length - 1 && knots[after][0] < at) after += 1;
    const [start, first] = knots[after - 1];
    const [end, last] = knots[after];
    return end > start ? first + ((last - first) * (at - start)) / (end - start) : first;
  }

  invert(share) {
    const { knots } = this;
    let after = 1;
    while (after < knots.length - 1 && knots[after][1] < share) after += 1;
    const [start, first] = knots[after - 1];
    const [end, last] = knots[after];
    return last > first ? start + ((end - start) * (share - first)) / (last - first) : start;
  }

  /** Unit of the times that are seen. */
  unitOf(view) { return tlUnit(Math.max(1, this.invert(view.right))); }
}

/** `[nanoseconds, name]` of the unit that a time is written in. */
export function tlUnit(ns) {
  return TL_UNITS.find(([factor]) => ns >= factor) ?? TL_UNITS.at(-1);
}

/** The one of 1, 2, 5 times a power of ten that is nearest to `about`, and at least 1 ns. */
export function tlNiceStep(about) {
  if (!(about > 1)) return 1;
  const power = 10 ** Math.floor(Math.log10(about));
  const off = (step) => Math.abs(Math.log(step / about));
  return [1, 2, 5, 10].map((digit) => digit * power).reduce((best, step) => (off(step) < off(best) ? step : best));
}

/** Ticks of the part of the axis that is seen, none in a cut: `[{at, share, text}]`. */
export function tlTicks(axis, view, target) {
  const pieces = [];
  for (let i = 0; i + 1 < axis.knots.length; i += 2) {
    const from = Math.max(axis.knots[i][1], view.left);
    const to = Math.min(axis.knots[i + 1][1], view.right);
    if (to > from) pieces.push([axis.invert(from), axis.invert(to)]);
  }
  const seen = pieces.reduce((sum, [from, to]) => sum + to - from, 0);
  if (!(seen > 0)) return [];
  const step = tlNiceStep(seen / target);
  const [factor] = axis.unitOf(view);
  const decimals = Math.max(0, -Math.floor(Math.log10(step / factor) + 1e-9));
  const ticks = [];
  for (const [from, to] of pieces) {
    for (let i = Math.ceil(from / step - 1e-9); i * step <= to * (1 + 1e-12) && ticks.length < 200; i += 1) {
      ticks.push({ at: i * step, share: axis.place(i * step), text: tlFixed((i * step) / factor, decimals) });
    }
  }
  return ticks;
}

/** A number with so many decimals, thousands parted: `1 234.50`. */
export function tlFixed(value, decimals) {
  const text = Math.abs(value).toFixed(decimals);
  const [whole, rest] = text.split(".");
  const sign = value < 0 && Number(text) !== 0 ? "−" : "";
  return `${sign}${whole.replace(/\B(?=(\d{3})+(?!\d))/g, NARROW)}${rest === undefined ? "" : `.${rest}`}`;
}

/** A moment of the axis with as many digits as tell apart what is seen: `2.004 ms`. */
export function tlMoment(axis, at, view) {
  const [factor, unit] = axis.unitOf(view);
  const seen = Math.max(1, axis.invert(view.right) - axis.invert(view.left));
  const decimals = Math.min(Math.round(Math.log10(factor)), Math.max(0, Math.ceil(-Math.log10(seen / factor)) + 3));
  return factor === 1 ? `${counted(at)}${NARROW}ns` : `${tlFixed(at / factor, decimals)}${NARROW}${unit}`;
}

export const TL_WHOLE = Object.freeze({ left: 0, right: 1 });

/** The view zoomed by `factor` (2: twice as large) around a share, inside the whole and not below a few ns. */
export function tlZoomed(axis, view, factor, around) {
  const width = view.right - view.left;
  const least = Math.min(1, (TL_LEAST_NS * (axis.place(axis.invert(around) + 1e-3) - axis.place(axis.invert(around)))) / 1e-3 || 1e-12);
  const next = Math.min(1, Math.max(width / factor, Math.max(least, 1e-12)));
  return tlInside({ left: around - ((around - view.left) / width) * next, right: around + ((view.right - around) / width) * next }, next);
}

/** The view moved by a share of its own width. */
export function tlPanned(view, by) {
  const width = view.right - view.left;
  return tlInside({ left: view.left + by * width, right: view.right + by * width }, width);
}

function tlInside({ left }, width) {
  if (width > 0.9999) return TL_WHOLE;
  const start = Math.min(Math.max(0, left), 1 - width);
  return { left: start, right: start + width };
}
