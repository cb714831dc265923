// Which cells of a picture a plane shows, and where they lie on the screen: pure functions.

import { bufHasComponents, bufItems } from "./buffer_values.js";

const BUF_MOST_PIXELS = 48;
const BUF_LEAST_SIDE = 40;

/** Axes that rows and columns of the plane are, and those that sliders fix; `slice` is the axis fixed of three. */
export function bufAxes(array, slice) {
  const count = bufItems(array).length;
  const all = [...Array(count).keys()];
  if (count < 2) return { row: null, column: count ? 0 : null, fixed: [] };
  const [row, column] = count === 3 && slice !== null ? all.filter((axis) => axis !== slice) : all.slice(-2);
  return { row, column, fixed: all.filter((axis) => axis !== row && axis !== column) };
}

/** Where the cells of a plane lie in a picture: `{rows, columns, offset, down, right, rowStep, columnStep, …}`. */
export function bufPlane(array, picture, { slice = null, fixed = {}, component = 0 } = {}) {
  const axes = bufAxes(array, slice);
  const { shape, step, strides } = picture;
  let offset = bufHasComponents(array, picture) ? (component < 0 ? 0 : component) * strides.at(-1) : 0;
  for (const axis of axes.fixed) {
    const cell = Math.min(shape[axis] - 1, Math.floor((fixed[axis] ?? 0) / step[axis]));
    offset += cell * strides[axis];
  }
  const of = (axis, list, none) => (axis === null ? none : list[axis]);
  const items = bufItems(array);
  return {
    ...axes, offset, components: bufHasComponents(array, picture) ? strides.at(-1) : 0,
    rows: of(axes.row, shape, 1), columns: of(axes.column, shape, 1), down: of(axes.row, strides, 0), right: of(axes.column, strides, 0),
    rowStep: of(axes.row, step, 1), columnStep: of(axes.column, step, 1), height: of(axes.row, items, 1), width: of(axes.column, items, 1),
  };
}

/** Size on the screen of a plane of `width` × `height` elements that has room for `most` pixels each way. */
export function bufFit(width, height, most, tallest) {
  const scale = Math.min(most / width, tallest / height, BUF_MOST_PIXELS);
  const side = (elements, room) => Math.min(room, Math.max(elements * scale, Math.min(BUF_LEAST_SIDE, elements * BUF_MOST_PIXELS)));
  return { width: side(width, most), height: side(height, tallest) };
}

/** The part of the plane that is seen: pixels of an element each way, and the first element (fractional). */
export function bufWindow(plane, size, view) {
  const across = (size.width / plane.width) * view.zoom;
  const down = (size.height / plane.height) * view.zoom;
  return { across, down, left: view.x, top: view.y, columns: size.width / across, rows: size.height / down };
}

/** The view moved so that it stays inside the plane. */
export function bufClamped(view, plane) {
  const zoom = Math.max(1, view.zoom);
  const inside = (at, length) => Math.min(Math.max(0, at), length - length / zoom);
  return { zoom, x: inside(view.x, plane.width), y: inside(view.y, plane.height) };
}

/** The view zoomed by a factor about a point of the plane, given in elements. */
export function bufZoomed(view, plane, factor, x, y) {
  const most = Math.max(1, Math.max(plane.width, plane.height) / 4);
  const zoom = Math.min(most, Math.max(1, view.zoom * factor));
  const ratio = view.zoom / zoom;
  return bufClamped({ zoom, x: x - (x - view.x) * ratio, y: y - (y - view.y) * ratio }, plane);
}

/** The view moved by the least so that an element is seen. */
export function bufSeeing(view, plane, row, column) {
  const wide = plane.width / view.zoom;
  const high = plane.height / view.zoom;
  const x = column < view.x ? column : column + 1 > view.x + wide ? column + 1 - wide : view.x;
  const y = row < view.y ? row : row + 1 > view.y + high ? row + 1 - high : view.y;
  return bufClamped({ zoom: view.zoom, x, y }, plane);
}

/** Least and greatest value of each of `count` equal stretches of a line of cells: NaN where one has no finite value. */
export function bufEnvelope(read, length, first, last, count) {
  const low = new Float64Array(count).fill(NaN);
  const high = new Float64Array(count).fill(NaN);
  const bad = new Uint8Array(count);
  const width = (last - first) / count;
  for (let i = Math.max(0, Math.floor(first)); i < Math.min(length, Math.ceil(last)); i += 1) {
    const at = Math.min(count - 1, Math.max(0, Math.floor((i + 0.5 - first) / width)));
    const value = read(i);
    if (!Number.isFinite(value)) { bad[at] = 1; continue; }
    if (!(value >= low[at])) low[at] = value;
    if (!(value <= high[at])) high[at] = value;
  }
  return { low, high, bad };
}

/** About `count` round numbers from `low` to `high`. */
export function bufTicks(low, high, count) {
  const about = (high - low) / count;
  if (!(about > 0) || !Number.isFinite(about)) return [];
  const power = 10 ** Math.floor(Math.log10(about));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= about * 0.999);
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9 && ticks.length < 50; i += 1) ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}
