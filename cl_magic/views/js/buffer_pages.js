// The bytes that are at hand, page by page: from exact pictures, the excerpt of the record, or the kernel's answer.

import { counted, h } from "./base.js";
import { bufHexTable, bufRecordTable } from "./buffer_bytes.js";
import { bufIsExact, bufItems, bufLinear } from "./buffer_values.js";

export const BUF_PAGE = 256;

/** All bytes of the array where its pictures are exact: {before, after}; null elsewhere. */
export function bufAllBytes(model) {
  const exact = (picture) => picture && bufIsExact(picture) && !picture.codes
    && picture.cells.byteLength === model.array.size * model.array.item_bytes;
  const { before, after } = model.pictures;
  if (!exact(before) || (after && !exact(after))) return null;
  const bytes = ({ cells }) => new Uint8Array(cells.buffer, cells.byteOffset, cells.byteLength);
  return { before: bytes(before), after: after ? bytes(after) : null };
}

/** Bytes to show now: {start, before, after}; null where the kernel has to be asked. */
export function bufBytesOf(model) {
  const { state, array, data, index } = model;
  const all = bufAllBytes(model);
  const size = array.size * array.item_bytes;
  if (all) {
    const start = Math.min(state.page ?? bufFirstPage(model, all), Math.max(0, size - 1));
    const cut = (bytes) => bytes && bytes.subarray(start, start + BUF_PAGE);
    return { start, before: cut(all.before), after: cut(all.after) };
  }
  const kept = data.columns[`${index}.bytes_before`];
  const start = array.bytes_start;
  if (!kept || (state.page !== null && state.page !== start)) return null;
  return { start, before: kept, after: data.columns[`${index}.bytes_after`] ?? null };
}

function bufFirstPage(model, { before, after }) {
  const own = bufSelectedLinear(model);
  if (own !== null) return Math.floor((own * model.array.item_bytes) / BUF_PAGE) * BUF_PAGE;
  const first = after ? before.findIndex((byte, i) => byte !== after[i]) : 0;
  return Math.floor(Math.max(0, first) / BUF_PAGE) * BUF_PAGE;
}

/** Number of the selected element in the flattened array; null where none is. */
export function bufSelectedLinear(model) {
  const { selected } = model.state;
  if (!selected) return null;
  const full = [...selected, ...new Array(model.array.shape.length - bufItems(model.array).length).fill(0)];
  return bufLinear(full, model.array.shape);
}

/** Records or bytes with the buttons that turn pages. */
export function bufBytesView(model, bytes, { page, asks }) {
  const { array, state } = model;
  if (!bytes) return h("p", { class: "dim" }, "These bytes are not in the record, and no kernel answers.", " ", h("button", { type: "button", onclick: () => page(null) }, "back to those that are"));
  const size = array.size * array.item_bytes;
  const shown = (bytes.after ?? bytes.before).length;
  const own = bufSelectedLinear(model);
  const pick = (linear) => model.select(bufPlace(linear, bufItems(array)));
  const body = state.form === "table" ? bufRecordTable(array, bytes, own, pick) : bufHexTable(array, bytes, own);
  const can = asks || bufAllBytes(model) !== null;
  const step = Math.max(shown, BUF_PAGE);
  const turn = (text, to, name) => h("button", { type: "button", "aria-label": name, disabled: to === null, onclick: () => page(to) }, text);
  const at = bytes.start;
  const whole = (byte) => byte - (byte % array.item_bytes);
  const buttons = can && size > shown ? [turn("|‹", at > 0 ? 0 : null, "first page"), turn("‹", at > 0 ? whole(Math.max(0, at - step)) : null, "page before"),
    turn("›", at + shown < size ? at + shown : null, "next page"), turn("›|", at + shown < size ? whole(Math.max(0, size - step)) : null, "last page")] : [];
  const words = `bytes ${counted(at)} to ${counted(at + shown - 1)} of ${counted(size)}${bytes.now ? ", as the array is now" : ""}${array.swapped ? ", shown little end first (the array is stored great end first)" : ""}`;
  return h("div", {}, body, h("div", { class: "bar" }, buttons, h("span", { class: "dim sm" }, words)));
}

function bufPlace(linear, items) {
  const index = [];
  for (let axis = items.length - 1; axis >= 0; axis -= 1) { index.unshift(linear % items[axis]); linear = Math.floor(linear / items[axis]); }
  return index;
}
