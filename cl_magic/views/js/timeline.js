// The commands of a run, or of several side by side, on a time axis: pan, zoom, measure, search, statistics, downloads.

import { counted, duration, h, selectionOf } from "./base.js";
import { tlBar, tlKey, tlNotes } from "./timeline_bar.js";
import { TL_WHOLE, TlAxis, tlZoomed } from "./timeline_axis.js";
import { tlDraw } from "./timeline_draw.js";
import { tlCsv, tlDownload, tlFileName, tlOpenInPerfetto, tlTrace } from "./timeline_export.js";
import { TL_UNTIMED, tlBelow, TlModel } from "./timeline_model.js";
import { tlPointer } from "./timeline_pointer.js";
import { TlStatistics } from "./timeline_statistics.js";
import { TL_STYLE } from "./timeline_style.js";
import { tlCommandsPage, tlFacts, tlLanesTable, tlShort, tlStatisticsTable } from "./timeline_tables.js";

const TL_TABLE_MS = 60;
const TL_LISTED = 200_000;
const TL_TALL = 640;

export function timelineView(root, data, context) {
  const view = new TlView(root, context);
  view.take(data);
  return { update: (fresh) => view.take(fresh), destroy: () => view.destroy() };
}

class TlView {
  constructor(root, context) {
    Object.assign(this, { context, model: null, view: TL_WHOLE, brush: null, selected: null, measuring: false, toScale: false, onClock: false, arrows: false,
      drawn: null, page: 0, listed: "", shape: "", off: [], timer: 0, keyed: null });
    this.head = h("p", { class: "head" });
    this.bar = tlBar(this);
    this.canvas = h("canvas", { class: "tl-canvas", tabindex: 0, role: "img" });
    this.tip = h("div", { class: "tip", hidden: true });
    this.place = h("div", { class: "tl-place" }, this.canvas, this.tip);
    this.key = h("p", { class: "tl-key" });
    this.said = h("p", { class: "sm dim", "aria-live": "polite" });
    this.tables = h("div", { class: "tl-tables" });
    this.facts = h("dl", { class: "tl-facts", "aria-live": "polite" });
    this.commands = h("div", {});
    this.summary = h("span", { class: "dim" });
    this.details = h("details", { ontoggle: () => this.list() }, h("summary", {}, h("b", {}, "Commands"), this.summary), this.commands);
    this.notes = h("p", { class: "sm dim" });
    this.root = h("div", { class: "tl-view" }, h("style", {}, TL_STYLE), this.head, this.bar.root, this.place, this.key, this.facts, this.tables, this.details, this.bar.save, this.said, this.notes);
    root.append(this.root);
    tlPointer(this);
    this.undraw = context.frame.onDraw(() => this.draw());
  }

  take(data) {
    this.model = new TlModel(data);
    this.statistics = null;
    const { head } = data;
    const shape = JSON.stringify([head.runs.map((run) => run.record || run.label), head.lanes]);
    if (shape !== this.shape) Object.assign(this, { view: TL_WHOLE, brush: null, selected: null, page: 0 });
    this.shape = shape;
    if (this.selected !== null && this.selected >= this.model.count) this.selected = null;
    this.listenTo(head.runs);
    this.onClock = this.onClock && Boolean(head.axes.clock);
    this.bar.clock.hidden = !head.axes.clock;
    this.bar.arrows.hidden = !this.model.edges;
    this.setAxis();
    this.tellHead();
    this.notes.textContent = tlNotes(this.model);
    const some = this.model.count > 0;
    for (const part of [this.bar.root, this.bar.save, this.place, this.key, this.details]) part.hidden = !some;
    if (this.bar.search.value) this.search(this.bar.search.value); else this.redraw();
    this.showFacts();
  }

