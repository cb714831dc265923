// The contents of arrays around a run: pictures, lines, records, bytes; one array at a time, before, after, difference.

import { colour, counted, element, h, sized } from "./base.js";
import { BUF_STYLE } from "./buffer_style.js";
import { bufBar } from "./buffer_bar.js";
import { bufBytesOf, bufBytesView } from "./buffer_pages.js";
import { bufHistogram, bufSwatch } from "./buffer_marks.js";
import { bufCurves, bufLinePane } from "./buffer_line.js";
import { BufModel } from "./buffer_model.js";
import { bufConclusion, bufStatisticsTable } from "./buffer_numbers.js";
import { bufPlanePane } from "./buffer_plane.js";
import { BufTiles } from "./buffer_tiles.js";
import { bufElementOf, bufIsExact } from "./buffer_values.js";

const BUF_GAP = 16;
const BUF_SIDE_BY_SIDE = 560;
const BUF_MOST_WIDTH = 640;
const BUF_TABLE_MS = 250;
const BUF_HINTS = { hex: "The bytes of an element that is selected in the picture are marked here.", table: "Click an element to see its index and its work-item.", none: "" };

export function bufferView(root, data, context) {
  const view = new BufView(root, context);
  view.take(data);
  return { update: (fresh) => view.take(fresh), destroy: () => view.destroy() };
}

class BufView {
  constructor(root, context) {
    // How arrays are looked at outlives a change of tabs: it is kept with the options of this drawing.
    const kept = (context.options.buffers ??= { states: new Map(), chosen: null });
    Object.assign(this, { context, kept, serial: 0, states: kept.states, chosen: kept.chosen, panes: [], shape: "", tabled: 0 });
    this.tiles = new BufTiles(context.ask, () => this.redraw());
    this.live = h("p", { class: "dim sm", "aria-live": "off" });
    this.picker = h("div", { class: "bar" });
    this.head = h("p", { class: "head" });
    this.bar = h("div", { class: "bar" });
    this.place = h("div", { class: "buf-panes" });
    this.picked = h("div", { class: "buf-picked", role: "status", "aria-live": "polite" });
    this.numbers = h("div", {});
    this.note = h("p", { class: "dim sm" });
    this.root = h("div", { class: "buf" }, h("style", {}, BUF_STYLE), this.live, this.picker, this.head, this.bar, this.place, this.picked, this.numbers, this.note);
    root.append(this.root);
    // A theme that is being changed hides everything for a moment: what was drawn then is drawn again.
    const sizes = new ResizeObserver(() => { if (this.root.clientWidth && this.root.clientWidth !== this.drawnWidth) this.redraw(); });
    sizes.observe(this.root);
    this.off = [() => sizes.disconnect(), context.frame.onDraw(() => this.draw()), context.selection.listen((value, source) => { if (source !== this) this.follow(value); })];
  }

  take(data) {
    this.data = data;
    this.serial += 1;
    const { arrays } = data.head;
    const shape = JSON.stringify(arrays.map((array) => [array.name, array.shape, array.code, array.form, Object.keys(array.pictures)]));
    const known = shape === this.shape;
    this.shape = shape;
    const last = (list) => list.findLastIndex((array) => array.written) >= 0 ? list.findLastIndex((array) => array.written) : list.length - 1;
    if (!arrays.some((array) => array.name === this.chosen)) this.chosen = arrays[last(arrays)]?.name ?? null;
    if (this.chosen === null) { this.empty(data.head); return; }
    this.live.hidden = !data.head.live;
    this.brief = known && Boolean(data.head.live) && performance.now() - this.tabled <= BUF_TABLE_MS;
    if (!this.brief) this.live.textContent = data.head.live?.text ?? "";
    this.open(!known);
    if (!known) this.follow(this.context.selection.value);
  }

