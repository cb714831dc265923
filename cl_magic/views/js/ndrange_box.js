// A range of three dimensions as a box, the selected layer of groups marked; and which layers are drawn as slices.

import { counted, s } from "./base.js";

const NDR_BOX = 104;
const NDR_RINGS = 32n;

/** Indices to draw: all, or the first, the last and those around the chosen one. */
export function ndrShown(total, chosen, most) {
  if (total <= BigInt(most)) return Array.from({ length: Number(total) }, (_, n) => BigInt(n));
  const inner = BigInt(most - 2);
  let start = chosen - inner / 2n;
  if (start < 1n) start = 1n;
  if (start > total - 1n - inner) start = total - 1n - inner;
  return [0n, ...Array.from({ length: most - 2 }, (_, n) => start + BigInt(n)), total - 1n];
}

/** `z 12 to 15`, offset counted. */
export function ndrLayerWords(range, layer) {
  const local = range.local ? range.local[2] : range.size[2];
  const first = range.offset[2] + layer * local;
  const end = layer * local + local < range.launched[2] ? layer * local + local : range.launched[2];
  const last = range.offset[2] + end - 1n;
  return last > first ? `z ${counted(first)} to ${counted(last)}` : `z ${counted(first)}`;
}

/** Lines between layers, `path` of a height from 0 to 1 each; at most 32 of them. */
function ndrRings(groups, path) {
  const step = groups > NDR_RINGS ? (groups + NDR_RINGS - 1n) / NDR_RINGS : 1n;
  const rings = [];
  for (let ring = step; ring < groups; ring += step) {
    const d = path(Number(ring) / Number(groups));
    rings.push(s("path", { d, style: { fill: "none", stroke: "var(--clm-group-line)", strokeWidth: 0.75 } }));
  }
  return rings;
}

/** The box as SVG; `layer` is the layer of groups that is marked. */
export function ndrBoxPicture(range, layer) {
  const sizes = range.launched.map(Number);
  const [w, d, tall] = sizes.map((n) => Math.max(18, (n * NDR_BOX) / Math.max(...sizes)));
  const [front, back] = [
    [0.92 * w, 0.26 * w],
    [0.87 * d, -0.5 * d],
  ];
  const left = Math.max(34, counted(range.launched[2]).length * 6.5 + 10);
  const origin = [left, 16 + tall - back[1]];
  const at = (x, y, z) => [origin[0] + x * front[0] + y * back[0], origin[1] + x * front[1] + y * back[1] - z * tall];
  const groups = range.groups ? range.groups[2] : 1n;
  const [low, high] = [Number(layer) / Number(groups), Number(layer + 1n) / Number(groups)];
  const line = (points, closed) =>
    `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}${closed ? "z" : ""}`;
  const face = (fill, points, stroke = "none") =>
    s("path", { d: line(points, true), style: { fill, stroke, strokeWidth: 1 } });
  const ink = (points, closed = false) =>
    s("path", { d: line(points, closed), style: { fill: "none", stroke: "var(--clm-dep)", strokeWidth: 1 } });
  const rings = ndrRings(groups, (z) => line([at(0, 0, z), at(1, 0, z), at(1, 1, z)]));
  const word = (x, y, text, anchor = "start", css = null) =>
    s("text", { x, y, "text-anchor": anchor, class: css }, text);
  const [xMiddle, yMiddle, zMiddle] = [at(0.5, 0, 0), at(1, 0.5, 0), at(0, 0, 0.5)];
  const right = at(1, 1, 0)[0];
  const beside = at(1, 1, (low + high) / 2)[1];
  const height = at(1, 0, 0)[1] + 18;
  return s(
    "svg",
    {
      class: "ndr-box",
      "aria-hidden": "true",
      width: right + 116,
      height,
      style: { width: `${right + 116}px`, height: `${height}px`, display: "block" },
    },
    face("var(--clm-group-b)", [at(0, 0, 0), at(1, 0, 0), at(1, 0, 1), at(0, 0, 1)]),
    face("var(--clm-group-a)", [at(1, 0, 0), at(1, 1, 0), at(1, 1, 1), at(1, 0, 1)]),
    face("var(--clm-group-b)", [at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)]),
    rings,
    face("var(--clm-select)", [at(0, 0, low), at(1, 0, low), at(1, 0, high), at(0, 0, high)], "var(--clm-select-line)"),
    face("var(--clm-select)", [at(1, 0, low), at(1, 1, low), at(1, 1, high), at(1, 0, high)], "var(--clm-select-line)"),
    ink([at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(1, 1, 1), at(0, 1, 1), at(0, 0, 1)], true),
    ink([at(0, 0, 1), at(1, 0, 1), at(1, 0, 0)]),
    ink([at(1, 0, 1), at(1, 1, 1)]),
    word(xMiddle[0] - 6, xMiddle[1] + 16, `x, ${counted(range.launched[0])}`, "end"),
    word(yMiddle[0] + 6, yMiddle[1] + 14, `y, ${counted(range.launched[1])}`),
    word(zMiddle[0] - 5, zMiddle[1] - 3, "z,", "end"),
    word(zMiddle[0] - 5, zMiddle[1] + 11, counted(range.launched[2]), "end"),
    word(right + 8, beside, range.groups ? `group layer ${counted(layer)}` : "", "start", "hi"),
    word(right + 8, beside + 14, ndrLayerWords(range, layer)),
  );
}
