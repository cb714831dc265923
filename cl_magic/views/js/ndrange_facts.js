// What is said beside the picture: conclusion, ids of the selected work-item, launches, key, limits, reasons.

import { NARROW, counted, element, h, table } from "./base.js";
import { ndrCount, ndrElement, ndrExtra, ndrStride } from "./ndrange_geometry.js";

const NDR_NOUNS = [
  ["item", "items"],
  ["column", "columns"],
  ["row", "rows"],
  ["layer", "layers"],
];

export const ndrTimes = (sizes) => sizes.map(counted).join(" × ");
export const ndrIds = (ids) => (ids.length === 1 ? counted(ids[0]) : `(${ids.map(counted).join(", ")})`);
export const ndrNoun = (count, one, many) => `${counted(count)} ${count === 1n || count === 1 ? one : many}`;

/** `8 columns and 3 rows`: what fills no group. */
export function ndrRest(range) {
  if (!range.local) return "";
  const rests = range.size
    .map((n, axis) => [n % range.local[axis], NDR_NOUNS[range.dims === 1 ? 0 : axis + 1]])
    .filter(([n]) => n > 0n);
  return rests.map(([n, [one, many]]) => ndrNoun(n, one, many)).join(" and ");
}

/** The parts of the first line. */
export function ndrConclusion(range) {
  const items = ndrCount(range.size);
  const words = [
    `${ndrTimes(range.size)}${range.dims > 1 ? ` = ${counted(items)}` : ""} ${items === 1n ? "item" : "items"}`,
  ];
  if (!range.local) return [...words, "groups chosen by the driver, which does not say their size"];
  words.push(range.dims === 1 ? `groups of ${counted(range.local[0])}` : `${ndrTimes(range.local)} groups`);
  words.push(
    `${range.dims > 1 ? `${ndrTimes(range.groups)} = ` : ""}${ndrNoun(ndrCount(range.groups), "group", "groups")}`,
  );
  const rest = ndrRest(range);
  if (range.padded) words.push(`${counted(ndrCount(range.launched) - items)} padding items`);
  else if (rest) words.push(`remainder ${rest}`);
  else words.push("no remainder");
  if (range.offset.some((n) => n > 0n)) words.push(`from global id ${ndrIds(range.offset)}`);
  return words;
}

/** The sentence for those who do not see the picture. */
export function ndrSentence(range, item) {
  const chosen = item
    ? ` Work-item ${ndrIds(item.globalId)} is selected${item.groupId ? `: group ${ndrIds(item.groupId)}, local ${ndrIds(item.localId)}` : ""}.`
    : "";
  return `NDRange: ${ndrConclusion(range).join(", ")}.${chosen} Arrow keys move the selected work-item, with Shift by a group; plus and minus zoom, Home shows the whole range.`;
}

/** Rows [name, x, y, z, linear] of all kinds of ids of an item. */
export function ndrIdRows(range, item) {
  const rows = [["global id", ...item.globalId.map(counted), counted(item.globalLinear)]];
  if (!item.groupId) return rows;
  return [
    ...rows,
    ["group id", ...item.groupId.map(counted), counted(item.groupLinear)],
    ["local id", ...item.localId.map(counted), counted(item.localLinear)],
    ["size of its group", ...item.localSize.map(counted), counted(ndrCount(item.localSize))],
  ];
}

const NDR_REDUCED = { mean: "mean of", middle: "middle of", sample: "one of" };

/** What a cell that stands for several elements tells of them: `mean of 4 × 4 here`; "" where it is one element's own. */
export function ndrReduced({ method, step }) {
  const blocks = (step ?? []).filter((n) => n > 1).length ? step : [];
  return blocks.length ? `${NDR_REDUCED[method] ?? "one of"} ${blocks.map(counted).join(" × ")} here ` : "";
}

/** Value of a colour at a place in words; "" where there is none. */
export function ndrValue(colour, place) {
  const value = colour?.at(place);
  if (value === null || value === undefined) return "";
  const whole = ["i", "u", "b"].includes(colour.kind) && colour.exact;
  return `${ndrReduced(colour)}${colour.exact ? "" : "≈ "}${whole || !Number.isInteger(value) ? element(value) : `${counted(value)}.0000`}`;
}

/** `[name, text]` of everything else that is known of an item. */
export function ndrMore(range, item, { arrays, subGroup, colours }) {
  const found = [];
  const last = arrays.findLastIndex((array) => array.written);
  const order = [...arrays.filter((_, n) => n === last), ...arrays.filter((_, n) => n !== last)];
  const elements = [];
  for (const array of order.slice(0, 4)) {
    const at = ndrElement(range, item.place, array);
    const shown = colours.find((colour) => colour.name === array.name);
    const value = at && shown ? ndrValue(shown, item.place) : "";
    if (at)
      elements.push(`${array.label}[${at.join(", ")}]${value ? `${value.startsWith("≈") ? "" : shown.exact ? " =" : ","} ${value}` : ""}`);
  }
  if (elements.length) found.push(["element", elements.join(", ")]);
  if (!arrays.length && !item.padding) found.push(["element", `[${[...item.place].reverse().join(", ")}]`]);
  for (const colour of colours)
    if (!arrays.some((array) => array.name === colour.name) && !item.padding)
      found.push([colour.name, ndrValue(colour, item.place)]);
  if (range.parts.length > 1)
    found.push(["launch", `${item.part + 1} of ${range.parts.length}, ${range.parts[item.part].role}`]);
  if (item.padding) found.push(["padding", "launched, but outside the range"]);
  if (subGroup && item.localLinear !== null) {
    const size = BigInt(subGroup.size);
    found.push([
      "sub-group",
      `${counted(item.localLinear / size)} of its group, item ${counted(item.localLinear % size)} of ${counted(size)}`,
    ]);
  }
  return found;
}

