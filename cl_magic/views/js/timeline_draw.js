// The picture of a timeline: axis, cuts, host, lanes, arrows, brush, selection.

import { colour, duration, NARROW, sized } from "./base.js";
import { tlMoment, tlTicks } from "./timeline_axis.js";
import { tlLayout, tlScale } from "./timeline_layout.js";
import { tlPaintLane } from "./timeline_paint.js";

const TL_COLOURS = ["queue", "submit", "run", "k2", "k3", "remainder", "transfer", "host", "dep", "select", "select-line", "paper", "ink", "ink2", "rule", "edge"];
const TL_MOST_ARROWS = 300;
/** Room for the ring of focus. */
const TL_INSET = 4;

/** Draw all of it; returns what the pointer needs: `{layout, scale, crowded}`. */
export function tlDraw(canvas, root, state, width) {
  const { model, axis, view } = state;
  const layout = tlLayout(model, width);
  const context = sized(canvas, width, layout.height);
  const colours = Object.fromEntries(TL_COLOURS.map((name) => [name, colour(root, name)]));
  colours.on = getComputedStyle(root).colorScheme === "dark" ? "#10161b" : "#fff";
  const scale = tlScale(layout, axis, view);
  const paint = { model, axis, view, layout, context, colours, scale, shifts: state.shifts, home: state.home, hatch: tlHatch(context, colours.paper) };
  context.clearRect(0, 0, width, layout.height);
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  tlPaintTicks(paint);
  tlPaintCuts(paint);
  let crowded = false;
  for (const row of layout.rows) {
    if (row.type === "heading") tlPaintHeading(paint, row);
    else if (row.type === "host") tlPaintHost(paint, row);
    else crowded = tlPaintLane(paint, row) === "density" || crowded;
  }
  tlPaintArrows(paint, state, crowded);
  if (state.selected !== null) tlPaintSelected(paint, state.selected);
  if (state.brush) tlPaintBrush(paint, state.brush);
  tlPaintNames(paint);
  tlPaintOverview(paint);
  return { layout, scale, crowded };
}

function tlHatch(context, paper) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  const pen = tile.getContext("2d");
  pen.strokeStyle = paper;
  pen.lineWidth = 1.2;
  pen.beginPath();
  for (const shift of [-6, 0, 6]) { pen.moveTo(shift, 6); pen.lineTo(shift + 6, 0); }
  pen.stroke();
  return context.createPattern(tile, "repeat");
}

function tlPaintTicks({ context, colours, layout, axis, view }) {
  const ticks = tlTicks(axis, view, Math.max(2, Math.floor(layout.plot / 90)));
  context.textAlign = "center";
  let taken = -Infinity;
  for (const { share, text } of ticks) {
    const x = layout.gutter + ((share - view.left) / (view.right - view.left)) * layout.plot;
    context.fillStyle = colours.rule;
    context.fillRect(Math.round(x), layout.top - 2, 1, layout.bottom - layout.top + 2);
    const half = text.length * 3.2;
    if (x - half < taken + 6 || x + half > layout.width) continue;
    context.fillStyle = colours.ink2;
    context.fillText(text, Math.max(x, layout.gutter + half - 4), 10);
    taken = x + half;
  }
}

function tlPaintCuts({ context, colours, layout, axis, view, scale }) {
  for (const [start, end, reason] of axis.cuts) {
    const [x0, x1] = [scale.x(start), scale.x(end)];
    if (axis.place(end) <= view.left || axis.place(start) >= view.right) continue;
    const [left, right] = [Math.max(x0, layout.gutter), Math.min(x1, layout.gutter + layout.plot)];
    context.save();
    context.beginPath();
    context.rect(left, layout.top - 2, right - left, layout.bottom - layout.top + 2);
    context.clip();
    context.strokeStyle = colours.rule;
    context.lineWidth = 1;
    context.beginPath();
    for (let x = left - layout.bottom; x < right; x += 7) { context.moveTo(x, layout.bottom); context.lineTo(x + layout.bottom, 0); }
    context.stroke();
    context.restore();
    context.fillStyle = colours.ink2;
    for (const x of [x0, x1]) if (x >= layout.gutter && x <= layout.gutter + layout.plot) tlDashes(context, x, layout.top - 2, layout.bottom);
    context.textAlign = "center";
    const words = [`${reason} ${duration(end - start)}`, duration(end - start)].find((text) => text.length * 6 < right - left);
    if (words) tlOnPaper(context, colours, words, (left + right) / 2, 10);
    if (right - left > 72) tlOnPaper(context, colours, "not to scale", (left + right) / 2, layout.bottom + 8);
  }
}

