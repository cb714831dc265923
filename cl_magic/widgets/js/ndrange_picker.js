// The NDRange picker: what is dragged or typed goes to the kernel, the plan comes back; one wish on its way at a time.

import { frame, h } from "../../views/js/base.js";
import { OWN_KEYS, PICKER_STYLE, pickerMark } from "./picker_style.js";
import { NDRANGE_PICKER_STYLE } from "./ndrange_style.js";
import { layoutPicture } from "./ndrange_layout.js";
import { AXIS_NAMES, limitBars, numberField, tickSlider } from "./ndrange_fields.js";

const BUSY_MS = 800;

/** A wish with another number of dimensions; `kept` holds what an axis had before it was left out. */
export function withDimensions(wish, dimensions, kept) {
  const fit = (list, name, filler) => (list === null ? null : Array.from({ length: dimensions }, (_, at) => list[at] ?? kept[name]?.[at] ?? filler));
  return { global: fit(wish.global, "global", "1"), local: fit(wish.local, "local", "1"), offset: fit(wish.offset, "offset", "0") };
}

/** Numbers of the layout for a group that can be launched: the range as it was planned, in groups of the wish. */
export function previewPlan({ plan, fault }, wish) {
  const local = wish.local?.map(Number) ?? [];
  if (plan === null || fault !== null || local.length !== plan.global.length || !local.every((n) => Number.isInteger(n) && n > 0)) return null;
  if (!plan.global.every((n, at) => String(n) === wish.global[at])) return null;
  return { ...plan, local, groups: plan.global.map((n, at) => Math.ceil(n / local[at])), padded: null, launches: 1 };
}

/** Sends the latest wish; what is wished while one is on its way waits for its answer. */
function sender(model, busy) {
  let serial = 1 + Math.floor(Math.random() * 1e6);
  let open = false;
  let waiting = null;
  let timer = 0;
  const post = (wish) => {
    serial += 1;
    open = true;
    model.send({ type: "ask", asked: { ...wish, serial } }); // a change of a trait would wait for the kernel to be idle
    timer = setTimeout(() => busy(true), BUSY_MS);
  };
  return {
    send: (wish) => { if (open) waiting = wish; else post(wish); },
    answered(picture) {
      if (open && picture.serial !== serial) return false;
      clearTimeout(timer);
      busy(false);
      open = false;
      if (waiting === null) return true;
      const wish = waiting;
      waiting = null;
      post(wish);
      return true;
    },
    end: () => clearTimeout(timer),
  };
}

function render({ model, el }) {
  const held = frame(el, `NDRange of ${model.get("picture").kernel}`);
  el.querySelector("style").append(PICKER_STYLE, NDRANGE_PICKER_STYLE);
  const controls = h("div");
  const side = h("div");
  const late = h("p", { class: "dim", role: "status" });
  held.root.append(h("div", { class: "nd" }, controls, h("div", {}, late, side)));
  const kept = { global: [], local: [], offset: [] };
  const out = sender(model, (busy) => { late.textContent = busy ? "The kernel is busy with a cell; the plan follows." : ""; });
  let wish = null;
  let form = null;

  function change(part, legal = false) {
    wish = { ...wish, ...part };
    out.send(wish);
    form.mark(wish);
    if (legal) preview();
  }

  /** The layout of a legal step follows at once; the planner's words come with its answer. */
  function preview() {
    const numbers = previewPlan(model.get("picture"), wish);
    const old = side.querySelector(".lay");
    if (numbers === null || old === null) return;
    old.replaceWith(layoutPicture(numbers, Math.floor(side.clientWidth) || 300));
    held.root.dataset.previewed = String(wish.local);
  }

  function dimensions(count) {
    for (const name of Object.keys(kept)) wish[name]?.forEach((text, at) => { kept[name][at] = text; });
    change(withDimensions(wish, count, kept));
    build();
    form.element.querySelector(`.seg input[value="${count}"]`).focus();
  }

  function build() {
    form = pickerForm(model.get("picture"), wish, { change, dimensions });
    controls.replaceChildren(form.element);
  }

  function draw() {
    const picture = model.get("picture");
    const { asked } = picture;
    const own = out.answered(picture);
    const typing = controls.contains(document.activeElement);
    if (wish === null || (own && (picture.serial === 0 || !typing))) wish = { global: asked.global, local: asked.local, offset: asked.offset };
    if (form === null || form.key !== formKey(picture, wish)) build();
    form.show(picture, wish);
    side.replaceChildren(...sideParts(picture, Math.floor(side.clientWidth) || 300, (way) => { wish = way; change(way); build(); form.show(picture, wish); }));
    held.root.dataset.drawn = String(picture.serial);
    delete held.root.dataset.previewed;
  }

  model.on("change:picture", draw);
  held.onDraw(draw);
  draw();
  return () => { model.off("change:picture", draw); out.end(); held.destroy(); };
}

function formKey(picture, wish) {
  return `${wish.global.length} ${picture.fixed} ${picture.fixedGlobal} ${picture.kernel}`;
}

