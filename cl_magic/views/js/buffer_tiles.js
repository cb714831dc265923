// Exact elements of the part that is looked at, asked of the kernel where it lives.

import { bufPlane, bufWindow } from "./buffer_geometry.js";
import { bufHalf, bufIsExact, bufItems, bufStrides } from "./buffer_values.js";

const BUF_TILE_ELEMENTS = 65536;
const BUF_SETTLE_MS = 120;
const BUF_KINDS = { f4: Float32Array, f8: Float64Array, f2: Uint16Array, i1: Int8Array, u1: Uint8Array, b1: Uint8Array, i2: Int16Array, u2: Uint16Array, i4: Int32Array,
  u4: Uint32Array, i8: BigInt64Array, u8: BigUint64Array };

/** Bytes of an answer as a picture whose cells are elements. */
export function bufTilePicture(buffer, code, shape) {
  const Kind = BUF_KINDS[code.slice(1)];
  const bytes = buffer instanceof ArrayBuffer ? new Uint8Array(buffer) : new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  const count = shape.reduce((product, n) => product * n, 1);
  if (!Kind || bytes.byteLength !== count * Kind.BYTES_PER_ELEMENT) return null;
  const cells = new Kind(bytes.slice().buffer);
  const read = code === "<f2" ? (i) => bufHalf(cells[i]) : typeof cells[0] === "bigint" ? (i) => Number(cells[i]) : (i) => cells[i];
  return { cells, shape, step: shape.map(() => 1), method: "exact", code, codes: 0, read, strides: bufStrides(shape) };
}

/** The part of a plane to ask for: whole elements that are seen; null where those are too many. */
export function bufRegion(model, plane, seen) {
  const left = Math.max(0, Math.floor(seen.left));
  const top = Math.max(0, Math.floor(seen.top));
  const right = Math.min(plane.width, Math.ceil(seen.left + seen.columns));
  const bottom = Math.min(plane.height, Math.ceil(seen.top + seen.rows));
  const many = plane.components ? model.array.components.length : 1;
  if ((right - left) * (bottom - top) * many > BUF_TILE_ELEMENTS) return null;
  const start = bufItems(model.array).map((_, axis) => model.state.fixed[axis] ?? 0);
  const stop = start.map((at) => at + 1);
  if (plane.row !== null) [start[plane.row], stop[plane.row]] = [top, bottom];
  if (plane.column !== null) [start[plane.column], stop[plane.column]] = [left, right];
  return { start, stop, left, top };
}

export class BufTiles {
  constructor(ask, redraw) {
    Object.assign(this, { ask, redraw, kept: new Map(), asked: "", timer: 0, refused: "" });
  }

  /** The tile of this side that lies in the plane shown; null where there is none. */
  find(model, side, plane) {
    const tile = this.kept.get(side);
    if (!tile || tile.array !== model.array.name || tile.serial !== model.serial) return null;
    if (plane.fixed.some((axis) => tile.start[axis] !== (model.state.fixed[axis] ?? 0)) || tile.row !== plane.row || tile.column !== plane.column) return null;
    return tile.component === model.state.component ? tile : null;
  }

  /** Ask for what is seen, when the view has come to rest. */
  settle(model, size) {
    clearTimeout(this.timer);
    const side = model.latest;
    const picture = model.picture(side);
    if (!this.ask || !picture || model.state.form !== "picture" || model.state.component < 0 || bufIsExact(picture) || this.refused === model.array.name) return;
    const plane = bufPlane(model.array, picture, model.state);
    const region = bufRegion(model, plane, bufWindow(plane, size, model.state.view));
    if (!region) return;
    const key = JSON.stringify([model.array.name, model.serial, region.start, region.stop, model.state.component]);
    if (key === this.asked) return;
    this.timer = setTimeout(() => { this.asked = key; this.fetch(model, side, plane, region, key); }, BUF_SETTLE_MS);
  }

  async fetch(model, side, plane, region, key) {
    const answer = await this.ask({ part: "elements", array: model.array.name, start: region.start, stop: region.stop, step: region.start.map(() => 1) });
    if (key !== this.asked) return;
    if (answer.error || answer.changed || !answer.buffers?.length) { this.refused = model.array.name; this.reason = answer.error ?? answer.changed; this.redraw(); return; }
    const picture = bufTilePicture(answer.buffers[0], answer.dtype, answer.shape);
    if (!picture) return;
    const last = model.array.components.length && picture.shape.length > model.items.length ? picture.strides.at(-1) : 0;
    const along = (axis, list, none) => (axis === null ? none : list[axis]);
    const tilePlane = { rows: along(plane.row, picture.shape, 1), columns: along(plane.column, picture.shape, 1), offset: last * Math.max(0, model.state.component),
      down: along(plane.row, picture.strides, 0), right: along(plane.column, picture.strides, 0) };
    this.kept.set(side, { ...region, array: model.array.name, serial: model.serial, component: model.state.component, row: plane.row, column: plane.column, picture, plane: tilePlane });
    this.redraw();
  }

  /** Raw bytes of the array: {start, before: bytes}; null where nobody answers. */
  async bytes(model, start, count) {
    if (!this.ask) return null;
    const answer = await this.ask({ part: "bytes", array: model.array.name, start, count });
    if (answer.error || !answer.buffers?.length) return null;
    const buffer = answer.buffers[0];
    return { start: answer.start, before: buffer instanceof ArrayBuffer ? new Uint8Array(buffer) : new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength), after: null, now: true };
  }
}