  listenTo(runs) {
    for (const off of this.off) off();
    this.selections = runs.length === 1 ? [this.context.selection] : runs.map((run) => (run.record ? selectionOf(run.record) : null));
    this.off = this.selections.map((selection, run) => selection?.listen((value, source) => { if (source !== this) this.follow(run, value); })).filter(Boolean);
    const now = this.selections.findIndex((selection, run) => selection && this.model.commandOf(run, selection.value) !== null);
    if (now >= 0 && this.selected === null) this.selected = this.model.commandAt(now, this.model.commandOf(now, this.selections[now].value));
  }

  setAxis() {
    const { axes, runs } = this.model.head;
    const used = this.onClock ? axes.clock : axes.start;
    this.shifts = used.shifts_ns ?? runs.map(() => 0);
    this.axis = new TlAxis(used, this.toScale);
    this.home = new TlAxis(axes.start);
    this.bar.scale.hidden = used.cuts.length === 0;
    this.statistics = null;
  }

  tellHead() {
    const { head, count } = this.model;
    const total = head.commands;
    const lanes = head.lanes.length;
    const words = [`${counted(total)} ${total === 1 ? "command" : "commands"} on ${counted(lanes)} ${lanes === 1 ? "queue" : "queues"}`];
    if (head.runs.length > 1) words.push(`${counted(head.runs.length)} runs`);
    if (total) words.push(duration(this.axis.end));
    const devices = [...new Set(head.runs.map((run) => run.device).filter(Boolean))];
    if (devices.length) words.push(devices.join(", "));
    const failed = head.runs.filter((run) => run.status === "failed");
    this.head.replaceChildren(h("b", {}, "Timeline"), ...words.flatMap((text) => [" · ", h("span", {}, text)]),
      ...failed.flatMap((run) => [" · ", h("span", { class: "tl-bad" }, head.runs.length > 1 ? `${run.label} failed` : "the run failed: these are the commands as far as it came")]));
    if (!count) this.head.append(" · ", h("span", { class: "dim" }, "no command was recorded"));
    this.canvas.setAttribute("aria-label", `Timeline of ${words.join(", ")}. Arrow keys go from command to command; the tables below say the same.`);
  }

  redraw() { this.context.frame.draw(); }

  draw() {
    if (!this.model?.count) { if (this.model) this.tables.replaceChildren(); return; }
    const width = Math.floor(this.place.clientWidth);
    if (width < 60) return;
    this.drawn = tlDraw(this.canvas, this.place, this, width);
    this.place.classList.toggle("tl-tall", this.drawn.layout.height > TL_TALL);
    const keyed = `${this.drawn.crowded}`;
    if (this.keyed !== this.model || this.keyedAs !== keyed) { this.key.replaceChildren(...tlKey(this.model, this.drawn.crowded)); this.keyed = this.model; this.keyedAs = keyed; }
    this.tellLater();
  }

  /** Tables follow the brush, a few times a second while it moves. */
  tellLater() {
    if (this.told === this.toldOf()) return;
    this.timer ||= setTimeout(() => { this.timer = 0; this.tell(); }, TL_TABLE_MS);
  }

  toldOf() { return `${this.brush} ${this.onClock} ${this.toScale} ${this.shape} ${this.model.count}`; }

  tell() {
    const { model, brush, axis } = this;
    if (this.told !== this.toldOf() || !this.statistics) {
      this.told = this.toldOf();
      if (!this.statistics) { this.statistics = new TlStatistics(model); this.statistics.shifts = model.lanes.map((lane) => this.shifts[lane.run]); }
      const [from, to] = brush ?? [0, axis.end];
      const whole = !brush && model.head.reduced;
      const rows = whole ? tlWholeRows(model) : this.statistics.rows(brush ? from : -Infinity, brush ? to : Infinity);
      const caption = brush ? `ended in the interval of ${duration(to - from)}${model.head.reduced ? ", of the commands kept" : ""}` : "all commands";
      const busy = model.head.reduced ? null : tlLanesTable(model, this.statistics.lanes(from, to), to - from, brush ? "queues in the interval" : "queues");
      this.tables.replaceChildren(...[tlStatisticsTable(model, rows, caption), busy].filter(Boolean));
      this.list();
    }
  }

