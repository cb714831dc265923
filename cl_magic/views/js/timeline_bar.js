// The controls and the key of a timeline.

import { counted, h, NARROW } from "./base.js";
import { TL_CATEGORIES } from "./timeline_model.js";

/** The bar of controls; `view` is the timeline's view. Returns the elements that change later. */
export function tlBar(view) {
  // Symbols have a name for readers; words are their own.
  const button = (text, act, name) => h("button", { type: "button", onclick: act, "aria-label": /^[a-z]/i.test(text) ? null : name, title: name }, text);
  const toggle = (text, act, name) => h("button", { type: "button", "aria-pressed": "false", onclick: act, title: name }, text);
  const parts = {
    measure: toggle("Measure", () => view.setMeasure(!view.measuring), "drag marks an interval (or hold Shift); [ and ] move it, Esc removes it"),
    scale: toggle("To scale", () => view.setToScale(!view.toScale), "draw long idle times and warm-ups as long as they are"),
    clock: toggle("Host clock", () => view.setClock(!view.onClock), "place the runs where they were on the host's clock, not side by side from their starts"),
    arrows: toggle("Arrows", () => view.setArrows(!view.arrows), "show all arrows; those of the selected command always show"),
    search: h("input", { type: "search", class: "tl-search", placeholder: "name", "aria-label": "search commands by name", oninput: (event) => view.search(event.target.value),
      onkeydown: (event) => { if (event.key === "Enter") { view.step(event.shiftKey ? -1 : 1); event.preventDefault(); } } }),
    found: h("span", { class: "dim sm", "aria-live": "polite" }),
    previous: button("‹", () => view.step(-1), "previous command found"),
    next: button("›", () => view.step(1), "next command found"),
  };
  const zoom = h("span", { class: "tl-group" }, button("−", () => view.zoom(1 / 1.6), "zoom out"), button("+", () => view.zoom(1.6), "zoom in"), button("Whole", () => view.whole(), "show the whole time"));
  const search = h("span", { class: "tl-group" }, h("label", {}, "find ", parts.search), parts.previous, parts.next, parts.found);
  parts.save = h("div", { class: "bar" }, h("label", {}, "this timeline as"),
    button("Trace JSON", () => view.save("json"), "download in the Trace Event Format"), button("CSV", () => view.save("csv"), "download the commands as a table"),
    button("Open in Perfetto (ui.perfetto.dev)", () => view.perfetto(), "opens ui.perfetto.dev in a new window and hands it this trace"));
  parts.root = h("div", { class: "bar" }, zoom, parts.measure, parts.scale, parts.clock, parts.arrows, search);
  return parts;
}

const TL_KEYS = { run: "", k2: "", k3: "", remainder: "remainder launch", transfer: "transfer, ↑ to the device, ↓ back", dep: "copy, fill, restore", warm: "warm-up" };

/** What the shades and colours mean, of those that are there. */
export function tlKey(model, crowded) {
  const present = new Set(model.category);
  const swatch = (name, shape = "") => h("i", { class: shape, style: { backgroundColor: `var(--clm-${name})` }, "aria-hidden": "true" });
  const items = crowded ? [] : [[swatch("queue", "tl-line"), "queued"], [swatch("submit", "tl-half"), "submitted"]];
  TL_CATEGORIES.forEach((category, code) => {
    if (!present.has(code)) return;
    const kernel = code < 3 && model.head.names[model.head.kernels[code]];
    const others = code === 0 && tlKernels(model) > 3 ? " and other kernels" : "";
    const words = kernel ? `${kernel}${others}${crowded ? "" : ", running"}` : TL_KEYS[category];
    items.push([swatch(category === "warm" ? "run" : category, ["warm", "remainder"].includes(category) ? "tl-hatch" : ""), words]);
  });
  if (model.head.runs.some((run) => run.host)) items.push([swatch("host"), "the call in Python"]);
  if (!crowded) return items.map(([mark, words]) => h("span", {}, mark, words));
  const waiting = Math.max(0, ...model.lanes.map((lane) => lane.mostWaiting ?? 0));
  items.push(["", "height: share of time busy"], ...(waiting > 1 ? [[swatch("queue", "tl-half"), `above: commands waiting, at most ${counted(waiting)}`]] : []));
  return items.map(([mark, words]) => h("span", {}, mark, words));
}

function tlKernels(model) {
  const names = new Set();
  for (let i = 0; i < model.count && names.size <= 3; i += 1) if (model.kind[i] === 0) names.add(model.name[i]);
  return names.size;
}

/** Sentences under the tables. */
export function tlNotes(model) {
  const { head } = model;
  const notes = head.runs.filter((run) => run.error).map((run) => `${head.runs.length > 1 ? `${run.label}: ` : ""}${run.error.split("\n")[0].replace(/[.:]?$/, ".")}`);
  if (!model.count) return notes.join(" ");
  if (head.reduced) {
    notes.push(`This output keeps the ${counted(head.reduced.kept)} longest of ${counted(head.reduced.of)} commands one by one, and the others as density; `
      + "statistics of the whole are of all commands, those of an interval and downloads of the ones kept. A live view of the run has all.");
  }
  const bytes = head.runs.find((run) => run.run_bytes && run.run_bytes_are);
  if (bytes) notes.push(`GB/s of a kernel: ${bytes.run_bytes_are}; ${counted(bytes.run_bytes)}${NARROW}B.`);
  if (head.clamped) notes.push(`${counted(head.clamped)} ${head.clamped === 1 ? "command has times" : "commands have times"} that the driver gave missing or out of order; they were clamped.`);
  if (head.untimed) notes.push(`${counted(head.untimed)} ${head.untimed === 1 ? "command has" : "commands have"} no times at all: in the list of commands only.`);
  for (const note of new Set(head.runs.flatMap((run) => run.notes))) notes.push(note);
  for (const note of new Set(head.runs.map((run) => run.clock).filter(Boolean))) if (head.runs.length === 1) notes.push(note);
  notes.push(head.runs.length > 1 ? "Time 0 of each run is when its first command was queued; times of different devices are from different clocks."
    : "Time 0 is when the first command was queued, on the device's clock.");
  notes.push("p95: the least duration that 95 % of the commands do not exceed.");
  return notes.join(" ");
}
