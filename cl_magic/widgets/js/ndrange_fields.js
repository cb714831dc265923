// The controls of the NDRange picker: fields that step, sliders with ticks, bars of limits.

import { h, s } from "../../views/js/base.js";
import { OWN_KEYS } from "./picker_style.js";

export const AXIS_NAMES = ["x", "y", "z"];

/** The legal step next to `index`, below first: a slider stops at what can be launched. */
export function legalStep(steps, index) {
  for (let at = index; at >= 0; at -= 1) if (steps[at][3]) return at;
  for (let at = index; at < steps.length; at += 1) if (steps[at][3]) return at;
  return index;
}

/** Index of the step that a size stands at, or just above. */
export function stepOf(steps, size) {
  const at = steps.findIndex(([n]) => n >= size);
  return at < 0 ? steps.length - 1 : at;
}

/** The next multiple of `step` above or below what a field holds; what is no number stays. */
export function nextMultiple(text, step, direction, least) {
  const bare = text.replace(/[\s_\u202f]/g, "");
  if (!/^\d{1,18}$/.test(bare)) return text;
  const value = BigInt(bare);
  const by = BigInt(Math.max(1, step));
  const below = (value / by) * by;
  const next = direction > 0 ? below + by : below === value ? value - by : below;
  return String(next < BigInt(least) ? BigInt(least) : next);
}

/** Words for the step of a slider. */
export function stepWords([size, divides, preferred, legal]) {
  if (!legal) return `${size}, over a limit`;
  return `${size}, ${divides ? "divides the range" : "leaves a remainder"}${preferred ? ", a preferred multiple" : ""}`;
}

/** A text field for one number; arrow keys go to the next multiple of `step()`. */
export function numberField(label, read, { step, least, readonly }) {
  const field = h("input", { type: "text", inputmode: "numeric", "aria-label": label, spellcheck: "false", autocomplete: "off", readonly,
    oninput: () => read(field.value),
    onkeydown: (event) => {
      const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (!direction || readonly) return;
      event.preventDefault();
      field.value = nextMultiple(field.value, step() * (event.shiftKey ? 10 : 1), direction, least);
      read(field.value);
    } });
  return field;
}

/** A slider over the steps of one axis, with its ticks: whole ones divide, dashed ones leave a remainder, tall ones are preferred. */
export function tickSlider(label, read) {
  const ticks = s("svg", { "aria-hidden": "true" });
  const range = h("input", { type: "range", min: "0", step: "1", "aria-label": label, ...OWN_KEYS, oninput: () => {
    const at = legalStep(slider.steps, Number(range.value));
    range.value = String(at);
    range.setAttribute("aria-valuetext", stepWords(slider.steps[at]));
    read(slider.steps[at][0]);
  } });
  const slider = { element: h("div", { class: "tk" }, ticks, range), range, steps: [], show };
  let drawn = "";

  function show(steps, size, fixed) {
    slider.steps = steps;
    const last = Math.max(1, steps.length - 1);
    range.max = String(steps.length - 1);
    range.disabled = fixed || steps.length < 2;
    const at = stepOf(steps, size);
    range.value = String(at);
    range.setAttribute("aria-valuetext", steps[at][0] === size ? stepWords(steps[at]) : `${size}, no step`);
    const key = JSON.stringify(steps);
    if (key === drawn) return;
    drawn = key;
    ticks.replaceChildren(s("line", { class: "axis", x1: "0", x2: "100%", y1: "16", y2: "16" }), ...steps.map(([, divides, preferred, legal], index) => {
      const x = `${steps.length > 1 ? (100 * index) / last : 0}%`;
      return s("line", { class: `${legal ? "" : "far"}${divides ? "" : " part"}`, x1: x, x2: x, y1: preferred ? 2 : 7, y2: 15 });
    }));
  }

  return slider;
}

/** Bars of limits, each with its numbers. */
export function limitBars(bars) {
  return bars.map(({ name, value, limit, share, note }) => h("div", { class: "lim" },
    h("span", {}, name), h("span", {}, value, h("span", { class: "dim" }, ` of ${limit}`)),
    h("div", { class: "bar2", "aria-hidden": "true" }, h("span", { class: share > 1 ? "over" : "", style: { width: `${Math.min(100, 100 * share)}%`, minWidth: share > 0 ? "1px" : "0" } })),
    note ? h("span", { class: "dim sm" }, note) : null));
}
