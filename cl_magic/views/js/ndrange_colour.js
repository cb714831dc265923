// Colours by item: cells of a column, one a work-item or one a block of them, and the pixels of a plane.

import { bufPacked, bufTable } from "./buffer_colour.js";
import { ndrItemAt, ndrLinear, ndrStride } from "./ndrange_geometry.js";

const NDR_CODES = 253;
const NDR_TOP = 255;

/** A coloured column as `{at(place), exact, …facts}`; null where the payload has none. */
export function ndrColour(facts, cells, range) {
  if (!facts || !cells) return null;
  const read = facts.quantised ? (cell) => ndrUnquantised(cells[cell], facts.quantised) : (cell) => Number(cells[cell]);
  const exact = facts.method === "exact" && !facts.quantised;
  const cellOf = facts.flat
    ? (place) => Number(ndrLinear(place, range.size) / BigInt(facts.step[0]))
    : (place) =>
        facts.shape.reduce(
          (cell, n, axis) => cell * n + Math.floor(Number(place[range.dims - 1 - axis]) / facts.step[axis]),
          0,
        );
  const at = (place) => (place.some((one, axis) => one >= range.size[axis]) ? null : read(cellOf(place)));
  return { ...facts, read, at, exact, cellOf, cells: cells.length };
}

export function ndrUnquantised(code, { low, high }) {
  if (code >= NDR_CODES) return [-Infinity, Infinity, NaN][code - NDR_CODES];
  return low + (code / (NDR_CODES - 1)) * (high - low);
}

/** A css colour as one number for image data; `scratch` is a canvas context. */
export function ndrPacked(scratch, css) {
  scratch.fillStyle = "#000";
  scratch.fillStyle = css;
  const text = scratch.fillStyle;
  const hex = /^#(..)(..)(..)$/.exec(text);
  const parts = hex
    ? hex.slice(1).map((pair) => parseInt(pair, 16))
    : text
        .match(/[\d.]+/g)
        .slice(0, 3)
        .map(Number);
  return bufPacked([...parts, NDR_TOP]);
}

/** Items under the columns (or rows) of `count` pixels, `ratio` pixels to a css px. */
export function ndrUnder(axis, count, ratio) {
  const items = new Array(count);
  for (let pixel = 0; pixel < count; pixel += 1) items[pixel] = ndrItemAt(axis, (pixel + 0.5) / ratio);
  return items;
}

/** Pixels of a plane chequered by groups: `inks` are the two colours. */
export function ndrPaintGroups(pixels, x, y, under, inks) {
  const parity = (axis, items) => {
    const field = axis.local * ndrStride(axis);
    return items.map((item) => Number((item / field) & 1n));
  };
  const [across, down] = [parity(x, under.x), parity(y, under.y)];
  const rows = [0, 1].map((odd) => Uint32Array.from(across, (one) => inks[one ^ odd]));
  down.forEach((odd, row) => pixels.set(rows[odd], row * across.length));
}

/** Colour of each cell as one number; kept until the inks change. */
function ndrCellInks(colour, inks) {
  const key = `${inks.bad}`;
  if (colour.inkKey === key) return colour.cellInks;
  const table = bufTable("cividis");
  const spread = colour.high - colour.low || 1;
  const ink = (value) =>
    Number.isFinite(value)
      ? table[Math.round(Math.min(1, Math.max(0, (value - colour.low) / spread)) * NDR_TOP)]
      : inks.bad;
  colour.cellInks = Uint32Array.from({ length: colour.cells }, (_, cell) => ink(colour.read(cell)));
  colour.inkKey = key;
  return colour.cellInks;
}

/** Pixels of a plane coloured by a column; `z` is the slice; `none` where an item has no colour, `bad` for NaN and Inf. */
export function ndrPaintColour(pixels, colour, range, under, z, inks) {
  const cellInks = ndrCellInks(colour, inks);
  const width = under.x.length;
  // A coloured range has an array of its size in memory: numbers are exact here.
  const sizes = range.size.map(Number);
  const fold = (index, list) => list.reduceRight((position, n, axis) => position * n + index[axis], 0);
  const [stepX, stepY, stepZ] = colour.flat ? [1, 1, 1] : [...colour.step].reverse();
  const shape = colour.flat ? sizes : [...colour.shape].reverse();
  const divide = colour.flat ? colour.step[0] : 1;
  const across = Float64Array.from(under.x, (x) => (x < range.size[0] ? Math.floor(Number(x) / stepX) : -1));
  const depth = range.dims > 2 ? Math.floor(Number(z) / stepZ) : 0;
  const outside = range.dims > 2 && z >= range.size[2];
  let last = -1;
  under.y.forEach((y, row) => {
    const at = row * width;
    if (outside || (range.dims > 1 && y >= range.size[1])) {
      pixels.fill(inks.none, at, at + width);
      last = -1;
      return;
    }
    const base = fold([0, range.dims > 1 ? Math.floor(Number(y) / stepY) : 0, depth].slice(0, range.dims), shape);
    if (base === last) {
      pixels.copyWithin(at, at - width, at);
      return;
    }
    last = base;
    for (let column = 0; column < width; column += 1) {
      const cell = across[column];
      pixels[at + column] =
        cell < 0 ? inks.none : cellInks[divide === 1 ? base + cell : Math.floor((base + cell) / divide)];
    }
  });
}
