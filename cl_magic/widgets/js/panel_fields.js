// The panel's controls for one argument or macro: a slider with its field, a choice of few values, a field, an array.

import { h } from "../../views/js/base.js";

const MOST_BUTTONS = 6;

/** A number as its field shows it: no more digits than its step has, a true minus. */
export function panelNumber(value, step) {
  if (typeof value !== "number" || !Number.isFinite(value)) return String(value ?? "");
  const whole = Number.isInteger(step) && Number.isInteger(value);
  const digits = whole ? 0 : Math.min(12, Math.max(step > 0 ? -Math.floor(Math.log10(step) + 1e-9) : 4, 1));
  const text = whole ? String(value) : value.toFixed(digits);
  const exact = Number(text) === value ? text : String(value);
  return exact.replace("-", "−");
}

/** The number that a field holds; null where it holds none. */
export function panelRead(text, whole) {
  const bare = text.replace(/[\s\u202f_]/g, "").replace("−", "-");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(bare)) return null;
  const value = Number(bare);
  return Number.isFinite(value) && (!whole || Number.isInteger(value)) ? value : null;
}

/** Ends of a slider that hold a value: a field may go beyond the range that was guessed. */
export function panelEnds(control, value) {
  if (typeof value !== "number") return [control.low, control.high];
  return [Math.min(control.low, value), Math.max(control.high, value)];
}

function panelLabel(control, more = "") {
  const words = [control.words, more].filter(Boolean).join(", ");
  return h("span", { class: "nm", title: words || null }, h("b", {}, control.name), words ? [" ", h("span", { class: "dim sm" }, words)] : null);
}

/** A control: `{element, show(value)}`; `change(value)` is called with what somebody sets. */
export function panelControl(control, change, more = "") {
  if (control.kind === "array") return panelArray(control, change);
  if (control.kind === "text") return panelText(control, change);
  if (control.kind === "list" && control.values.length <= MOST_BUTTONS) return panelButtons(control, change, more);
  return control.kind === "list" ? panelListSlider(control, change, more) : panelSlider(control, change, more);
}

function panelField(name, read, change) {
  const field = h("input", { type: "text", inputmode: "decimal", "aria-label": name, spellcheck: "false", autocomplete: "off", oninput: () => {
    const value = read(field.value);
    field.setAttribute("aria-invalid", String(value === null));
    if (value !== null) change(value);
  } });
  return field;
}

function panelPut(field, text) {
  if (field === document.activeElement) return;
  field.value = text;
  field.removeAttribute("aria-invalid");
}

function panelSlider(control, change, more) {
  const { name, step, whole } = control;
  const slider = h("input", { type: "range", step: String(step || "any"), "aria-label": name, oninput: () => { const value = Number(slider.value); field.value = panelNumber(value, step); told(value); } });
  const field = panelField(`${name}, a number`, (text) => panelRead(text, whole), (value) => { ends(value); slider.value = String(value); told(value); });
  function told(value) { slider.setAttribute("aria-valuetext", panelNumber(value, step)); change(value); }
  function ends(value) { const [low, high] = panelEnds(control, value); slider.min = String(low); slider.max = String(high); }
  return { element: h("div", { class: "arg" }, panelLabel(control, more), slider, field), show(value) {
    ends(value);
    if (slider !== document.activeElement || Number(slider.value) !== value) slider.value = String(value);
    slider.setAttribute("aria-valuetext", panelNumber(value, step));
    panelPut(field, panelNumber(value, step));
  } };
}

function panelListSlider(control, change, more) {
  const { name, values } = control;
  const output = h("input", { type: "text", readonly: true, tabindex: -1, "aria-hidden": "true" });
  const slider = h("input", { type: "range", min: "0", max: String(values.length - 1), step: "1", "aria-label": name, oninput: () => { tell(values[Number(slider.value)]); change(values[Number(slider.value)]); } });
  function tell(value) { output.value = panelNumber(value, 1); slider.setAttribute("aria-valuetext", String(value)); }
  return { element: h("div", { class: "arg" }, panelLabel(control, more), slider, output), show(value) { slider.value = String(Math.max(0, values.indexOf(value))); tell(value); } };
}

function panelButtons(control, change, more) {
  const group = `panel-${Math.random().toString(36).slice(2)}`;
  const inputs = control.values.map((value) => h("input", { type: "radio", name: group, "aria-label": `${control.name} ${value}`, onchange: () => change(value) }));
  const labels = inputs.map((input, at) => h("label", {}, input, panelNumber(control.values[at], 1)));
  return { element: h("div", { class: "arg" }, panelLabel(control, more), h("div", { class: "pick wide", role: "radiogroup", "aria-label": control.name }, labels)),
    show(value) { inputs.forEach((input, at) => { input.checked = control.values[at] === value; }); } };
}

function panelText(control, change) {
  const field = h("input", { type: "text", class: "wide", "aria-label": control.name, placeholder: control.hint ?? "", spellcheck: "false", autocomplete: "off", oninput: () => change(field.value) });
  return { element: h("div", { class: "arg" }, panelLabel(control), field), show(value) { panelPut(field, String(value ?? "")); } };
}

function panelArray(control, change) {
  const options = control.choices.map(({ id, text }) => h("option", { value: id }, text));
  const select = h("select", { class: "wide", "aria-label": `array for ${control.name}`, onchange: () => change(select.value) }, options);
  const note = control.note ? h("span", { class: "dim sm note" }, control.note) : null;
  return { element: h("div", { class: "arg" }, panelLabel(control), select, note), show(value) { select.value = String(value ?? ""); } };
}
