// The small layout of a planned range: whole groups chequered, the remainder hatched, padding dotted. Geometry first.

import { s } from "../../views/js/base.js";

const THINNEST = 6;
const SMALLEST_FIELD = 4;
const MOST_FIELDS = 64;
const THIN_SIDE = 16;

/** Where groups, remainder and padding of one dimension lie on `length` pixels; `padded` is the size launched. */
export function layoutAxis(size, local, padded, length) {
  const padding = padded - size;
  const whole = Math.floor(size / local);
  const rest = size % local;
  const odd = padding || rest;
  let strip = 0;
  if (odd) strip = odd === size && !padding ? length : Math.min(length, Math.max(THINNEST, (length * odd) / padded));
  const main = length - strip;
  const groups = Math.ceil(padded / local);
  const drawn = padding ? (size / local) : whole;
  const one = drawn ? main / drawn : length;
  let stride = 1;
  for (let turn = 0; (one * stride < SMALLEST_FIELD || drawn / stride > MOST_FIELDS) && stride < groups; turn += 1) stride *= [2, 2.5, 2][turn % 3];
  return { size, local, padding, whole, rest, main, strip, groups, stride, field: one * stride, length, enlarged: odd > 0 && strip > ((length * odd) / padded) * 1.01 };
}

/** Width and height in pixels, in proportion; a very long range keeps a thin side. */
export function layoutRoom(size, room) {
  const scale = Math.min(room[0] / size[0], room[1] / size[1]);
  return size.map((n, at) => Math.min(room[at], Math.max(THIN_SIDE, n * scale)));
}

/** Start and length of each field along an axis. */
export function layoutFields(axis) {
  const fields = [];
  for (let start = 0; start < axis.main - 0.01; start += axis.field) fields.push([start, Math.min(axis.field, axis.main - start)]);
  return fields;
}

function rect(css, x, y, width, height, more = {}) {
  return s("rect", { class: css, x, y, width: Math.max(0, width), height: Math.max(0, height), ...more });
}

function chequer(x, y) {
  const paths = ["", ""];
  layoutFields(y).forEach(([top, height], row) => layoutFields(x).forEach(([left, width], column) => {
    paths[(row + column) % 2] += `M${left.toFixed(2)} ${top.toFixed(2)}h${width.toFixed(2)}v${height.toFixed(2)}h${(-width).toFixed(2)}z`;
  }));
  return [rect("a", 0, 0, x.main, y.main), s("path", { class: "b", d: paths[1] })];
}

/** Strips along the far edges: remainder hatched, padding dotted. */
function strips(x, y, marks) {
  const boxes = [];
  if (x.strip) boxes.push([x.main, 0, x.strip, y.length, x.padding]);
  if (y.strip) boxes.push([0, y.main, x.main, y.strip, y.padding]);
  return boxes.flatMap(([left, top, width, height, padding]) => [rect("rem", left, top, width, height),
    rect("", left, top, width, height, { fill: `url(#${marks}-${padding ? "dots" : "hatch"})` })]);
}

function patterns(marks) {
  const hatch = s("pattern", { id: `${marks}-hatch`, width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, s("path", { class: "hatch", d: "M0 0V5" }));
  const dots = s("pattern", { id: `${marks}-dots`, width: 4, height: 4, patternUnits: "userSpaceOnUse" }, s("circle", { class: "dots", cx: 2, cy: 2, r: 0.8 }));
  return s("defs", {}, hatch, dots);
}

const grouped = (number) => String(number).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");

function words(text, x, y, css = "") {
  return s("text", { x, y, class: css }, text);
}

function labelled(axis, name, groups) {
  return `${name} ${grouped(axis.size)} in ${grouped(groups)} ${groups === 1 ? "group" : "groups"}`;
}

/** A sentence with the numbers, for who does not see the picture. */
export function layoutSentence(plan) {
  const sizes = (list) => list.join(" by ");
  const parts = [`NDRange: ${sizes(plan.global)} work-items`];
  if (plan.groups.length) parts.push(`in ${sizes(plan.groups)} work-groups of ${sizes(plan.local)}`);
  if (plan.offset.some(Boolean)) parts.push(`from global id ${plan.offset.join(", ")}`);
  if (plan.launches > 1) parts.push(`in ${plan.launches} launches`);
  if (plan.padded) parts.push(`padded to ${sizes(plan.padded)}`);
  return `${parts.join(", ")}.`;
}

/** The picture, at most `width` pixels wide. One dimension is a strip, three are the plane x, y and a strip of layers. */
export function layoutPicture(plan, width) {
  const marks = `nd${Math.random().toString(36).slice(2)}`;
  const launched = plan.padded ?? plan.global;
  const sizes = plan.global.length === 1 ? [plan.global[0], 1] : plan.global;
  const layers = plan.global.length === 3;
  const offset = plan.offset.some(Boolean) ? 8 : 0;
  const room = [Math.min(300, width - offset - (layers ? 76 : 4)), 160];
  const [wide, high] = plan.global.length === 1 ? [Math.min(480, width - offset - 4), 22] : layoutRoom(sizes.slice(0, 2), room);
  const x = layoutAxis(sizes[0], plan.local[0], launched[0], wide);
  const y = layoutAxis(sizes[1], plan.local[1] ?? 1, launched[1] ?? 1, high);
  const plane = s("g", { transform: `translate(${offset + 1} ${offset + 1})` }, chequer(x, y), strips(x, y, marks),
    rect("edge", -0.5, -0.5, wide + 1, high + 1), offset ? s("path", { class: "off", d: `M-7.5 ${high}V-7.5H${wide}` }) : null,
    words(labelled(x, "x", plan.groups[0]), 0, high + 15), plan.global.length > 1 ? words(labelled(y, "y", plan.groups[1]), 0, high + 29) : null);
  const parts = [patterns(marks), plane];
  let height = high + offset + (plan.global.length > 1 ? 34 : 20);
  if (layers) {
    const z = layoutAxis(plan.global[2], plan.local[2], launched[2], high);
    const left = wide + offset + 28;
    parts.push(s("g", { transform: `translate(${left} ${offset + 1})` }, chequer(layoutAxis(1, 1, 1, 16), z), strips(layoutAxis(1, 1, 1, 16), z, marks), rect("edge", -0.5, -0.5, 17, high + 1), words("z", 8, high + 15, "mid")),
      words(labelled(z, "z", plan.groups[2]), 1 + offset, high + offset + 44));
    height += 14;
  }
  return s("svg", { class: "lay", role: "img", "aria-label": layoutSentence(plan), style: `width:${width}px;height:${height}px` }, parts);
}