/** The fields and sliders of as many dimensions as the wish has. */
function pickerForm(picture, start, { change, dimensions }) {
  const count = start.global.length;
  const axes = AXIS_NAMES.slice(0, count);
  let latest = picture;
  let wish = start;
  const edit = (name, at) => (text) => change({ [name]: wish[name].map((old, index) => (index === at ? text : old)) });
  const step = (at) => () => latest.local?.[at] ?? latest.multiple;
  const globals = axes.map((axis, at) => numberField(`global size ${axis}`, edit("global", at), { step: step(at), least: 1, readonly: picture.fixedGlobal }));
  const offsets = axes.map((axis, at) => numberField(`global offset ${axis}`, edit("offset", at), { step: step(at), least: 0 }));
  const local = (at, text, legal) => change({ local: axes.map((_, index) => (index === at ? String(text) : wish.local?.[index] ?? String(latest.local?.[index] ?? 1))) }, legal);
  const sliders = axes.map((axis, at) => tickSlider(`local size ${axis}`, (size) => local(at, size, true)));
  const locals = axes.map((axis, at) => numberField(`local size ${axis}`, (text) => local(at, text, false), { step: () => (at ? 1 : latest.multiple), least: 1, readonly: picture.fixed !== "" }));
  const automatic = h("input", { type: "checkbox", onchange: () => change({ local: automatic.checked ? null : axes.map((_, at) => String(latest.local?.[at] ?? 1)) }) });
  const bars = h("div");
  const note = h("p", { class: "dim sm", style: "margin-top:4px" });
  const element = h("div", {}, rangeFields({ axes, count, globals, offsets, dimensions }),
    h("fieldset", {}, h("legend", { class: "lg" }, "work-group", picture.fixed ? null : h("label", { class: "auto" }, automatic, "automatic")),
      axes.map((axis, at) => h("div", { class: "loc" }, h("span", {}, `local ${axis}`), sliders[at].element, locals[at])), note),
    bars);

  function put(field, text) {
    if (field !== document.activeElement || field.dataset.put === field.value) field.value = text;
    field.dataset.put = text;
  }

  function show(fresh, now) {
    latest = fresh;
    mark(now);
    axes.forEach((_, at) => {
      put(globals[at], now.global[at]);
      put(offsets[at], now.offset[at] ?? "0");
      sliders[at].element.style.visibility = fresh.steps[at] ? "" : "hidden";
      if (fresh.steps[at]) sliders[at].show(fresh.steps[at], Number(now.local?.[at]) || fresh.local[at], fresh.fixed !== "");
    });
    const bad = fresh.fault !== null;
    for (const field of [...globals, ...locals, ...offsets]) field.setAttribute("aria-invalid", String(bad && field === document.activeElement));
    note.textContent = fresh.fixed || tickWords(fresh);
    bars.className = bad ? "old" : "";
    bars.replaceChildren(...limitBars(fresh.bars));
  }

  /** What follows at once: the plan follows later. */
  function mark(now) {
    wish = now;
    automatic.checked = now.local === null;
    locals.forEach((field, at) => put(field, now.local === null ? String(latest.local?.[at] ?? "") : now.local[at] ?? "1"));
  }

  return { element, show, mark, key: formKey(picture, start) };
}

function tickWords({ multiple, steps }) {
  const every = steps.flat();
  const words = ["Ticks: divisors of the range"];
  if (every.some(([, divides]) => !divides)) words.push("dashed: leaves a remainder");
  if (multiple > 1) words.push(`tall: items a multiple of ${multiple}, preferred`);
  if (every.some(([, , , legal]) => !legal)) words.push("faint: cannot be launched");
  return `${words.join("; ")}.`;
}

function rangeFields({ axes, count, globals, offsets, dimensions }) {
  const group = `dimensions-${Math.random().toString(36).slice(2)}`;
  const choice = [1, 2, 3].map((n) => h("label", {}, h("input", { type: "radio", name: group, value: n, checked: n === count, ...OWN_KEYS, "aria-label": `${n} ${n === 1 ? "dimension" : "dimensions"}`, onchange: () => dimensions(n) }), `${n}D`));
  const columns = `46px repeat(${count}, minmax(0, 1fr))`;
  return h("fieldset", {}, h("legend", { class: "lg" }, "NDRange", h("span", { class: "seg", role: "radiogroup", "aria-label": "dimensions" }, choice)),
    h("div", { class: "g", style: { gridTemplateColumns: columns } }, h("span"), axes.map((axis) => h("span", { class: "dim sm ax" }, axis)),
      h("span", {}, "global"), globals, h("span", {}, "offset"), offsets));
}

/** Right of the controls: the fault with its ways out, the plan's line, the layout, the reasons. */
function sideParts(picture, width, take) {
  const { fault, plan } = picture;
  const parts = [];
  if (fault) {
    const ways = fault.ways.map(({ words, wish }) => h("button", { type: "button", onclick: () => take(wish) }, words));
    parts.push(h("p", { class: "fault", role: "alert" }, pickerMark("error"), fault.message), ways.length ? h("div", { class: "ways" }, ways) : null,
      fault.remedy && !ways.length ? h("p", { class: "dim" }, fault.remedy) : null);
  }
  if (!plan) return parts.filter(Boolean);
  const line = [h("span", { class: "nw" }, fault ? "Before: " : pickerMark("ok"), h("b", {}, picture.head)),
    ...[...picture.conclusion.split(" · "), picture.device].flatMap((fact) => [h("span", { class: "dim" }, " · "), h("span", { class: "nw" }, fact)])];
  const list = picture.reasons.flatMap(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]);
  parts.push(h("div", { class: fault ? "old" : "" }, h("p", { class: "say" }, line), layoutPicture(plan, width),
    picture.remainder ? h("p", { class: "dim sm" }, picture.remainder) : null, h("dl", { class: "said" }, list)));
  return parts.filter(Boolean);
}
