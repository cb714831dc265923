// The picture of a plane of work-items on a canvas. What it costs depends on its pixels, never on the items.

import { colour, counted, sized } from "./base.js";
import { ndrValue } from "./ndrange_facts.js";
import { ndrAt, ndrPlaceOf, ndrTicks } from "./ndrange_geometry.js";
import { ndrPacked, ndrPaintColour, ndrPaintGroups, ndrUnder } from "./ndrange_colour.js";

const NDR_FONT = "11px ";
const NDR_LINES = 5;
const NDR_MARK = 6;
const NDR_WORDS = 92;
const NDR_CELL_ID = 24;
const NDR_LINE = 14;

/** Colours of the theme by the names used here. */
export function ndrInks(root) {
  const found = {};
  for (const name of [
    "group-a",
    "group-b",
    "group-line",
    "remainder",
    "pad",
    "select",
    "select-line",
    "paper",
    "ink",
    "ink2",
    "edge",
    "dep",
    "error",
    "run",
  ])
    found[name] = colour(root, name);
  found.font = NDR_FONT + getComputedStyle(root).fontFamily;
  return found;
}

/** A small repeated mark: "remainder" hatches, "corner" hatches both ways, "padding" dots. */
export function ndrPattern(context, kind, inks) {
  const tile = document.createElement("canvas");
  const ratio = Math.max(1, Math.round(globalThis.devicePixelRatio || 1));
  tile.width = tile.height = 6 * ratio;
  const pen = tile.getContext("2d");
  pen.scale(ratio, ratio);
  pen.strokeStyle = inks.remainder;
  pen.fillStyle = inks.pad;
  pen.lineWidth = 1.2;
  pen.beginPath();
  if (kind === "padding") {
    pen.fillRect(1, 1, 1.4, 1.4);
    pen.fillRect(4, 4, 1.4, 1.4);
  }
  for (const at of kind === "padding" ? [] : [-6, 0, 6]) {
    pen.moveTo(at - 1, 7);
    pen.lineTo(at + 7, -1);
    if (kind === "corner") {
      pen.moveTo(at - 1, -1);
      pen.lineTo(at + 7, 7);
    }
  }
  pen.stroke();
  const pattern = context.createPattern(tile, "repeat");
  pattern.setTransform(new DOMMatrix().scale(1 / ratio));
  return pattern;
}

/** Pixels of the plane under all marks. `look`: {x, y, z, colour, range}. */
function ndrBase(context, look, inks, origin) {
  const ratio = globalThis.devicePixelRatio || 1;
  const { x, y, z, range } = look;
  const [width, height] = [Math.max(1, Math.round(x.length * ratio)), Math.max(1, Math.round(y.length * ratio))];
  const image = new ImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const under = { x: ndrUnder(x, width, ratio), y: ndrUnder(y, height, ratio) };
  const ink = (name) => ndrPacked(context, inks[name]);
  if (look.colour) ndrPaintColour(pixels, look.colour, range, under, z, { none: ink("paper"), bad: ink("error") });
  else
    ndrPaintGroups(
      pixels,
      x,
      y,
      under,
      range.local ? [ink("group-a"), ink("group-b")] : [ink("group-a"), ink("group-a")],
    );
  context.putImageData(image, Math.round(origin.left * ratio), Math.round(origin.top * ratio));
}

/** Where the strip of an axis lies in the picture: [from, length], null where it is out of sight. */
function ndrStripSpan(axis) {
  if (!axis.strip) return null;
  const from = Math.max(0, ndrAt(axis, axis.strip.start));
  const to = Math.min(axis.length, ndrAt(axis, axis.launched));
  return to > from && from < axis.length ? [from, to - from] : null;
}