  /** The list of commands: those found, those that ended in the brush, or all. */
  list() {
    const { model, brush } = this;
    const filtered = brush !== null || model.matching !== null;
    const which = [model.matching && "found", brush && "that ended in the interval"].filter(Boolean).join(" and ");
    this.summary.textContent = filtered ? `those ${which}, as a table` : `the same as a table, ${counted(model.count)} rows`;
    if (!this.details.open) return;
    let ids = null;
    if (filtered) {
      ids = [];
      for (let i = 0; i < model.count && ids.length < TL_LISTED; i += 1) {
        const end = model.end[i] + this.shifts[model.runOf(i)];
        if (model.matches(i) && (!brush || (end > brush[0] && end <= brush[1] && !model.is(i, TL_UNTIMED)))) ids.push(i);
      }
    }
    const act = { select: (id) => this.select(id, true), turn: (page) => { this.page = page; this.list(); } };
    this.commands.replaceChildren(tlCommandsPage(model, { ids, page: this.page, selected: this.selected }, act));
  }

  look(view) { this.view = view; this.redraw(); }

  zoom(factor) { this.look(tlZoomed(this.axis, this.view, factor, (this.view.left + this.view.right) / 2)); }

  whole() { this.look(TL_WHOLE); }

  zoomTo(id) {
    const shift = this.shifts[this.model.runOf(id)];
    const [left, right] = [this.model.start[id] + shift, this.model.end[id] + shift].map((at) => this.axis.place(at));
    const room = Math.max((right - left) * 1.5, 1e-12);
    const around = (left + right) / 2;
    this.look(tlZoomed(this.axis, { left: around - room, right: around + room }, 1, around));
  }

  /** Bring a command into the view, where it is outside. */
  reveal(id) {
    const shift = this.shifts[this.model.runOf(id)];
    const middle = this.axis.place((this.model.start[id] + this.model.end[id]) / 2 + shift);
    const width = this.view.right - this.view.left;
    if (middle > this.view.left && middle < this.view.right) return;
    const left = Math.min(Math.max(0, middle - width / 2), 1 - width);
    this.view = { left, right: left + width };
  }

  press(button, on) { button.setAttribute("aria-pressed", String(on)); }

  setMeasure(on) { this.measuring = on; this.press(this.bar.measure, on); this.canvas.classList.toggle("tl-measure", on); }

  setArrows(on) { this.arrows = on; this.press(this.bar.arrows, on); this.redraw(); }

  setToScale(on) { this.toScale = on; this.press(this.bar.scale, on); this.view = TL_WHOLE; this.setAxis(); this.redraw(); }

  setClock(on) { this.onClock = on; this.press(this.bar.clock, on); Object.assign(this, { view: TL_WHOLE, brush: null }); this.setAxis(); this.tellHead(); this.redraw(); }

  setBrush(brush) { this.brush = brush; this.page = 0; this.redraw(); }

  /** The brush a fiftieth of the view along, as long as it is; a new one in the middle where there is none. */
  moveBrush(step) {
    const { axis, brush, view } = this;
    const width = view.right - view.left;
    if (!brush) { this.setBrush([axis.invert(view.left + width * 0.4), axis.invert(view.left + width * 0.6)]); return; }
    const long = brush[1] - brush[0];
    const from = axis.invert(axis.place(brush[0]) + (step * width) / 50);
    const start = Math.min(Math.max(0, from), axis.end - long);
    this.setBrush([start, start + long]);
  }

  sizeBrush(factor) {
    if (!this.brush) { this.moveBrush(0); return; }
    const [from, to] = this.brush;
    const [middle, half] = [(from + to) / 2, ((to - from) * factor) / 2];
    this.setBrush([Math.max(0, middle - half), Math.min(this.axis.end, middle + half)]);
  }

  search(text) {
    const found = this.model.search(text);
    this.bar.found.textContent = text.trim() ? `${counted(found)} found` : "";
    this.page = 0;
    this.list();
    this.redraw();
  }

  step(by) {
    const id = this.model.nextMatch(this.selected, by);
    if (id !== null) this.select(id, true);
  }

