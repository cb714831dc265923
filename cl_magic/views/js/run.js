// A run as its views on tabs: NDRange, Timeline, Buffers. They share one selection.

import { h } from "./base.js";
import { ndrangeView } from "./ndrange.js";
import { timelineView } from "./timeline.js";
import { bufferView } from "./buffer.js";

const VIEWS = [["ndrange", "NDRange", ndrangeView], ["timeline", "Timeline", timelineView], ["buffers", "Buffers", bufferView]];

/** The part of a run, decoded or not, that one of its views is drawn from: heads by name, columns by prefix. */
export function partOf(data, name) {
  const prefix = `${name}.`;
  const own = (things) => Object.fromEntries(Object.entries(things)
    .filter(([key]) => key.startsWith(prefix)).map(([key, value]) => [key.slice(prefix.length), value]));
  return { ...data, kind: name === "buffers" ? "buffer" : name, head: data.head[name], columns: own(data.columns), shapes: own(data.shapes ?? {}) };
}

export function runView(root, data, context) {
  const present = VIEWS.filter(([name]) => data.head[name]);
  const place = h("div", { role: "tabpanel" });
  const tabs = present.map(([name, title]) => h("button", { role: "tab", type: "button", "aria-selected": "false", onclick: () => open(name) }, title));
  root.append(h("div", { class: "tabs", role: "tablist", onkeydown: step }, tabs), place);
  let shown = null;
  let latest = data;

  function open(name) {
    shown?.view.destroy();
    place.replaceChildren();
    const index = present.findIndex(([key]) => key === name);
    tabs.forEach((tab, at) => { tab.setAttribute("aria-selected", String(at === index)); tab.tabIndex = at === index ? 0 : -1; });
    shown = { name, view: present[index][2](place, partOf(latest, name), context) };
  }

  function step(event) {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = tabs.indexOf(event.target);
    if (!move || at < 0) return;
    const next = (at + move + tabs.length) % tabs.length;
    open(present[next][0]);
    tabs[next].focus();
    event.preventDefault();
  }

  if (present.length) open(context.options.tab && data.head[context.options.tab] ? context.options.tab : present[0][0]);
  return {
    update(fresh) { latest = fresh; if (shown && fresh.head[shown.name]) shown.view.update(partOf(fresh, shown.name)); },
    destroy() { shown?.view.destroy(); },
  };
}
