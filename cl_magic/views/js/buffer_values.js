// Values, indices and scales of the buffer view: pure functions, no DOM.

import { counted, element } from "./base.js";

export const BUF_SIDES = ["before", "after", "difference"];
const BUF_RESERVED = [-Infinity, Infinity, NaN];

/** Number of a half's 16 bits. */
export function bufHalf(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return exponent ? sign * 2 ** (exponent - 15) * (1 + fraction / 1024) : sign * 2 ** -14 * (fraction / 1024);
}

/** A picture of the payload: its cells and how to read them; null where there is none. */
export function bufPicture(data, index, side) {
  const facts = data.head.arrays[index]?.pictures?.[side];
  const cells = data.columns[`${index}.${side}`];
  if (!facts || !cells) return null;
  const half = facts.code === "<f2" && facts.quantised === null;
  const codes = facts.quantised ? 2 ** (8 * cells.BYTES_PER_ELEMENT) - BUF_RESERVED.length : 0;
  const { low, high } = facts.quantised ?? {};
  const read = half ? (i) => bufHalf(cells[i])
    : codes ? (i) => bufDecoded(cells[i], codes, low, high)
      : typeof cells[0] === "bigint" ? (i) => Number(cells[i]) : (i) => cells[i];
  return { side, cells, shape: facts.shape, step: facts.step, method: facts.method, code: facts.code, codes, low, high, read,
    strides: bufStrides(facts.shape) };
}

/** Value of a quantised picture's code. */
export function bufDecoded(code, codes, low, high) {
  if (code >= codes) return BUF_RESERVED[code - codes];
  const share = codes > 1 ? code / (codes - 1) : 0;
  return low * (1 - share) + high * share;
}

/** Elements from one index of an axis to the next, in C order. */
export function bufStrides(shape) {
  const strides = new Array(shape.length).fill(1);
  for (let axis = shape.length - 2; axis >= 0; axis -= 1) strides[axis] = strides[axis + 1] * shape[axis + 1];
  return strides;
}

/** Index of the element at a place of the flattened array, and back. */
export function bufUnravel(linear, shape) {
  return bufStrides(shape).map((stride, axis) => Math.floor(linear / stride) % shape[axis]);
}

export function bufLinear(index, shape) {
  const strides = bufStrides(shape);
  return index.reduce((sum, at, axis) => sum + at * strides[axis], 0);
}

/** Shape of an array without the axis of its components. */
export function bufItems(array) {
  return array.components.length && array.kind !== "c" ? array.shape.slice(0, -1) : array.shape;
}

/** Whether a picture still has all components on its last axis. */
export function bufHasComponents(array, picture) {
  return array.components.length > 0 && picture.shape.at(-1) === array.components.length;
}

/** Place in a picture's cells of an element, given without its component; null outside. */
export function bufCellOf(array, picture, index, component = 0) {
  const full = bufHasComponents(array, picture) ? [...index, component] : index;
  if (full.length !== picture.shape.length && array.shape.length) return null;
  if (!array.shape.length) return component;
  let place = 0;
  for (let axis = 0; axis < full.length; axis += 1) {
    const last = axis === full.length - 1 && bufHasComponents(array, picture);
    let cell = last ? full[axis] : Math.floor(full[axis] / picture.step[axis]);
    if (picture.method === "range") cell -= cell % 2;
    if (cell < 0 || cell >= picture.shape[axis]) return null;
    place += cell * picture.strides[axis];
  }
  return place;
}

/** First element (without component) that a cell of the picture stands for. */
export function bufElementOf(array, picture, place) {
  const at = bufUnravel(place, picture.shape);
  const index = bufHasComponents(array, picture) ? at.slice(0, -1) : at;
  const items = bufItems(array);
  return index.map((cell, axis) => {
    const even = picture.method === "range" ? cell - (cell % 2) : cell;
    return Math.min(even * picture.step[axis], Math.max(0, (items[axis] ?? 1) - 1));
  }).slice(0, items.length);
}

/** Whether each cell is one element. */
export function bufIsExact(picture) {
  return picture.method === "exact" && picture.step.every((step) => step === 1);
}

