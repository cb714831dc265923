// The device picker: rows of devices to choose from, drivers in trouble with the remedy, a filter, a new search.

import { frame, h } from "../../views/js/base.js";
import { OWN_KEYS, PICKER_STYLE, pickerMark } from "./picker_style.js";

const COPIED_MS = 1500;
/** A remedy that is to be typed, rather than a sentence. */
const COMMAND = /^(sudo|rm|chmod|pip|conda|apt|export|unset|%opencl) [^;]*$/;

/** Whether a row has all words of a filter; thousands may be typed with or without a blank between digits. */
export function rowMatches(row, filter) {
  const words = filter.toLowerCase().split(/[\s,]+/).filter(Boolean);
  const text = row.search.replaceAll("\u202f", " ");
  return words.every((word) => text.includes(word));
}

/** The line of facts above the table. */
export function headWords(picture, shown, chosen) {
  const all = picture.rows.length;
  const words = [picture.head.join(" ")];
  if (picture.shared.length) words.push(`all have ${picture.shared.join(", ")}`);
  if (picture.troubles.length) words.push(`${picture.troubles.length} ${picture.troubles.length === 1 ? "driver" : "drivers"} in trouble`);
  if (shown < all) words.push(`${shown} of ${all} shown`);
  const row = picture.rows.find(({ id }) => id === chosen);
  words.push(row ? `chosen: ${row.name}` : "none chosen");
  return words;
}

function render({ model, el }) {
  const held = frame(el, "OpenCL devices");
  const group = `device-${Math.random().toString(36).slice(2)}`;
  const head = h("p", { class: "head", "aria-live": "polite" });
  const filter = h("input", { type: "search", size: "16", placeholder: "fp16, gpu, 8192 …", "aria-label": "filter devices", oninput: filtered });
  const refresh = h("button", { type: "button", onclick: () => { refresh.disabled = true; model.send({ type: "refresh" }); } }, "Refresh");
  const said = h("div", { role: "status" });
  const table = h("div", { class: "scroll", role: "radiogroup", "aria-label": "device for the next cells" });
  const below = h("div");
  el.querySelector("style").append(PICKER_STYLE);
  held.root.append(h("div", { class: "bar" }, head, h("span", { class: "sp" }), h("label", { class: "sm" }, "filter ", filter), refresh), said, table, below);
  let rows = [];

  function filtered() {
    model.set("filter", filter.value);
    model.save_changes();
    show();
  }

  function choose(id) {
    model.set("chosen", id);
    model.save_changes();
    show();
  }

  /** What changes without a new search: the mark, hidden rows, the words above. */
  function show() {
    const picture = model.get("picture");
    const chosen = model.get("chosen");
    let shown = 0;
    for (const { row, line, input } of rows) {
      const match = rowMatches(row, model.get("filter"));
      shown += match ? 1 : 0;
      line.hidden = !match;
      line.style.display = match ? "" : "none";
      line.className = `${row.id === chosen ? "on" : ""}${row.usable ? "" : " gone"}`;
      input.checked = row.id === chosen;
    }
    if (filter.value !== model.get("filter")) filter.value = model.get("filter");
    const words = headWords(picture, shown, chosen).map((part, at) => h("span", {}, at ? part : h("b", {}, part)));
    head.replaceChildren(...words.flatMap((word, at) => (at ? [h("span", { class: "dim" }, " · "), word] : [word])));
    refresh.disabled = model.get("searching");
    refresh.textContent = model.get("searching") ? "Searching …" : "Refresh";
    said.replaceChildren(...notes(rows.length > 0 && shown === 0));
  }

  function notes(nothing) {
    const found = [];
    if (model.get("notice")) found.push(h("p", { class: "say" }, pickerMark("warn"), model.get("notice")));
    if (model.get("trouble")) found.push(h("p", { class: "say long" }, pickerMark("error"), model.get("trouble")));
    if (nothing) {
      const clear = h("button", { type: "button", onclick: () => { filter.value = ""; filtered(); filter.focus(); } }, "Clear the filter");
      found.push(h("p", { class: "say" }, `No device has “${model.get("filter")}”. `, clear));
    }
    return found;
  }

  function draw() {
    const picture = model.get("picture");
    const focused = table.contains(document.activeElement) ? document.activeElement.value : null;
    rows = picture.rows.map((row) => deviceRow(row, group, choose));
    table.replaceChildren(...(rows.length ? [deviceTable(picture, rows.map(({ line }) => line))] : []));
    below.replaceChildren(...picture.troubles.map(troubleRow), ...(picture.facts.length ? [allFacts(picture, below)] : []));
    show();
    rows.find(({ row }) => row.id === focused)?.input.focus();
  }

  draw();
  model.on("change:picture", draw);
  model.on("change:chosen change:filter change:notice change:trouble change:searching", show);
  return () => { model.off("change:picture", draw); model.off("change:chosen change:filter change:notice change:trouble change:searching", show); held.destroy(); };
}

