// Bars, waiting times and densities of a lane. What is drawn is bounded by the pixels, not by the commands.

import { NARROW, measured } from "./base.js";
import { tlBusyUntil, TL_CATEGORIES, tlUpTo } from "./timeline_model.js";

const TL_CROWDED = 1.5;
const TL_WAITING_BEYOND = 200;
const TL_LETTER = 6.3;
const TL_FAINT = 0.18;
const TL_ARROWS = { write: "↑", unmap: "↑", read: "↓", map: "↓" };

/** A lane's commands in the view; returns "bars" or "density". */
export function tlPaintLane(paint, row) {
  const { model, scale, shifts, layout } = paint;
  const { lane } = row;
  const shift = shifts[lane.run];
  const [from, to] = [scale.from - shift, scale.to - shift];
  const [first, last] = model.between(lane, from, to);
  tlBaseline(paint, row);
  if (model.density) tlPaintBins(paint, row);
  else if (last - first > TL_CROWDED * layout.plot) { tlPaintDensity(paint, row, shift); return "density"; }
  if (!model.density) tlPaintWaits(paint, row, [first, last, from, to], shift);
  const few = model.density ? Math.min(last, first + 4 * layout.plot) : last;
  for (let i = first; i < few; i += 1) tlPaintBar(paint, row, lane.order[i], shift);
  return model.density ? "density" : "bars";
}

function tlBaseline({ context, layout, colours }, row) {
  const middle = row.y + row.height / 2;
  context.fillStyle = colours.rule;
  context.fillRect(layout.gutter, middle - 0.5, layout.plot, 1);
}

/** Queued as a line, submitted at half height; drawn under all bars. */
function tlPaintWaits(paint, row, [first, last, , to], shift) {
  const { model, scale, context, colours, layout } = paint;
  const middle = row.y + row.height / 2;
  const half = Math.round(layout.bar * 0.4);
  const { order } = row.lane;
  const end = Math.min(order.length, last + TL_WAITING_BEYOND);
  for (let i = first; i < end; i += 1) {
    const id = order[i];
    const queued = model.queued(id);
    if (i >= last && queued >= to) continue;
    const submitted = model.submitted(id);
    const [x0, x1, x2] = [scale.x(queued + shift), scale.x(submitted + shift), scale.x(model.start[id] + shift)];
    if (x2 - x0 < 0.5) continue;
    context.globalAlpha = model.matches(id) ? 1 : TL_FAINT;
    context.fillStyle = colours.queue;
    if (x1 - x0 >= 0.5) context.fillRect(x0, middle - 1, x1 - x0, 2);
    if (x2 - x1 >= 0.5) {
      context.fillRect(x1, middle - half / 2, x2 - x1, half);
      if (x2 - x1 > 2) { context.fillStyle = colours.submit; context.fillRect(x1 + 1, middle - half / 2 + 1, x2 - x1 - 2, half - 2); }
    }
  }
  context.globalAlpha = 1;
}

function tlPaintBar(paint, row, id, shift) {
  const { model, scale, context, colours, layout } = paint;
  const x0 = scale.x(model.start[id] + shift);
  const x1 = scale.x(model.end[id] + shift);
  if (x1 < layout.gutter || x0 > layout.gutter + layout.plot) return;
  // Over the density that a reduced output keeps, only bars that can be told apart.
  if (model.density && x1 - x0 < 3) return;
  const left = Math.max(x0, layout.gutter);
  // Bars that touch are told apart by a gap of a pixel; the shortest are a pixel wide.
  const width = Math.max(1, Math.min(x1, layout.gutter + layout.plot) - left - (x1 - x0 > 4 ? 1 : 0));
  const top = row.y + (row.height - layout.bar) / 2;
  const category = TL_CATEGORIES[model.category[id]];
  context.globalAlpha = model.matches(id) ? 1 : TL_FAINT;
  context.fillStyle = category === "warm" ? colours.run : colours[category];
  context.fillRect(left, top, width, layout.bar);
  if ((category === "warm" || category === "remainder") && width > 2) { context.fillStyle = paint.hatch; context.fillRect(left, top, width, layout.bar); }
  if (width > 10 && model.matches(id)) tlPaintLabel(paint, id, left, width, top + layout.bar / 2);
  context.globalAlpha = 1;
}

