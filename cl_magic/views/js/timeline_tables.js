// The tables of a timeline: statistics that follow the brush, lanes, the selected command, all commands page by page.

import { counted, duration, h, measured, NARROW, rate, table, traffic } from "./base.js";
import { tlFixed, tlUnit } from "./timeline_axis.js";
import { TL_CLAMPED, TL_UNTIMED, TL_WARM } from "./timeline_model.js";

export const TL_PAGE = 20;
const TL_MOST_ROWS = 24;
const TL_VERBS = { write: "upload ↑", read: "download ↓", map: "map ↓", unmap: "unmap ↑", copy: "copy", fill: "fill", restore: "restore" };

/** Numbers of one unit in a column; what would read as none is written with its own digits. */
function tlTimesIn(factor) {
  const decimals = factor === 1 ? 0 : 3;
  return (ns) => {
    const value = ns / factor;
    if (factor === 1 && !Number.isInteger(value)) return tlFixed(value, 1);
    return value > 0 && Number(value.toFixed(decimals)) === 0 ? measured(value) : tlFixed(value, decimals);
  };
}

/** Rows of `TlStatistics.rows` as a table. */
export function tlStatisticsTable(model, rows, caption) {
  const several = model.head.runs.length > 1;
  const [factor, unit] = tlUnit(Math.max(1, ...rows.map((row) => row.p95)));
  const [totalFactor, totalUnit] = tlUnit(Math.max(1, ...rows.map((row) => row.total)));
  const shown = tlTimesIn(factor);
  const heads = [...(several ? ["run"] : []), "command", "count>", `total ${totalUnit}>`, `median ${unit}>`, `p95 ${unit}>`, "bytes>", "GB/s>"];
  const body = rows.slice(0, TL_MOST_ROWS).map((row) => {
    const words = [row.warmup && row.kind === "kernel" ? h("span", { class: "dim" }, "warm-up of ") : "", tlCommand(row.kind, row.name), tlLaunch(model, row)];
    return [...(several ? [model.head.runs[row.run].label] : []), words, counted(row.count), tlTimesIn(totalFactor)(row.total), shown(row.median), shown(row.p95),
      row.moved ? counted(row.moved) : "", row.rate ? measured(row.rate) : ""];
  });
  return h("div", {}, table(heads, body, caption),
    rows.length > TL_MOST_ROWS && h("p", { class: "dim sm" }, `${counted(rows.length - TL_MOST_ROWS)} more rows with shorter totals.`),
    rows.length === 0 && h("p", { class: "dim sm" }, "No command ended there."));
}

function tlCommand(kind, name) {
  return kind === "kernel" ? h("span", { class: "mono" }, name) : [`${TL_VERBS[kind] ?? kind} `, h("span", { class: "mono" }, name)];
}

function tlLaunch(model, row) {
  const { roles } = model.head.runs[row.run];
  if (row.launch === "all") return `, one run, all ${roles.length} launches`;
  return Number.isInteger(row.launch) ? `, launch ${row.launch + 1}, ${roles[row.launch] ?? ""}` : "";
}

export function tlLanesTable(model, lanes, length, caption) {
  const several = model.head.runs.length > 1;
  const [factor, unit] = tlUnit(Math.max(1, length));
  const shown = tlTimesIn(factor);
  const body = lanes.slice(0, TL_MOST_ROWS).map(({ lane, busy, share }) => [
    ...(several ? [model.head.runs[lane.run].label] : []), lane.name, shown(busy), `${Math.round(share * 100)}`, shown(Math.max(0, length - busy))]);
  return table([...(several ? ["run"] : []), "lane", `busy ${unit}>`, "busy %>", `idle ${unit}>`], body, caption);
}

/** The facts of one command: `[[name, text or elements]]`. */
export function tlFacts(model, id, go) {
  const run = model.head.runs[model.runOf(id)];
  const several = model.head.runs.length > 1;
  const kind = model.kindOf(id);
  const name = h("b", {}, tlCommand(kind, model.nameOf(id)));
  const facts = [["selected", [name, `, command ${counted(model.recordIndex(id) + 1)} of ${counted(run.commands)}`, several ? ` of ${run.label}` : ""]]];
  facts.push(["lane", `${model.lanes[model.lane[id]].name}${tlRole(model, id, run)}`]);
  if (model.is(id, TL_UNTIMED)) return [...facts, ["times", "the driver gave none"]];
  const [queued, submitted, start] = [model.queued(id), model.submitted(id), model.start[id]];
  facts.push(["queued", tlExact(queued)], ["submitted", `${tlExact(submitted)}, after ${duration(submitted - queued)}`],
    ["started", `${tlExact(start)}, after ${duration(start - submitted)}`], ["ran", tlExact(model.duration[id])]);
  const bytes = model.bytes[id];
  if (bytes) facts.push(["moved", `${counted(bytes)}${NARROW}B, ${traffic(bytes)}${model.duration[id] ? ` at ${rate(bytes, model.duration[id])}` : ""}`]);
  const { before, after } = model.linked(id);
  const words = model.head.arrows === "data" ? ["data from", "data to"] : ["waited for", "waited for by"];
  const link = (other) => h("button", { type: "button", class: "tl-link", onclick: () => go(other) }, tlShort(model, other));
  if (before.length) facts.push([words[0], before.slice(0, 6).map((other) => [link(other), " "])]);
  if (after.length) facts.push([words[1], after.slice(0, 6).map((other) => [link(other), " "])]);
  if (model.is(id, TL_CLAMPED)) facts.push(["clamped", "the driver gave times missing or out of order; they were raised to the one before"]);
  return facts;
}