  empty(head) {
    this.model = null;
    for (const part of [this.live, this.picker, this.bar, this.place, this.picked, this.numbers]) part.replaceChildren();
    this.head.textContent = head.status === "waiting" ? `Waiting for the next launch of ${head.kernel}.` : head.status === "failed" ? "The run did not end: nothing was captured of its arrays." : "No array was captured.";
    this.note.textContent = head.status !== "complete" ? "" : 'capture="auto" looks at arrays up to 64 MiB; prepared and repeated launches capture nothing unless asked.';
  }

  /** Show the chosen array; `fresh`: its panes and controls are made anew. */
  open(fresh) {
    if (fresh) this.bar.hidden = this.place.hidden = this.numbers.hidden = false;
    const index = this.data.head.arrays.findIndex((array) => array.name === this.chosen);
    this.model = new BufModel(this.data, index, this.states.get(this.chosen), this, this.serial);
    this.states.set(this.chosen, this.model.state);
    for (const pane of this.panes) pane.model = this.model;
    if (fresh) this.rebuild();
    else if (!this.brief) this.tell();
    this.redraw();
  }

  choose(name) { this.chosen = this.kept.chosen = name; this.open(true); }

  rebuild() {
    const { arrays } = this.data.head;
    this.picker.hidden = arrays.length < 2;
    this.picker.replaceChildren(h("div", { class: "buf-seg", role: "group", "aria-label": "array" }, arrays.map((array) => h("button",
      { type: "button", "aria-pressed": String(array.name === this.chosen), onclick: () => this.choose(array.name) }, h("span", { class: "mono" }, array.label)))));
    this.bar.replaceChildren(...bufBar(this.model, { change: () => this.rebuild(), zoom: (factor) => this.zoom(factor) }));
    this.bar.hidden = this.bar.children.length === 0;
    this.makePanes();
    this.tell();
    this.redraw();
  }

  makePanes() {
    const { model } = this;
    const { form, side } = model.state;
    this.panes = [];
    const kinds = { picture: bufPlanePane, line: bufLinePane };
    if (!kinds[form]) { this.place.replaceChildren(this.plain = h("div", {})); this.plainly(); return; }
    this.plain = null;
    if (!["all", "difference"].includes(side) && !model.picture(side) || (side === "difference" && !model.picture("difference"))) { model.state.side = "all"; this.makePanes(); return; }
    const shown = form === "line" ? [...(side === "difference" ? [] : [side === "all" ? "both" : side]), ...(side === "all" || side === "difference" ? ["difference"] : [])]
      : side === "all" ? ["before", "after", "difference"] : [side];
    for (const one of shown) {
      if (one === "both" ? !model.picture("before") && !model.picture("after") : !model.picture(one)) continue;
      const pane = kinds[form](model, one);
      pane.caption = h("figcaption", {});
      pane.bar = h("canvas", { "aria-hidden": "true" });
      pane.key = "";
      pane.figure = h("figure", { class: form === "line" ? "buf-wide" : null }, pane.caption, pane.root, form === "line" ? this.lineKey(pane) : pane.bar);
      this.panes.push(pane);
    }
    this.place.replaceChildren(...this.panes.map((pane) => pane.figure));
  }

  lineKey(pane) {
    const curves = bufCurves(pane.model, pane.side);
    if (curves.length < 2) return null;
    return h("div", { class: "buf-key" }, curves.filter((curve) => !curve.faint).map((curve) => h("span", {},
      h("i", { class: "buf-line", style: { borderTopColor: `var(--clm-${curve.ink})`, borderTopStyle: curve.dash.length ? (curve.dash[0] < 3 ? "dotted" : "dashed") : "solid" } }),
      curve.name.replace(/^after (?=.)/, ""))));
  }

  /** Records and bytes, which are no pictures. */
  async plainly() {
    const { model, plain } = this;
    if (model.state.form === "none") { plain.replaceChildren(h("p", { class: "dim" }, model.array.size ? "Nothing was captured of this array." : "The array has no elements.")); return; }
    const bytes = bufBytesOf(model) ?? await this.tiles.bytes(model, model.state.page ?? 0, 256);
    if (plain !== this.plain || model.serial !== this.model.serial) return;
    plain.replaceChildren(bufBytesView(model, bytes, { page: (start) => this.turn(start), asks: Boolean(this.context.ask) }));
  }