function tlDashes(context, x, top, bottom) {
  for (let y = top; y < bottom; y += 5) context.fillRect(Math.round(x), y, 1, Math.min(3, bottom - y));
}

function tlOnPaper(context, colours, text, x, y) {
  const room = context.measureText(text).width + 6;
  context.fillStyle = colours.paper;
  context.fillRect(x - room / 2, y - 7, room, 14);
  context.fillStyle = colours.ink2;
  context.fillText(text, x, y);
}

function tlPaintHeading({ model, context, colours }, row) {
  const run = model.head.runs[row.run];
  context.textAlign = "left";
  context.font = "600 11px system-ui, sans-serif";
  const after = context.measureText(run.label).width + 8 + TL_INSET;
  const words = [run.label.includes(run.device) ? "" : run.device, duration(run.end_ns), run.status === "failed" ? "failed" : ""].filter(Boolean).join(" · ");
  context.clearRect(0, row.y, after + words.length * 6.3 + 4, row.height);
  context.fillStyle = colours.ink;
  context.fillText(run.label, TL_INSET, row.y + 11);
  context.font = "11px system-ui, sans-serif";
  context.fillStyle = colours.ink2;
  context.fillText(words, after, row.y + 11);
}

function tlPaintHost({ model, context, colours, scale, layout, shifts }, row) {
  const middle = row.y + row.height / 2;
  const [begin, end] = model.head.runs[row.run].host;
  const [x0, x1] = [begin, end].map((at) => scale.x(at + shifts[row.run]));
  const left = Math.max(layout.gutter, x0);
  const right = Math.min(layout.gutter + layout.plot, x1);
  context.fillStyle = colours.rule;
  context.fillRect(layout.gutter, middle - 0.5, layout.plot, 1);
  if (right <= left) return;
  context.fillStyle = colours.host;
  context.fillRect(left, middle - 6, Math.max(1, right - left), 12);
  context.textAlign = "center";
  context.fillStyle = colours.on;
  if (right - left > 30) context.fillText("call", (left + right) / 2, middle + 0.5);
}

function tlPaintNames({ context, colours, layout, axis, view }) {
  context.textAlign = "left";
  context.font = "11px system-ui, sans-serif";
  context.clearRect(0, 0, layout.gutter - 4, 20);
  for (const row of layout.rows) {
    if (row.type === "heading") continue;
    context.clearRect(0, row.y, layout.gutter - 4, row.height);
    context.fillStyle = colours.ink2;
    context.fillText(row.type === "host" ? "host" : row.lane.name, TL_INSET, row.y + row.height / 2 + 0.5);
  }
  context.fillStyle = colours.ink2;
  context.fillText(axis.unitOf(view)[1], TL_INSET, 10);
}

/** Arrows from the end of a command to the start of what takes its data, or waited for its event. */
function tlPaintArrows(paint, state, crowded) {
  const { edges } = state.model;
  if (!edges) return;
  const all = state.arrows && !crowded && edges.length / 2 <= TL_MOST_ARROWS;
  for (let e = 0; e < edges.length && e < 2e6; e += 2) {
    const chosen = state.selected !== null && (edges[e] === state.selected || edges[e + 1] === state.selected);
    if (all || chosen) tlPaintArrow(paint, edges[e + 1], edges[e], chosen);
  }
}

