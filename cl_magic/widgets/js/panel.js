// The kernel panel: controls on the left only leave a wish; what runs, its pictures and its errors come back.

import { frame, h } from "../../views/js/base.js";
import { PICKER_STYLE } from "./picker_style.js";
import { NDRANGE_PICKER_STYLE } from "./ndrange_style.js";
import { formKey, pickerForm, withDimensions } from "./ndrange_picker.js";
import { PANEL_STYLE } from "./panel_style.js";
import { panelControl } from "./panel_fields.js";
import { panelResult } from "./panel_result.js";

const MANY = 8;

/** A wish with one value of a group changed. */
export function panelWish(wish, group, name, value) {
  return { ...wish, [group]: { ...wish[group], [name]: value } };
}

/** Questions of a picture and their answers. */
function panelAsker(model) {
  const waiting = new Map();
  let asked = 0;
  const answer = (message, buffers) => {
    if (message?.type !== "answer" || !waiting.has(message.id)) return;
    waiting.get(message.id)({ ...message, buffers });
    waiting.delete(message.id);
  };
  model.on("msg:custom", answer);
  return { ask: (request) => new Promise((resolve) => { asked += 1; waiting.set(asked, resolve); model.send({ type: "ask", id: asked, request }); }), end: () => model.off("msg:custom", answer) };
}

/** The sizes: the NDRange picker's fields, in a panel. */
function panelSizes(model, change) {
  const place = h("div", { class: "nd" });
  const said = h("p", { class: "sm bad", role: "alert", hidden: true });
  const kept = { global: [], local: [], offset: [] };
  let wish = null;
  let form = null;
  const part = (fresh) => { wish = { ...wish, ...fresh }; change(wish); form.mark(wish); };
  const dimensions = (count) => {
    for (const name of Object.keys(kept)) wish[name]?.forEach((text, at) => { kept[name][at] = text; });
    part(withDimensions(wish, count, kept));
    build(model.get("sizes"));
  };
  function build(picture) { form = pickerForm(picture, wish, { change: part, dimensions }); place.replaceChildren(form.element, said); }
  function show(fresh = null) {
    const picture = model.get("sizes");
    if (fresh !== null || wish === null) wish = { ...model.get("wish").sizes };
    if (form === null || form.key !== formKey(picture, wish)) build(picture);
    form.show(picture, wish);
    said.hidden = !picture.fault;
    said.textContent = picture.fault?.message ?? "";
  }
  return { place, show, typing: () => place.contains(document.activeElement) };
}

function panelControls(form, set) {
  const controls = [];
  const section = (title, list, group, more = "") => {
    if (!list.length) return null;
    const made = list.map((one) => ({ one, group, ...panelControl(one, (value) => set(group, one.name, value), more) }));
    controls.push(...made);
    return h("fieldset", { class: list.length > MANY ? "many" : null }, h("legend", {}, title), made.map(({ element }) => element));
  };
  const parts = [section("arguments", form.arguments, "arguments"), section("definitions", form.macros, "macros", "rebuilds")];
  return { parts: parts.filter(Boolean), show: (wish) => controls.forEach(({ one, group, show }) => show(wish[group]?.[one.name])) };
}

function panelDevices(model, set) {
  const select = h("select", { "aria-label": "device", onchange: () => set({ device: select.value }) });
  const element = h("fieldset", {}, h("legend", {}, "device"), select);
  return { element, show(form, wish) {
    const key = JSON.stringify(form.devices);
    if (select.dataset.key !== key) {
      select.dataset.key = key;
      const gone = form.devices.some(({ id }) => id === wish.device) ? [] : [h("option", { value: wish.device }, "no longer there")];
      select.replaceChildren(...gone, ...form.devices.map(({ id, name, usable }) => h("option", { value: id, disabled: !usable }, name)));
    }
    select.value = wish.device;
  } };
}

function panelActions(model, set) {
  const go = h("button", { type: "button", class: "go", onclick: () => model.send({ type: "run" }) }, "Run");
  const halt = h("button", { type: "button", onclick: () => model.send({ type: "stop" }) }, "Stop");
  const auto = h("input", { type: "checkbox", onchange: () => set({ auto: auto.checked }) });
  const count = h("span", { class: "dim sm count" });
  const element = h("div", { class: "act" }, go, halt, h("label", {}, auto, "auto"), count);
  return { element, show(status, wish) { halt.disabled = status.state !== "running"; auto.checked = Boolean(wish.auto); count.textContent = status.run ? `run ${status.run}` : ""; } };
}

export function renderPanel({ model, el }) {
  const first = model.get("form");
  const held = frame(el, `panel of the kernel ${first.kernel}`);
  el.querySelector("style").append(PICKER_STYLE, NDRANGE_PICKER_STYLE, PANEL_STYLE);
  const asker = panelAsker(model);
  // What was set here stays what is shown, until the kernel's side sets something of its own.
  let wish = model.get("wish");
  const send = (fresh) => { wish = fresh; model.set("wish", fresh); model.save_changes(); };
  const set = (part) => send({ ...wish, ...part });
  const sizes = panelSizes(model, (fresh) => set({ sizes: fresh }));
  const devices = panelDevices(model, set);
  const buttons = panelActions(model, set);
  const result = panelResult(first.tabs, { open: (tab) => { result.tab(tab); set({ tab }); }, picture: (name) => set({ picture: name }), stop: () => model.send({ type: "stop" }), ask: asker.ask });
  const middle = h("div");
  const ctl = h("form", { class: "ctl", "aria-label": "controls", onsubmit: (event) => event.preventDefault(), onpointerenter: () => model.send({ type: "names" }) },
    first.compact ? null : h("div", {}, devices.element, sizes.place), middle, buttons.element);
  held.root.append(h("div", { class: first.compact ? "kp compact" : "kp" }, ctl, result.root));
  let controls = null;
  let drawnForm = "";

  function form() {
    const fresh = model.get("form");
    const key = JSON.stringify([fresh.arguments, fresh.macros].map((list) => list.map((one) => ({ ...one, value: null }))));
    if (key !== drawnForm && !middle.contains(document.activeElement)) {
      drawnForm = key;
      controls = panelControls(fresh, (group, name, value) => send(panelWish(wish, group, name, value)));
      middle.replaceChildren(...controls.parts);
    }
    controls.show(wish);
    devices.show(fresh, wish);
  }
  function wished(now = null) {
    if (now !== null && model.get("wish") === wish) return;
    wish = model.get("wish");
    form();
    sizes.show(true);
    result.tab(wish.tab);
    result.chosen(wish.picture);
    buttons.show(model.get("status"), wish);
  }
  function status() { const now = model.get("status"); result.status(now); result.chosen(wish.picture); buttons.show(now, wish); held.root.dataset.run = `${now.state} ${now.run}`; }
  const shown = () => result.view(model.get("view"));
  const planned = () => sizes.show();
  const listeners = [["change:form", form], ["change:wish", wished], ["change:sizes", planned], ["change:status", status], ["change:view", shown]];
  wished();
  status();
  shown();
  for (const [name, listener] of listeners) model.on(name, listener);
  model.send({ type: "shown" });
  return () => { for (const [name, listener] of listeners) model.off(name, listener); asker.end(); result.destroy(); held.destroy(); };
}