  /** Only the pane under the pointer has a tip. */
  hovered(pane) { for (const other of this.panes) if (other !== pane) other.tip.hidden = true; }

  turn(start) { this.model.state.page = start; this.plainly(); }

  zoom(factor) {
    const pane = this.panes[0];
    if (!pane) return;
    const keys = factor === 0 ? "Home" : factor > 1 ? "+" : "-";
    pane.canvas.dispatchEvent(new KeyboardEvent("keydown", { key: keys }));
  }

  redraw(controls = false) {
    if (controls) this.bar.replaceChildren(...bufBar(this.model, { change: () => this.rebuild(), zoom: (factor) => this.zoom(factor) }));
    this.context.frame.draw();
  }

  draw() {
    if (!this.model || !this.root.clientWidth) return;
    this.drawnWidth = this.root.clientWidth;
    const width = Math.max(80, this.drawnWidth);
    const { form } = this.model.state;
    const many = this.panes.length;
    const beside = many > 1 && width >= BUF_SIDE_BY_SIDE;
    const most = form === "line" ? width : Math.min(BUF_MOST_WIDTH, beside ? Math.floor((width - BUF_GAP * (many - 1)) / many) : width);
    for (const pane of this.panes) {
      pane.draw(most);
      if (this.brief) continue; // of a moving picture the words follow a few times a second
      this.caption(pane);
      if (form === "picture") this.colourBar(pane);
    }
    if (this.brief) { this.brief = false; return; }
    if (form === "picture" && this.panes.length) this.tiles.settle(this.model, this.panes[0].size);
    this.showPicked();
  }

  caption(pane) {
    const { array, state } = this.model;
    const side = pane.side === "both" ? "before, after" : pane.side === "difference" ? "after − before" : pane.side;
    const found = array.statistics[pane.side === "both" ? "after" : pane.side];
    const bad = found ? [[found.nan, "NaN"], [found.inf, "Inf"]].filter(([count]) => count).map(([count, name]) => `${counted(count)} ${name}`).join(", ") : "";
    const part = array.components.length && state.form === "picture" ? (state.component < 0 && pane.side !== "difference" ? array.components.join("") : array.components[Math.max(0, state.component)]) : "";
    const swatch = bad && state.form === "picture" ? h("canvas", { "aria-hidden": "true", style: { display: "inline-block", verticalAlign: "-1px", marginRight: "4px" } }) : null;
    pane.caption.replaceChildren(h("span", { class: "mono" }, array.written && !this.data.head.live ? `${array.label} ${side}` : array.label), " ",
      h("span", { class: "dim sm" }, [part, array.written ? "" : "read, not written"].filter(Boolean).join(", "), part && bad ? ", " : " ", swatch, bad));
    if (swatch) bufSwatch(swatch, sized(swatch, 20, 10), colour(pane.root, "error"));
  }

  colourBar(pane) {
    const { model } = this;
    const { scale, table, beyond } = model.colours(pane.side);
    const width = Math.max(120, Math.floor(pane.size.width));
    const context = sized(pane.bar, width, 56);
    const whole = "iub".includes(model.array.kind) || model.array.range.gray;
    const end = (value) => (whole && Number.isInteger(value) ? counted(value) : element(value));
    const ends = pane.side === "difference" ? [`${beyond ? "≤ " : ""}${end(scale.low)}`, `${beyond ? "≥ " : ""}${end(scale.high)}`, "0"]
      : [`${scale.cut ? "≤ " : ""}${end(scale.low)}`, end(scale.high)];
    const statistics = model.array.statistics[pane.side];
    bufHistogram(pane.bar, context, { statistics: statistics?.ends ? statistics : null, scale, table, counts: model.state.counts, width, root: pane.root, ends });
  }