function tlPaintArrow({ model, scale, layout, context, colours, shifts }, from, to, bold) {
  const rowOf = (id) => layout.rows.find((row) => row.type === "lane" && row.lane.number === model.lane[id]);
  const [source, target] = [rowOf(from), rowOf(to)];
  const [x0, x1] = [scale.x(model.end[from] + shifts[source.run]), scale.x(model.start[to] + shifts[target.run])];
  const half = layout.bar / 2;
  const same = source === target;
  const down = target.y > source.y;
  const y0 = source.y + source.height / 2 + (same || down ? half : -half);
  const y1 = target.y + target.height / 2 + (same || !down ? half : -half);
  context.strokeStyle = context.fillStyle = bold ? colours.ink : colours.dep;
  context.lineWidth = bold ? 1.5 : 1;
  context.beginPath();
  context.moveTo(x0, y0);
  if (same) context.quadraticCurveTo((x0 + x1) / 2, y0 + 10, x1, y1 + 1); else context.lineTo(x1, y1);
  context.stroke();
  const angle = same ? -Math.PI / 2 : Math.atan2(y1 - y0, x1 - x0);
  context.beginPath();
  context.moveTo(x1, y1);
  for (const side of [2.7, -2.7]) context.lineTo(x1 + 6 * Math.cos(angle + side), y1 + 6 * Math.sin(angle + side));
  context.fill();
}

function tlPaintSelected({ model, scale, layout, context, colours, shifts }, id) {
  const row = layout.rows.find((one) => one.type === "lane" && one.lane.number === model.lane[id]);
  const x0 = scale.x(model.start[id] + shifts[row.run]);
  const x1 = scale.x(model.end[id] + shifts[row.run]);
  if (x1 < layout.gutter || x0 > layout.gutter + layout.plot) return;
  const top = row.y + (row.height - layout.bar) / 2;
  const width = Math.max(1, x1 - x0);
  context.lineWidth = 1.5;
  context.strokeStyle = colours["select-line"];
  context.strokeRect(x0 - 3, top - 3, width + 6, layout.bar + 6);
  context.lineWidth = 2;
  context.strokeStyle = colours.select;
  context.strokeRect(x0 - 1.3, top - 1.3, width + 2.6, layout.bar + 2.6);
}

function tlPaintBrush({ scale, layout, context, colours, axis, view }, [from, to]) {
  const [x0, x1] = [Math.max(layout.gutter, scale.x(from)), Math.min(layout.gutter + layout.plot, scale.x(to))];
  if (x1 < x0) return;
  context.globalAlpha = 0.1;
  context.fillStyle = colours.ink;
  context.fillRect(x0, layout.top - 2, x1 - x0, layout.bottom - layout.top + 2);
  context.globalAlpha = 1;
  for (const x of [x0, x1]) context.fillRect(Math.round(x) - 0.5, layout.top - 6, 1, layout.bottom - layout.top + 8);
  const words = `${tlMoment(axis, from, view)} to ${tlMoment(axis, to, view)}: ${duration(to - from)}`;
  context.textAlign = "center";
  const half = context.measureText(words).width / 2;
  const middle = Math.min(layout.width - half - 2, Math.max(layout.gutter + half, (x0 + x1) / 2));
  context.fillStyle = colours.paper;
  context.fillRect(middle - half - 3, layout.bottom + 1, 2 * half + 6, 14);
  context.fillStyle = colours.ink;
  context.fillText(words, middle, layout.bottom + 8);
}

/** Which part of the whole is seen: a thin track under the lanes, once zoomed. */
function tlPaintOverview({ context, colours, layout, view }) {
  if (view.left <= 0 && view.right >= 1) return;
  const y = layout.height - 7;
  context.fillStyle = colours.rule;
  context.fillRect(layout.gutter, y, layout.plot, 4);
  context.fillStyle = colours.ink2;
  context.fillRect(layout.gutter + view.left * layout.plot, y, Math.max(3, (view.right - view.left) * layout.plot), 4);
  context.textAlign = "left";
  context.fillText(`×${NARROW}${tlTimes(1 / (view.right - view.left))}`, TL_INSET, y + 1);
}

function tlTimes(factor) {
  return factor < 10 ? factor.toFixed(1) : factor < 1e6 ? Math.round(factor).toString() : factor.toExponential(1).replace("e+", "e");
}