/** Remainders hatched (corners crossed), padding dotted. */
export function ndrStrips(context, look, inks) {
  const { x, y, last } = look;
  const [across, down] = [ndrStripSpan(x), ndrStripSpan(y)];
  const kind = (axis) => axis.strip.kind;
  const fill = (box, mark) => {
    if (!look.colour || mark === "padding") {
      context.fillStyle = inks.paper;
      context.fillRect(...box);
    }
    context.fillStyle = ndrPattern(context, mark, inks);
    context.fillRect(...box);
    context.strokeStyle = mark === "padding" ? inks.pad : inks.remainder;
    context.lineWidth = 1;
    context.strokeRect(box[0] + 0.5, box[1] + 0.5, Math.max(0, box[2] - 1), Math.max(0, box[3] - 1));
  };
  if (last) {
    fill([0, 0, x.length, y.length], last);
    if (last === "padding") return;
  }
  if (across) fill([across[0], 0, across[1], y.length], kind(x));
  if (down) fill([0, down[0], x.length, down[1]], kind(y));
  if (across && down && kind(x) === "remainder") fill([across[0], down[0], across[1], down[1]], "corner");
}

/** Lines between items, and stronger ones between groups, where they are far enough apart. */
function ndrGrid(context, { x, y, range }, inks) {
  for (const [axis, other, upright] of [
    [x, y, true],
    [y, x, false],
  ]) {
    for (const [unit, style, wide] of [
      [1n, inks["group-line"], 0.5],
      [axis.local, inks.dep, 1],
    ]) {
      const gap = Number(unit) * axis.scale;
      if (
        (axis === y && range.dims < 2) ||
        axis.scale < NDR_LINES ||
        gap < NDR_LINES ||
        (unit === axis.local && !range.local)
      )
        continue;
      context.beginPath();
      for (const { from } of ndrTicks(axis, unit, 0)) {
        const at = Math.round(from) + 0.5;
        if (upright) {
          context.moveTo(at, 0);
          context.lineTo(at, other.length);
        } else {
          context.moveTo(0, at);
          context.lineTo(other.length, at);
        }
      }
      context.strokeStyle = style;
      context.lineWidth = wide;
      context.stroke();
    }
  }
}

/** A box of items in px, at least `least` wide, clipped to what is seen; null where it is out of sight. */
export function ndrBox(look, from, to, least) {
  const sides = [look.x, look.y].map((axis, n) => {
    const [start, end] = [ndrAt(axis, from[n] ?? 0n), ndrAt(axis, to[n] ?? 1n)];
    const wide = Math.max(least, end - start);
    const middle = Math.min(Math.max((start + end) / 2, wide / 2), Math.max(wide / 2, axis.length - wide / 2));
    const seen = end > 0 && start < axis.length;
    return seen ? (end - start >= least ? [start, end - start] : [middle - wide / 2, wide]) : null;
  });
  return sides[0] && sides[1] ? [sides[0][0], sides[1][0], sides[0][1], sides[1][1]] : null;
}

/** The selected work-item in yellow with an outline of ink, its row and column, its group. */
function ndrSelected(context, look, inks) {
  const { item, x, y, range } = look;
  if (!item || (range.dims > 2 && item.place[2] !== look.z)) return;
  const next = item.place.map((at) => at + 1n);
  if (item.groupId) {
    const first = item.groupId.map((at, axis) => at * range.local[axis]);
    const end = first.map((at, axis) => at + item.localSize[axis]);
    const group = ndrBox(look, first, end, 0);
    if (group && group[2] >= NDR_MARK && group[3] >= NDR_MARK) {
      if (x.scale >= NDR_LINES && range.dims > 1 && !look.colour) {
        const cell = ndrBox(look, item.place, next, 0);
        context.fillStyle = inks.select;
        context.globalAlpha = 0.35;
        if (cell) {
          context.fillRect(group[0], cell[1], group[2], cell[3]);
          context.fillRect(cell[0], group[1], cell[2], group[3]);
        }
        context.globalAlpha = 1;
      }
      context.strokeStyle = inks["select-line"];
      context.lineWidth = 1.5;
      context.strokeRect(...group);
    }
  }
  const box = ndrBox(look, item.place, next, NDR_MARK);
  if (!box) return;
  context.fillStyle = inks.select;
  context.fillRect(...box);
  context.strokeStyle = inks["select-line"];
  context.lineWidth = 2;
  context.strokeRect(...box);
}