  /** Words around the pictures: the conclusion, the numbers, the notes. */
  tell() {
    const { model } = this;
    this.tabled = performance.now();
    const { array } = model;
    const found = array.statistics[model.latest];
    const jumps = found ? [["NaN", found.nan], ["Inf", found.inf], ["denormal", found.denormal]].filter(([, count]) => count) : [];
    const words = bufConclusion(array);
    this.head.replaceChildren(h("b", { class: "mono" }, array.label), ...words.map((word) => [" · ", h("span", {}, word)]).flat(), " · ",
      ...(jumps.length ? jumps.map(([kind, count], i) => [i ? ", " : "", this.jump(kind, count)]).flat() : [h("span", {}, ["f", "c"].includes(array.kind) ? "no NaN, no Inf" : counted(array.size * array.item_bytes) + " B")]));
    this.numbers.replaceChildren(array.statistics.before || array.statistics.after ? bufStatisticsTable(array) : "");
    const saturates = model.picture("difference") && model.colours("difference").beyond ? ` The difference map saturates at ±${element(model.colours("difference").scale.high)}.` : "";
    const refused = this.tiles.refused === array.name ? ` Exact elements cannot be fetched: ${this.tiles.reason}.` : "";
    const all = array.sampled || !found ? "" : " Numbers and histograms are of all elements.";
    this.note.textContent = `${model.note}${saturates}${refused}${this.data.head.status === "failed" ? " The run failed: these are the arrays as far as it came." : ""}${all}`.trim();
  }

  /** "12 NaN" leads from one to the next, where the picture shows them. */
  jump(kind, count) {
    const { model } = this;
    const places = model.picture(model.latest) ? model.special(model.latest)[kind] : [];
    const text = `${counted(count)} ${kind}`;
    if (!places.length) return h("span", { class: kind === "denormal" ? null : "buf-bad" }, text);
    let turn = -1;
    return h("button", { type: "button", class: `buf-jump${kind === "denormal" ? "" : " buf-bad"}`, title: "go to the next one", onclick: () => {
      turn = (turn + 1) % places.length;
      const now = this.model;
      now.select(bufElementOf(now.array, now.picture(now.latest), places[turn]));
    } }, text);
  }

  /** An element was selected here: all views of the run hear of it. */
  selected(index) {
    const { model } = this;
    const item = index && model.itemOf(index);
    this.context.selection.set({ array: index ? model.array.name : null, element: index, item: item ? [...item, 0, 0].slice(0, 3) : null, command: null }, this);
    if (this.plain) this.plainly();
    this.redraw(true);
  }

  /** Something was selected elsewhere. */
  follow(value) {
    if (!this.model) return;
    const { model } = this;
    const named = value.array === null || value.array === model.array.name;
    const index = named && value.element && value.element.length === model.items.length ? value.element : model.elementFor(value.item);
    if (index?.every((at, axis) => at >= 0 && at < model.items[axis])) {
      model.state.selected = index;
      for (const axis of model.axes().fixed) model.state.fixed[axis] = index[axis];
    } else model.state.selected = null;
    if (this.plain) this.plainly();
    this.redraw(true);
  }

  showPicked() {
    const { model } = this;
    const { selected } = model.state;
    if (!selected || model.state.form === "none") { this.picked.replaceChildren(h("span", { class: "dim" }, selected ? "" : BUF_HINTS[model.state.form] ?? "Click an element, or press an arrow key, to see its index and its work-item.")); return; }
    this.picked.replaceChildren(...model.words(selected).map(([name, text]) => h("span", {}, h("span", { class: "dim" }, `${name} `),
      h("span", { class: name === "element" ? "mono" : null }, text))));
    const picture = model.picture(model.latest);
    if (picture && !bufIsExact(picture)) this.picked.setAttribute("title", "≈: the picture is reduced, see the note below");
  }

  destroy() { for (const off of this.off) off(); }
}