export function ndrPairs(pairs) {
  return pairs.length
    ? h(
        "dl",
        { class: "ndr-pairs" },
        pairs.map(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]),
      )
    : "";
}

/** A table whose first head says what it is. */
export function ndrTable(heads, rows, label) {
  const made = table(heads, rows);
  made.setAttribute("aria-label", label);
  return made;
}

/** The launches, one a row. */
export function ndrLaunches(range) {
  if (range.parts.length < 2) return "";
  const groups = (part) => part.size.map((n, axis) => (n + part.local[axis] - 1n) / part.local[axis]);
  const rows = range.parts.map((part, n) => [
    `${n + 1}, ${part.role}`,
    ndrIds(part.offset),
    ndrTimes(part.size),
    ndrTimes(part.local),
    `${ndrTimes(groups(part))}${range.dims > 1 ? ` = ${counted(ndrCount(groups(part)))}` : ""}`,
    counted(ndrCount(part.size)),
  ]);
  rows.push([
    "together",
    "",
    ndrTimes(range.size),
    "",
    `${ndrTimes(range.groups)}${range.dims > 1 ? ` = ${counted(ndrCount(range.groups))}` : ""}`,
    counted(ndrCount(range.size)),
  ]);
  return ndrTable(["launch", "offset>", "global>", "local>", "groups>", "work-items>"], rows, "launches");
}

/** Sizes against the device's limits: numbers, and a bar each. */
export function ndrLimits(limits, device) {
  if (!limits.length) return "";
  const bytes = (n) => (n >= 1024 && n % 1024 === 0 ? `${counted(n / 1024)}${NARROW}KiB` : `${counted(n)}${NARROW}B`);
  const rows = limits.map((row) => {
    const text = row.unit === "B" ? bytes : counted;
    const share = row.here / Math.max(1, row.most);
    const bar = h(
      "span",
      { class: share > 1 ? "ndr-used over" : "ndr-used", "aria-hidden": "true" },
      h("i", { style: { width: `${Math.max(2, Math.min(1, share) * 100)}%` } }),
    );
    return [row.name, text(row.here), text(row.most), bar];
  });
  const notes = limits
    .map((row) => [row.name, row.each ? `at most ${ndrNoun(BigInt(row.each), "group", "groups")} each` : row.note])
    .filter(([, note]) => note);
  return h(
    "div",
    {},
    ndrTable([`limits of ${device}`, "here>", "of>", ""], rows, `limits of ${device}`),
    notes.map(([name, note]) => h("p", { class: "dim sm" }, `${name}: ${note}`)),
  );
}

/** What the marks mean: `[mark, words]`; `marks` are drawn by the view. */
export function ndrKey(range, { x, y }, colour, launch) {
  const found = [];
  const strides = [x, y].slice(0, range.dims).map(ndrStride);
  const field = strides.some((n) => n > 1n) ? `; a field is ${ndrTimes(strides)} of them` : "";
  const whole = range.local ? ndrCount(range.size.map((n, axis) => n / range.local[axis])) : 0n;
  if (!colour && range.local)
    found.push([
      "groups",
      `${range.dims === 1 ? `groups of ${counted(range.local[0])}` : `${ndrTimes(range.local)} groups`}, ${counted(whole)} whole${field}`,
    ]);
  const rest = ndrRest(range);
  if (range.padded) found.push(["padding", `padding: ${ndrTimes(range.launched)} are launched`]);
  else if (rest) {
    const how = ["split", "rebuilt"].includes(range.mode)
      ? range.parts.length > 1
        ? `launched separately${range.parts.length > 2 ? `, in ${range.parts.length - 1} launches` : ""}`
        : "one smaller group"
      : "smaller groups in the same launch";
    found.push(["remainder", `remainder ${rest}, ${how}`]);
    if (range.size.filter((n, axis) => n % range.local[axis] > 0n).length > 1)
      found.push(["corner", "corner: remainder in more than one dimension"]);
  }
  if (ndrExtra(x) > 0 || ndrExtra(y) > 0) found.push([null, "thin strips are drawn 6 px wide"]);
  if (range.offset.some((n) => n > 0n))
    found.push(["offset", `ids below the offset ${ndrIds(range.offset)}: not launched, not to scale`]);
  if (launch !== null && range.parts.length > 1) found.push(["launch", `launch ${launch + 1}, selected`]);
  found.push(["select", range.local ? "selected group and work-item" : "selected work-item"]);
  return found;
}