/** Global id [x, y, z] of the work-item that an element belongs to; null where the shapes do not say. */
export function bufItemOf(array, range, index) {
  if (!range || !index) return null;
  const items = bufItems(array);
  const { global_size: size, global_offset: offset } = range;
  if (size.length === 1 && items.length === 1) {
    const id = index[0];
    return id >= offset[0] && id < offset[0] + size[0] ? [id] : null;
  }
  if (items.length === size.length && items.every((n, axis) => n === size[size.length - 1 - axis])) {
    return size.map((_, axis) => index[index.length - 1 - axis] + offset[axis]);
  }
  const total = size.reduce((product, n) => product * n, 1);
  if (items.length === 1 && items[0] === total) {
    const at = bufUnravel(index[0], [...size].reverse());
    return size.map((_, axis) => at[at.length - 1 - axis] + offset[axis]);
  }
  return null;
}

/** Element (without component) that belongs to a work-item; null where the shapes do not say. */
export function bufElementFor(array, range, item) {
  if (!range || !item) return null;
  const items = bufItems(array);
  const { global_size: size, global_offset: offset } = range;
  const local = size.map((_, axis) => (item[axis] ?? 0) - offset[axis]);
  if (local.some((at, axis) => at < 0 || at >= size[axis])) return null;
  if (size.length === 1 && items.length === 1) return item[0] < items[0] ? [item[0]] : null;
  if (items.length === size.length && items.every((n, axis) => n === size[size.length - 1 - axis])) return [...local].reverse();
  const total = size.reduce((product, n) => product * n, 1);
  return items.length === 1 && items[0] === total ? [bufLinear([...local].reverse(), [...size].reverse())] : null;
}

/** Group and local id of a work-item, where the local size is known. */
export function bufGroupOf(range, item) {
  if (!range?.local_size || !item) return null;
  const from = item.map((id, axis) => id - range.global_offset[axis]);
  return { group: from.map((id, axis) => Math.floor(id / range.local_size[axis])), local: from.map((id, axis) => id % range.local_size[axis]) };
}

/** An element in all its forms, as pairs of words. */
export function bufIndexWords(array, range, index, component = null) {
  const full = component === null || !array.components.length || array.kind === "c" ? index : [...index, component];
  const whole = array.shape.length === full.length;
  const linear = !array.shape.length ? 0 : whole ? bufLinear(full, array.shape) : bufLinear([...full, 0], array.shape);
  const item = bufItemOf(array, range, index);
  const group = bufGroupOf(range, item);
  const list = (numbers) => `(${numbers.map(counted).join(", ")})`;
  return [
    ["element", `${array.label}[${array.shape.length ? full.join(", ") : "()"}]`],
    ["linear index", counted(linear)],
    ["byte offset", counted(linear * array.item_bytes)],
    item && [`work-item (${["x", "x, y", "x, y, z"][item.length - 1]})`, list(item)],
    group && ["group, local id", `${list(group.group)}, ${list(group.local)}`],
  ].filter(Boolean);
}

/** Text of a value as it stands in an array; `about` marks one that was rounded or averaged. */
export function bufText(array, value, about = false) {
  if (value === null || value === undefined) return "–";
  if (array.kind === "b") return value ? "true" : "false";
  const plain = (array.kind === "f" || array.kind === "c") && Number.isInteger(value) && Math.abs(value) < 1e6;
  return (about ? "≈ " : "") + (plain ? `${counted(value)}.0000` : element(value));
}

/** What a cell that stands for several elements tells of them: `mean of 4 × 4 here `; "" where it is one element's own. */
export function bufReduced({ method, step }) {
  const what = { mean: "mean of", sample: "one of" }[method];
  return what && step.some((n) => n > 1) ? `${what} ${step.map(counted).join(" × ")} here ` : "";
}

/** Exact text of a cell where the picture is exact: integers of 64 bits keep their digits. */
export function bufCellText(array, picture, place) {
  const raw = picture.cells[place];
  if (typeof raw === "bigint") return counted(raw);
  return bufText(array, picture.read(place), picture.codes > 0 || !bufIsExact(picture));
}

const bufSymmetric = (value, unit) => Math.sign(value) * Math.log1p(Math.abs(value) / unit);