/** Ids inside the items, where they are large enough. */
function ndrCells(context, look, inks) {
  const { x, y, range } = look;
  if (x.scale < NDR_CELL_ID || (range.dims > 1 && y.scale < NDR_CELL_ID)) return;
  context.font = inks.font;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const words = x.scale >= NDR_WORDS;
  for (const column of ndrTicks(x, 1n, 0)) {
    for (const row of ndrTicks(y, 1n, 0)) {
      const place = [column.index, row.index, look.z].slice(0, range.dims);
      const item = look.itemAt(place);
      const [at, middle] = [(column.from + column.to) / 2, (row.from + row.to) / 2];
      const list = (ids) => (ids.length === 1 ? counted(ids[0]) : `(${ids.map(counted).join(", ")})`);
      const lines = words
        ? [
            list(item.globalId),
            look.colour && ndrValue(look.colour, place),
            item.groupId && `group ${list(item.groupId)}`,
            item.localId && `local ${list(item.localId)}`,
          ]
            .filter(Boolean)
            .slice(0, Math.floor((row.to - row.from) / NDR_LINE))
        : [item.localId ? item.localId.slice(0, 2).join(",") : ""];
      const chosen = look.item && item.place.every((one, axis) => one === look.item.place[axis]);
      context.fillStyle = chosen ? "#000" : inks.ink;
      if (look.colour && !chosen) {
        context.lineWidth = 3;
        context.strokeStyle = inks.paper;
      }
      lines.forEach((line, n) => {
        if (context.measureText(line).width > x.scale - 4) return;
        const down = middle + (n - (lines.length - 1) / 2) * NDR_LINE;
        if (look.colour && !chosen) context.strokeText(line, at, down);
        context.fillText(line, at, down);
      });
    }
  }
}

/** What one launch covers, outlined: the command that is selected elsewhere. */
function ndrLaunch(context, look, inks) {
  const { range, launch } = look;
  if (launch === null || range.parts.length < 2 || !range.parts[launch]) return;
  const part = range.parts[launch];
  const from = ndrPlaceOf(range, part.offset);
  if (!from || (range.dims > 2 && (look.z < from[2] || look.z >= from[2] + part.size[2]))) return;
  const box = ndrBox(
    look,
    from,
    from.map((at, axis) => at + part.size[axis]),
    3,
  );
  if (!box) return;
  context.strokeStyle = inks.run;
  context.lineWidth = 2;
  context.setLineDash([5, 3]);
  context.strokeRect(box[0] + 1, box[1] + 1, box[2] - 2, box[3] - 2);
  context.setLineDash([]);
}

/** Draw with the pen at an origin, clipped `out` px around the plane. */
function ndrWithin(context, look, origin, out, draw) {
  context.save();
  context.translate(origin.left, origin.top);
  context.beginPath();
  context.rect(-out, -out, look.x.length + 2 * out, look.y.length + 2 * out);
  context.clip();
  draw();
  context.restore();
}

/** The plane without its axes, at an origin of a canvas. */
export function ndrDrawPlane(context, look, inks, origin) {
  ndrBase(context, look, inks, origin);
  ndrWithin(context, look, origin, 0, () => {
    ndrStrips(context, look, inks);
    ndrGrid(context, look, inks);
    ndrLaunch(context, look, inks);
  });
  ndrWithin(context, look, origin, 2, () => {
    context.strokeStyle = inks.edge;
    context.lineWidth = 1;
    context.strokeRect(-0.5, -0.5, look.x.length + 1, look.y.length + 1);
    ndrSelected(context, look, inks);
  });
  ndrWithin(context, look, origin, 0, () => ndrCells(context, look, inks));
}

/** A small picture of a whole plane; with `seen`, the box that the large one shows. */
export function ndrThumb(canvas, look, inks, seen = null) {
  const context = sized(canvas, look.x.length + 2, look.y.length + 2);
  ndrDrawPlane(context, look, inks, { left: 1, top: 1 });
  if (!seen) return;
  context.strokeStyle = inks.ink;
  context.lineWidth = 1.5;
  context.strokeRect(seen[0] + 1, seen[1] + 1, Math.max(3, seen[2]), Math.max(3, seen[3]));
}
