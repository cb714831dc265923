// The controls of the buffer view: what is shown of an array, on which scale, which slice and component.

import { counted, h } from "./base.js";

const BUF_FORMS = { picture: "picture", line: "line", table: "table", hex: "hex" };

/** A row of buttons of which one is pressed; arrows move along it. */
export function bufSegments(label, options, current, pick) {
  const buttons = options.map(([value, text]) => h("button", { type: "button", "aria-pressed": String(value === current), onclick: () => pick(value) }, text));
  return h("span", { class: "buf-group" }, h("span", {}, label), h("span", { class: "buf-seg", role: "group", "aria-label": label }, buttons));
}

/** Forms that an array can be shown in. */
export function bufFormsOf(model) {
  const { array } = model;
  if (array.form === "nothing") return [];
  const hasPicture = Boolean(model.picture("before") ?? model.picture("after"));
  const hasBytes = Boolean(model.data.columns[`${model.index}.bytes_before`]) || hasPicture;
  const drawn = hasPicture ? [["line", "value"].includes(array.form) ? "line" : "picture"] : [];
  return [...drawn, ...(array.members.length ? ["table"] : []), ...(hasBytes ? ["hex"] : [])];
}

/** The controls as elements; `act`: {change(), zoom(factor)}. */
export function bufBar(model, act) {
  const { state, array } = model;
  const set = (name) => (value) => { state[name] = value; act.change(); };
  const forms = bufFormsOf(model);
  const drawn = state.form === "picture" || state.form === "line";
  const parts = [];
  if (forms.length > 1) parts.push(bufSegments("form", forms.map((form) => [form, BUF_FORMS[form]]), state.form, set("form")));
  if (drawn && array.written) {
    const sides = [["all", "all"], ["before", "before"], ["after", "after"], ["difference", "difference"]].filter(([side]) => side === "all" || model.picture(side));
    if (sides.length > 2) parts.push(bufSegments("show", sides, state.side, set("side")));
  }
  if (drawn && array.components.length && model.picture(model.latest)) parts.push(bufComponents(model, set("component")));
  if (drawn) parts.push(bufSegments("scale", [["linear", "linear"], ["log", "log"], ["symmetric", "symmetric"]], state.scale, set("scale")));
  if (state.form === "picture" && array.range.gray && array.kind !== "b") {
    parts.push(bufSegments("range", [["whole", `0 to ${counted(array.range.high)}`], ["values", "of the values"]], state.range, set("range")));
  }
  if (state.form === "picture") parts.push(bufSegments("counts", [["linear", "linear"], ["log", "log"]], state.counts, set("counts")));
  if (state.form === "picture") parts.push(...bufSlices(model, act));
  if (drawn) parts.push(bufSegments("zoom", [[1.6, "+"], [1 / 1.6, "−"], [0, "fit"]], null, (factor) => act.zoom(factor)));
  return parts;
}

function bufComponents(model, pick) {
  const { array, state } = model;
  const { components } = array;
  const names = components.map((name, i) => [i, name]);
  const together = state.form === "line" ? [[-1, "all"]] : array.kind !== "c" && components.length >= 3 && components.length <= 4 ? [[-1, components.length === 4 ? "RGBA" : "RGB"]] : [];
  return bufSegments("component", [...together, ...names], state.component, pick);
}

function bufSlices(model, act) {
  const { state, items } = model;
  const { fixed } = model.axes();
  const parts = [];
  if (items.length === 3) parts.push(bufSegments("slice along axis", items.map((_, axis) => [axis, String(axis)]), state.slice ?? 0, (axis) => { state.slice = axis; state.view = { x: 0, y: 0, zoom: 1 }; act.change(); }));
  for (const axis of fixed) {
    const shown = h("span", {}, bufSliceText(model, axis));
    parts.push(h("label", { class: "buf-group" }, h("span", {}, items.length === 3 ? "" : `axis ${axis}`), h("input", {
      type: "range", min: 0, max: items[axis] - 1, step: 1, value: state.fixed[axis], "aria-label": `index along axis ${axis}`,
      oninput: (event) => { state.fixed[axis] = Number(event.target.value); shown.textContent = bufSliceText(model, axis); model.view.redraw(); },
    }), shown));
  }
  return parts;
}

function bufSliceText(model, axis) {
  const step = model.picture(model.latest)?.step[axis] ?? 1;
  const of = `${counted(model.state.fixed[axis])} of ${counted(model.items[axis])}`;
  return step > 1 ? `${of} (${counted(step)} in one)` : of;
}