function tlPaintLabel({ model, context, colours }, id, left, width, middle) {
  const words = tlLabels(model, id).find((text) => text.length * TL_LETTER + 4 < width);
  if (!words) return;
  context.font = "11px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  if (model.category[id] === 6) {
    context.fillStyle = colours.run;
    const room = words.length * TL_LETTER + 2;
    context.fillRect(left + width / 2 - room / 2, middle - 7, room, 14);
  }
  context.fillStyle = colours.on;
  context.fillText(words, left + width / 2, middle + 0.5);
}

/** What may stand in a bar, the longest first. */
export function tlLabels(model, id) {
  const kind = model.kindOf(id);
  const name = model.nameOf(id);
  if (kind === "kernel") {
    const run = model.run[id];
    if (run < 0) return ["warm-up"];
    // A record is of one kernel, and its runs are told by number.
    return run > 0 && model.head.runs[model.runOf(id)].kernel === name ? [`run ${run}`, String(run)] : [name];
  }
  const arrow = TL_ARROWS[kind];
  const bytes = model.bytes[id];
  const took = model.duration[id];
  const speed = arrow && bytes && took ? [`${arrow} ${name} ${measured(bytes / took)}${NARROW}GB/s`] : [];
  return arrow ? [...speed, `${arrow} ${name}`, arrow] : [`${kind} ${name}`, kind];
}

/** The share of time that each colour was busy, pixel by pixel, stacked; a pixel where anything ran shows at least 1 px. */
function tlPaintDensity(paint, row, shift) {
  const { model, scale, context, colours, layout } = paint;
  const top = row.y + (row.height - layout.bar) / 2;
  const groups = model.groups(row.lane);
  const bottom = top + layout.bar;
  const [queued, most] = [model.queuedOf(row.lane), model.mostWaiting(row.lane)];
  const before = groups.map((group) => tlBusyUntil(group, scale.at(layout.gutter) - shift));
  let seen = tlUpTo(row.lane.starts, scale.at(layout.gutter) - shift);
  for (let pixel = 0; pixel < layout.plot; pixel += 1) {
    const x = layout.gutter + pixel;
    const [from, to] = [scale.at(x) - shift, scale.at(x + 1) - shift];
    const started = tlUpTo(row.lane.starts, to);
    let y = bottom;
    groups.forEach((group, g) => {
      const until = tlBusyUntil(group, to);
      const share = to > from ? (until - before[g]) / (to - from) : 0;
      before[g] = until;
      if (share <= 0) return;
      const height = Math.min(y - top, share * layout.bar);
      context.globalAlpha = group.found ? (group.category === 6 ? 0.5 : 1) : TL_FAINT;
      context.fillStyle = colours[TL_CATEGORIES[group.category]] ?? colours.run;
      context.fillRect(x, y - height, 1, height);
      y -= height;
    });
    context.globalAlpha = 1;
    const waiting = most > 1 ? Math.min(1, (tlUpTo(queued, to) - started) / most) : 0;
    if (waiting > 0) { context.fillStyle = colours.queue; context.fillRect(x, top - 1 - 4 * waiting, 1, 4 * waiting); }
    if (y > bottom - 1 && started > seen) { context.fillStyle = colours.run; context.fillRect(x, bottom - 1, 1, 1); }
    seen = started;
  }
}

/** The density that a reduced payload keeps: bins over its own axis. */
function tlPaintBins(paint, row) {
  const { model, scale, context, colours, layout, home, shifts } = paint;
  const [, kinds, bins] = model.density.shape;
  const top = row.y + (row.height - layout.bar) / 2;
  const shift = shifts[row.lane.run];
  context.globalAlpha = 0.6;
  for (let pixel = 0; pixel < layout.plot; pixel += 1) {
    const x = layout.gutter + pixel;
    const place = home.place(scale.at(x + 0.5) - shift);
    if (place < 0 || place > 1) continue;
    const bin = Math.min(bins - 1, Math.floor(place * bins));
    let y = top + layout.bar;
    for (let kind = 0; kind < kinds; kind += 1) {
      const share = model.density.cells[(row.lane.number * kinds + kind) * bins + bin] / 255;
      if (!share) continue;
      const height = Math.min(y - top, Math.max(1, share * layout.bar));
      context.fillStyle = colours[TL_CATEGORIES[kind]] ?? colours.run;
      context.fillRect(x, y - height, 1, height);
      y -= height;
    }
  }
  context.globalAlpha = 1;
}