  neighbour(by) {
    const { model } = this;
    if (this.selected === null || model.is(this.selected, TL_UNTIMED)) {
      const lane = model.lanes.find((one) => one.order.length);
      if (lane) this.select(lane.order[Math.min(lane.order.length - 1, tlBelow(lane.reached, this.axis.invert(this.view.left) - this.shifts[lane.run]))], true);
      return;
    }
    const { order, starts } = model.lanes[model.lane[this.selected]];
    let at = tlBelow(starts, model.start[this.selected]);
    while (order[at] !== this.selected) at += 1;
    if (order[at + by] !== undefined) this.select(order[at + by], true);
  }

  otherLane(by) {
    const { model } = this;
    if (this.selected === null) { this.neighbour(1); return; }
    const from = model.lane[this.selected];
    const at = model.start[this.selected] + this.shifts[model.runOf(this.selected)];
    for (let lane = from + by; lane >= 0 && lane < model.lanes.length; lane += by) {
      const { order, starts, run } = model.lanes[lane];
      if (order.length) { this.select(order[Math.min(order.length - 1, tlBelow(starts, at - this.shifts[run]))], true); return; }
    }
  }

  /** A command was selected here: all views of its run hear of it. */
  select(id, reveal = false) {
    this.selected = id;
    if (id !== null && reveal && !this.model.is(id, TL_UNTIMED)) this.reveal(id);
    const run = id === null ? -1 : this.model.runOf(id);
    this.selections.forEach((selection, index) => selection?.set(index === run ? this.derived(id, run) : { command: null }, this));
    this.showFacts();
    this.list();
    this.redraw();
  }

  /** What the selection of a command says to other views: itself, and the array that it moved. */
  derived(id, run) {
    const { parameters } = this.model.head.runs[run];
    const array = this.model.kindOf(id) === "kernel" ? undefined : parameters?.[this.model.nameOf(id)];
    return { command: this.model.recordIndex(id), ...(array ? { array, element: null, item: null } : {}) };
  }

  follow(run, value) {
    const id = this.model.commandAt(run, this.model.commandOf(run, value));
    if (id === null && (this.selected === null || this.model.runOf(this.selected) !== run)) return;
    this.selected = id;
    if (id !== null && !this.model.is(id, TL_UNTIMED)) this.reveal(id);
    this.showFacts();
    this.list();
    this.redraw();
  }

  showFacts() {
    const facts = this.selected === null ? [] : tlFacts(this.model, this.selected, (id) => this.select(id, true));
    this.facts.replaceChildren(...facts.flatMap(([name, content]) => [h("dt", {}, name), h("dd", {}, content)]));
    if (this.selected !== null) this.canvas.setAttribute("aria-description", `selected: ${tlShort(this.model, this.selected)}`);
    else this.canvas.removeAttribute("aria-description");
  }

  traceShifts() { const { axes, runs } = this.model.head; return axes.clock?.shifts_ns ?? runs.map(() => 0); }

  save(kind) {
    if (kind === "csv") tlDownload(tlCsv(this.model), "text/csv", tlFileName(this.model, "csv"));
    else tlDownload(tlTrace(this.model, this.traceShifts()), "application/json", tlFileName(this.model, "json"));
    this.said.textContent = `${tlFileName(this.model, kind)} goes to your downloads.`;
  }

  perfetto() {
    tlOpenInPerfetto(tlTrace(this.model, this.traceShifts()), tlFileName(this.model, "trace"), (text) => { this.said.textContent = text; });
  }

  destroy() {
    clearTimeout(this.timer);
    this.undraw();
    for (const off of this.off) off();
  }
}

/** Rows of the statistics that a reduced payload keeps of all commands. */
function tlWholeRows(model) {
  return model.head.whole.map(([run, kind, name, warmup, count, total, median, p95, bytes]) => ({ run, kind, name, warmup, count, total, median, p95, bytes,
    moved: kind === "kernel" ? 0 : bytes, rate: kind !== "kernel" && total ? bytes / total : 0 }));
}