/** A scale of values: `share(value)` from 0 to 1 (clipped), `value(share)` back. */
export function bufScale(kind, low, high, least = 0) {
  if (!(high > low)) { const room = Math.max(0.5, Math.abs(low) * 1e-6); low -= room; high += room; }
  const clip = (share) => Math.min(1, Math.max(0, share));
  if (kind === "log" && high > 0) {
    const from = low > 0 ? low : Math.min(least > 0 ? least : high / 1e6, high / 10);
    const width = Math.log(high / from);
    return { kind, low: from, high, share: (v) => (v <= from ? 0 : clip(Math.log(v / from) / width)), value: (s) => from * Math.exp(s * width), cut: low <= 0 };
  }
  if (kind === "symmetric") {
    const most = Math.max(Math.abs(low), Math.abs(high));
    const unit = most / 1e3;
    const [a, b] = [bufSymmetric(low, unit), bufSymmetric(high, unit)];
    return { kind, low, high, share: (v) => clip((bufSymmetric(v, unit) - a) / (b - a)), value: (s) => { const t = a + s * (b - a); return Math.sign(t) * Math.expm1(Math.abs(t)) * unit; } };
  }
  const half = high / 2 - low / 2;
  return { kind: "linear", low, high, share: (v) => clip((v / 2 - low / 2) / half), value: (s) => low * (1 - s) + high * s };
}

/** Least and greatest finite value, least positive one, and counts of a picture's cells. */
export function bufEnds(picture) {
  let [low, high, least, bad, denormal] = [Infinity, -Infinity, Infinity, 0, 0];
  const tiny = { "<f4": 1.17549435e-38, "<f8": 2.2250738585072014e-308, "<f2": 6.103515625e-5 }[picture.code] ?? 0;
  for (let i = 0; i < picture.cells.length; i += 1) {
    const value = picture.read(i);
    if (!Number.isFinite(value)) { bad += 1; continue; }
    if (value < low) low = value;
    if (value > high) high = value;
    if (value > 0 && value < least) least = value;
    if (value !== 0 && Math.abs(value) < tiny) denormal += 1;
  }
  return high < low ? { low: 0, high: 0, least: 0, bad, denormal } : { low, high, least: Number.isFinite(least) ? least : 0, bad, denormal };
}

/** Where a difference map saturates: a round number above 99 per cent of the cells. */
export function bufLimit(picture, most) {
  const sizes = [];
  const jump = Math.max(1, Math.floor(picture.cells.length / 20000));
  for (let i = 0; i < picture.cells.length; i += jump) {
    const size = Math.abs(picture.read(i));
    if (Number.isFinite(size)) sizes.push(size);
  }
  sizes.sort((a, b) => a - b);
  const near = sizes.length ? sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * 0.99))] : 0;
  const limit = bufNiceAbove(near > 0 ? near : most);
  return limit < most ? { limit, beyond: true } : { limit: bufNiceAbove(most), beyond: false };
}

/** The next of 1, 2, 5 times a power of ten. */
export function bufNiceAbove(value) {
  if (!(value > 0) || !Number.isFinite(value)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 5, 10].find((step) => value <= step * power * (1 + 1e-9)) ?? 10;
  return Number((factor * power).toPrecision(3));
}

/** Places of cells that are no finite numbers, or denormal, at most `most` of each kind. */
export function bufSpecials(picture, most = 200) {
  const tiny = bufIsExact(picture) ? { "<f4": 1.17549435e-38, "<f8": 2.2250738585072014e-308, "<f2": 6.103515625e-5 }[picture.code] ?? 0 : 0;
  const found = { NaN: [], Inf: [], denormal: [] };
  if ("iub".includes(picture.code[1]) && !picture.codes) return found;
  for (let i = 0; i < picture.cells.length; i += 1) {
    const value = picture.read(i);
    if (Number.isNaN(value)) { if (found.NaN.length < most) found.NaN.push(i); }
    else if (!Number.isFinite(value)) { if (found.Inf.length < most) found.Inf.push(i); }
    else if (value !== 0 && Math.abs(value) < tiny && found.denormal.length < most) found.denormal.push(i);
  }
  return found;
}