function tlRole(model, id, run) {
  const parts = [];
  const number = model.run[id];
  if (model.is(id, TL_WARM)) parts.push(`warm-up ${counted(-number)}`);
  else if (number > 0) parts.push(`run ${counted(number)}`);
  if (model.kindOf(id) === "kernel" && run.roles?.length > 1) parts.push(`launch ${model.part[id] + 1} of ${run.roles.length}, ${run.roles[model.part[id]] ?? ""}`);
  return parts.map((part) => `, ${part}`).join("");
}

/** A time in its own unit, and in whole ns. */
function tlExact(ns) {
  return ns < 1000 ? duration(ns) : `${duration(ns)} (${counted(ns)}${NARROW}ns)`;
}

/** A command in few words. */
export function tlShort(model, id) {
  const kind = model.kindOf(id);
  const run = model.run[id];
  const verb = kind === "kernel" ? "" : `${TL_VERBS[kind] ?? kind} `;
  return `${verb}${model.nameOf(id)}${model.is(id, TL_WARM) ? ", warm-up" : run > 0 && kind === "kernel" ? `, run ${run}` : ""}`;
}

/** What the pointer's box says. */
export function tlTip(model, id) {
  const lines = [tlShort(model, id), `ran ${duration(model.duration[id])}`, `waited ${duration(model.start[id] - model.queued(id))}`];
  const bytes = model.bytes[id];
  if (bytes) lines.push(`${traffic(bytes)}${model.duration[id] ? `, ${rate(bytes, model.duration[id])}` : ""}`);
  if (model.is(id, TL_CLAMPED)) lines.push("times clamped");
  return lines.join("\n");
}

/** One page of commands; `ids` is null for all, else those to list. */
export function tlCommandsPage(model, { ids, page, selected }, act) {
  const count = ids ? ids.length : model.count;
  const pages = Math.max(1, Math.ceil(count / TL_PAGE));
  const at = Math.min(page, pages - 1);
  const several = model.head.runs.length > 1;
  const heads = [...(several ? ["run"] : []), "command>", "what", "lane", "queued ns>", "submitted ns>", "started ns>", "ended ns>", "ran ns>", "bytes>"];
  const rows = [];
  for (let i = at * TL_PAGE; i < Math.min(count, (at + 1) * TL_PAGE); i += 1) rows.push(tlCommandRow(model, ids ? ids[i] : i, several, selected, act.select));
  const turn = (text, to, label) => h("button", { type: "button", "aria-label": label, disabled: to === at || to < 0 || to >= pages, onclick: () => act.turn(to) }, text);
  const place = `${counted(count ? at * TL_PAGE + 1 : 0)} to ${counted(Math.min(count, (at + 1) * TL_PAGE))} of ${counted(count)}`;
  return h("div", {}, table(heads, rows, "commands, in order of queueing"),
    h("div", { class: "bar" }, turn("|‹", 0, "first page"), turn("‹", at - 1, "page before"), turn("›", at + 1, "next page"), turn("›|", pages - 1, "last page"),
      h("span", { class: "dim sm" }, place)));
}

function tlCommandRow(model, id, several, selected, select) {
  const untimed = model.is(id, TL_UNTIMED);
  const time = (ns) => (untimed ? "–" : counted(ns));
  const name = h("button", { type: "button", class: "tl-link", "aria-pressed": String(id === selected), onclick: () => select(id) }, tlShort(model, id));
  return [...(several ? [model.head.runs[model.runOf(id)].label] : []), counted(model.recordIndex(id) + 1), name, model.lanes[model.lane[id]].name,
    time(model.queued(id)), time(model.submitted(id)), time(model.start[id]), time(model.end[id]), time(model.duration[id]),
    model.bytes[id] ? counted(model.bytes[id]) : ""];
}
