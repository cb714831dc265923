// Elements as they are in memory: records as a table, bytes in hexadecimal with their characters.

import { counted, h, table } from "./base.js";
import { bufHalf, bufText } from "./buffer_values.js";

export const BUF_ROW = 16;
const BUF_READERS = {
  i1: "getInt8", u1: "getUint8", b1: "getUint8", i2: "getInt16", u2: "getUint16", i4: "getInt32", u4: "getUint32", i8: "getBigInt64", u8: "getBigUint64",
  f4: "getFloat32", f8: "getFloat64",
};

/** One number at a byte: `code` is a dtype as NumPy writes it, `swapped` where the great end comes first. */
export function bufReadNumber(bytes, at, code, swapped = false) {
  const kind = code.slice(1);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (kind === "f2") return bufHalf(view.getUint16(at, !swapped));
  return BUF_READERS[kind] ? view[BUF_READERS[kind]](at, !swapped) : null;
}

/** Text of a member of a record: up to four numbers of it. */
export function bufMemberText(bytes, at, member) {
  const count = member.shape.reduce((product, n) => product * n, 1);
  const size = Number(member.code.slice(2));
  const texts = [];
  for (let i = 0; i < Math.min(4, count); i += 1) {
    const value = bufReadNumber(bytes, at + member.offset + i * size, member.code, member.swapped);
    texts.push(value === null ? "?" : bufText({ kind: member.code[1] }, value));
  }
  return member.shape.length ? `(${texts.join(", ")}${count > 4 ? ", …" : ""})` : texts[0];
}

function bufSameBytes(one, two, from, to) {
  for (let i = from; i < to; i += 1) if (one[i] !== two[i]) return false;
  return true;
}

/** Records as a table: a row each, changed members bold with what they were before. */
export function bufRecordTable(array, bytes, selected, pick) {
  const { start, before, after } = bytes;
  const now = after ?? before;
  const first = start / array.item_bytes;
  const rows = [];
  for (let row = 0; (row + 1) * array.item_bytes <= now.length; row += 1) {
    const at = row * array.item_bytes;
    const cells = array.members.map((member) => {
      const size = Number(member.code.slice(2)) * member.shape.reduce((product, n) => product * n, 1);
      const text = bufMemberText(now, at, member);
      const same = !after || bufSameBytes(before, after, at + member.offset, at + member.offset + size);
      return same ? h("span", { class: "mono" }, text)
        : h("span", { class: "mono" }, h("span", { class: "dim" }, `${bufMemberText(before, at, member)} → `), h("b", {}, text));
    });
    const name = `${array.label}[${counted(first + row)}]`;
    rows.push([h("button", { type: "button", class: "mono buf-plain", "aria-pressed": String(selected === first + row), onclick: () => pick(first + row) }, name), ...cells]);
  }
  return bufTall(table([array.element_type || "record", ...array.members.map((member) => `${member.name}>`)], rows,
    `elements of ${array.label}${after ? ": after the run, changed members bold after what they were before" : ""}`));
}

function bufTall(scroll) {
  scroll.classList.add("buf-tall");
  return scroll;
}

/** Bytes as lines: `{offset, hex: [{text, changed}], letters}`. */
export function bufHexLines({ start, before, after }) {
  const now = after ?? before;
  const lines = [];
  for (let from = 0; from < now.length; from += BUF_ROW) {
    const hex = [];
    let letters = "";
    for (let i = from; i < Math.min(now.length, from + BUF_ROW); i += 1) {
      hex.push({ text: now[i].toString(16).padStart(2, "0"), changed: Boolean(after) && before !== null && before[i] !== after[i] });
      letters += now[i] >= 32 && now[i] < 127 ? String.fromCharCode(now[i]) : "·";
    }
    lines.push({ offset: start + from, hex, letters });
  }
  return lines;
}

/** The hexadecimal view of some bytes; those of the selected element are marked. */
export function bufHexTable(array, bytes, selected) {
  const own = selected === null ? null : [selected * array.item_bytes, (selected + 1) * array.item_bytes];
  const digits = Math.max(4, (array.size * array.item_bytes).toString(16).length);
  const rows = bufHexLines(bytes).map(({ offset, hex, letters }) => {
    const cells = hex.map(({ text, changed }, i) => {
      const mine = own && offset + i >= own[0] && offset + i < own[1];
      return [i ? (i % 8 ? " " : "  ") : "", h(changed ? "b" : "span", { class: mine ? "buf-mine" : null }, text)];
    });
    return [h("span", { class: "mono dim" }, `0x${offset.toString(16).padStart(digits, "0")}`),
      h("span", { class: "mono buf-hex" }, cells), h("span", { class: "mono dim buf-hex" }, letters)];
  });
  return bufTall(table(["byte", "hexadecimal", "ASCII"], rows,
    `bytes of ${array.label}${bytes.after ? ", after the run; changed ones are bold" : ""}`));
}
