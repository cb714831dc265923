// A timeline for other tools: Trace Event Format and CSV as downloads; Perfetto's page by message, on a click only.

import { TL_CLAMPED, TL_WARM } from "./timeline_model.js";

export const TL_PERFETTO = "https://ui.perfetto.dev";
const TL_CHUNK = 4096;
const TL_MOST_WAITS = 200_000;
const TL_PING_MS = 100;
const TL_PATIENCE_MS = 60_000;

function tlNamed(what, pid, tid, name) {
  return { ph: "M", name: what, pid, tid, args: { name } };
}

/** Trace events of one command: itself from start to end, and its waiting as an asynchronous pair. */
function tlTraceOf(model, id, shift, waits) {
  const run = model.runOf(id);
  const lane = model.lanes[model.lane[id]];
  const index = model.recordIndex(id);
  const place = { name: model.nameOf(id), pid: 2 * run + 1, tid: lane.queue };
  const start = (model.start[id] + shift) / 1000;
  const args = { command: index, run: model.run[id], part: model.part[id], bytes: model.bytes[id], clamped: model.is(id, TL_CLAMPED) };
  const main = { ...place, ph: "X", cat: model.kindOf(id), ts: start, dur: model.duration[id] / 1000, args };
  if (!waits) return [main];
  const wait = { ...place, cat: "waiting", id: run ? `${run}.${index}` : index };
  return [main, { ...wait, ph: "b", ts: (model.queued(id) + shift) / 1000 },
    { ...wait, ph: "n", name: `${place.name} submitted`, ts: (model.submitted(id) + shift) / 1000 }, { ...wait, ph: "e", ts: start }];
}

/** The trace as pieces of JSON text, so that a million commands never are one string. */
export function* tlTrace(model, shifts) {
  const { head } = model;
  const first = [];
  head.runs.forEach((run, index) => {
    const named = head.runs.length > 1 ? `${run.label}: ` : "";
    first.push(tlNamed("process_name", 2 * index + 1, 0, `${named}${run.device_name ?? run.label}${run.device_id ? ` (${run.device_id})` : ""}`));
    for (const lane of model.lanes) if (lane.run === index) first.push(tlNamed("thread_name", 2 * index + 1, lane.queue, lane.name));
  });
  yield `{"traceEvents":[${first.map((event) => JSON.stringify(event)).join(",")}`;
  const waits = model.count <= TL_MOST_WAITS;
  let comma = first.length ? "," : "";
  for (let at = 0; at < model.count; at += TL_CHUNK) {
    const events = [];
    for (let i = at; i < Math.min(model.count, at + TL_CHUNK); i += 1) events.push(...tlTraceOf(model, i, shifts[model.runOf(i)], waits));
    yield comma + events.map((event) => JSON.stringify(event)).join(",");
    comma = ",";
  }
  for (const event of tlHostTrace(head, shifts)) { yield comma + JSON.stringify(event); comma = ","; }
  const { kernel, device_name: device, engine, created } = head.runs[0] ?? {};
  const other = { kernel, device, engine, created, ...(waits ? {} : { note: "waiting times left out" }) };
  yield `],"displayTimeUnit":"ns","otherData":${JSON.stringify(other)}}`;
}

function tlHostTrace(head, shifts) {
  return head.runs.flatMap(({ host, kernel, label }, index) => {
    if (!host) return [];
    const pid = 2 * index + 2;
    const call = { ph: "X", cat: "host", name: `call of ${kernel}`, pid, tid: 0, ts: (host[0] + shifts[index]) / 1000, dur: (host[1] - host[0]) / 1000, args: {} };
    return [tlNamed("process_name", pid, 0, head.runs.length > 1 ? `${label}: host` : "host"), call];
  });
}

const TL_COLUMNS = ["kind", "name", "queue", "run", "part", "warmup", "nbytes", "clamped", "queued_ns", "submit_ns", "start_ns", "end_ns", "duration_ns"];

/** The commands as lines of CSV, in pieces; several runs have their labels in the first column. */
export function* tlCsv(model) {
  const several = model.head.runs.length > 1;
  const cell = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  yield `${[...(several ? ["record"] : []), ...TL_COLUMNS].join(",")}\r\n`;
  for (let at = 0; at < model.count; at += TL_CHUNK) {
    const lines = [];
    for (let i = at; i < Math.min(model.count, at + TL_CHUNK); i += 1) {
      const values = [model.kindOf(i), cell(model.nameOf(i)), model.lanes[model.lane[i]].queue, model.run[i], model.part[i], model.is(i, TL_WARM), model.bytes[i],
        model.is(i, TL_CLAMPED), model.queued(i), model.submitted(i), model.start[i], model.end[i], model.duration[i]];
      lines.push(`${[...(several ? [cell(model.head.runs[model.runOf(i)].label)] : []), ...values].join(",")}\r\n`);
    }
    yield lines.join("");
  }
}

/** Name of a file made of a run's label. */
export function tlFileName(model, suffix) {
  const labels = model.head.runs.map((run) => run.label);
  const name = (labels.length === 1 ? labels[0] : `${labels.length} runs`).replace(/[^\w.-]+/g, "_") || "timeline";
  return `${name}.${suffix}`;
}

/** Let the browser save pieces of text as a file. */
export function tlDownload(pieces, type, name) {
  const address = URL.createObjectURL(new Blob([...pieces], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), TL_PATIENCE_MS);
}

/**
 * Open Perfetto's page and hand it the trace once it answers; nothing was loaded from there before, and nothing is sent
 * to any other origin. `say` gets a sentence on how it goes.
 */
export function tlOpenInPerfetto(pieces, title, say) {
  const opened = window.open(TL_PERFETTO);
  if (!opened) { say("The browser opened no window for ui.perfetto.dev: allow it, or load the Trace JSON there."); return; }
  say("Waiting for ui.perfetto.dev …");
  const began = Date.now();
  let timer = 0;
  const stop = () => { clearInterval(timer); window.removeEventListener("message", answered); };
  async function answered(event) {
    if (event.origin !== TL_PERFETTO || event.source !== opened || event.data !== "PONG") return;
    stop();
    const buffer = await new Blob([...pieces]).arrayBuffer();
    opened.postMessage({ perfetto: { buffer, title, fileName: `${title}.json` } }, TL_PERFETTO, [buffer]);
    say("Sent to ui.perfetto.dev, which shows it in its own window.");
  }
  window.addEventListener("message", answered);
  timer = setInterval(() => {
    if (opened.closed || Date.now() - began > TL_PATIENCE_MS) { stop(); say("ui.perfetto.dev did not answer; load the Trace JSON there instead."); return; }
    opened.postMessage("PING", TL_PERFETTO);
  }, TL_PING_MS);
}
