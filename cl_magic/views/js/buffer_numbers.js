// The numbers of arrays as tables: what the pictures say, in words.

import { counted, element, h, table } from "./base.js";
import { bufHasComponents, bufText } from "./buffer_values.js";

const BUF_TITLES = { before: "before", after: "after", difference: "after − before" };

export function bufShapeText(array) {
  return array.shape.length ? array.shape.map(counted).join(" × ") : "one value";
}

export function bufTypeText(array) {
  if (array.kind === "V") return `${array.dtype.replace("record", array.size === 1 ? "record" : "records")}${array.element_type ? ` (${array.element_type})` : ""}`;
  return /[a-z]\d+$/.test(array.element_type) && array.element_type !== array.dtype && array.components.length ? `${array.dtype} (${array.element_type})` : array.dtype;
}

function bufEndText(array, statistics, at) {
  if (statistics.exact) return statistics.exact[at].replace("-", "−").replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
  return bufText(array, at ? statistics.max : statistics.min);
}

/** Table of one array's statistics: a row for before, after, difference, or for each member. */
export function bufStatisticsTable(array) {
  const bad = (count) => (count ? h("b", { class: "buf-bad" }, counted(count)) : "0");
  const row = (name, dtype, owner, found) => [h("span", { class: "mono" }, name), dtype, bufEndText(owner, found, 0),
    found.mean === null ? "–" : bufText({ kind: "f" }, found.mean), bufEndText(owner, found, 1), bad(found.nan), bad(found.inf), counted(found.denormal)];
  const rows = [];
  for (const [side, title] of Object.entries(BUF_TITLES)) {
    const found = array.statistics[side];
    if (found && !array.member_numbers.length) rows.push(row(array.written && array.statistics.before ? `${array.label} ${title}` : array.label, array.dtype, array, found));
  }
  for (const member of array.member_numbers) {
    const owner = { kind: member.dtype === "bool" ? "b" : member.dtype.startsWith("float") ? "f" : "i" };
    const dtype = member.dtype + (member.shape.length ? ` × ${member.shape.join(" × ")}` : "");
    rows.push(row(`${array.label}.${member.name}${member.after ? " before" : ""}`, dtype, owner, member.before));
    if (member.after) rows.push(row(`${array.label}.${member.name} after`, dtype, owner, member.after));
  }
  return table(["array", "dtype", "min>", "mean>", "max>", "NaN>", "Inf>", "denormal>"], rows, `statistics of ${array.label}`);
}

/** What happened to the array, first: `changed in 7 of 9 elements`. */
export function bufConclusion(array) {
  const parts = [`${bufShapeText(array)} ${bufTypeText(array)}`];
  if (array.changed !== null) {
    parts.push(array.changed === 0 ? "not changed"
      : `changed in ${counted(array.changed)} of ${counted(array.statistics.after?.count ?? array.size)} ${array.sampled ? "looked at" : "elements"}`);
  } else if (!array.written && array.statistics.before) parts.push("read, not written");
  if (!array.statistics.before && !array.statistics.after) parts.push("nothing was captured");
  return parts;
}

/** How the picture was made from the elements, in one sentence; "" where each cell is an element. */
export function bufReduction(array, picture) {
  if (!picture) return "";
  const said = [];
  const axes = bufHasComponents(array, picture) ? picture.step.slice(0, -1) : picture.step;
  const each = [...axes].reverse().map(counted).join(" × ");
  const steps = picture.step.filter((step) => step > 1);
  if (picture.method === "range" && steps.length) said.push(`Drawn from the least and greatest of each ${counted(2 * picture.step[0])} elements.`);
  else if (picture.method === "mean" && steps.length) said.push(`Each cell is the mean of ${each} elements.`);
  else if (picture.method === "sample" && steps.length) {
    said.push(`Drawn from ${counted(picture.cells.length)} of ${counted(array.size)} elements, one of each ${each}.`);
  }
  if (picture.codes) said.push(`Drawn in ${counted(picture.codes)} steps from ${element(picture.low)} to ${element(picture.high)}; the numbers in the table are exact.`);
  if (array.note) said.push(`${array.note[0].toUpperCase()}${array.note.slice(1)}.`);
  return said.join(" ");
}