function deviceTable(picture, lines) {
  const [{ numbers }] = picture.rows;
  const heads = numbers.map(([name]) => h("th", { scope: "col", class: "num" }, name));
  return h("table", { class: "dev" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "device"), heads, h("th", { scope: "col" }, picture.shared.length ? "more" : "capabilities"))), h("tbody", {}, lines));
}

function deviceRow(row, group, choose) {
  const input = h("input", { type: "radio", name: group, value: row.id, disabled: !row.usable, ...OWN_KEYS, onchange: () => choose(row.id) });
  const small = (text, css = "dim") => (text ? [h("br"), h("span", { class: `${css} sm` }, text)] : []);
  const name = h("span", {}, h("b", {}, row.name), kindWords(row), h("br"),
    h("span", { class: "dim sm" }, `${row.where} · `, h("code", { class: "nw sm" }, `--device=${row.id}`)), small(row.remark), small(row.trouble, "is-warn"));
  const cells = row.numbers.map(([title, text]) => h("td", { class: "num", "data-l": title }, text || notReported()));
  const badges = row.badges.map((word) => h("span", { class: "badge" }, word));
  const line = h("tr", { onclick: (event) => { if (row.usable && !event.target.closest("label, input")) { input.focus(); choose(row.id); } } },
    h("th", { scope: "row" }, h("label", {}, input, name)), cells, h("td", {}, badges));
  return { row, line, input };
}

/** The kind of a device, where its name does not say it already. */
function kindWords(row) {
  if (row.simulator) return h("span", { class: "sim" }, "simulator");
  return row.name.endsWith(` ${row.kind}`) ? null : h("span", { class: "dim" }, ` ${row.kind}`);
}

function notReported() {
  return h("span", { class: "dim" }, h("span", { "aria-hidden": "true" }, "–"), h("span", { class: "sr" }, "not reported"));
}

function troubleRow({ driver, trouble, remedy }) {
  const facts = [h("span", {}, "reason"), h("span", {}, trouble)];
  const typed = COMMAND.test(remedy) ? [h("code", { class: "cmd" }, remedy), " ", copyButton(remedy)] : remedy;
  if (remedy) facts.push(h("span", {}, "remedy"), h("span", {}, typed));
  return h("div", { class: "un" }, pickerMark("warn"), h("div", {}, h("b", {}, driver), h("span", { class: "dim" }, " no device"), h("div", { class: "says" }, facts)));
}

function copyButton(text) {
  const button = h("button", { type: "button", onclick: async () => {
    try { await navigator.clipboard.writeText(text); button.textContent = "Copied"; } catch { button.textContent = "Not allowed here"; }
    setTimeout(() => { button.textContent = "Copy"; }, COPIED_MS);
  } }, "Copy");
  return button;
}

function allFacts(picture, before) {
  const open = before.querySelector("details.sec")?.open ?? false;
  const list = picture.facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]);
  return h("details", { class: "sec", open }, h("summary", {}, h("b", {}, "All facts"), h("span", {}, `${picture.current}: ${picture.facts.length} facts`)), h("dl", { class: "kv" }, list));
}
