// The panel's right side: tabs, the line of the last run, what went wrong, the pictures.

import { h } from "../../views/js/base.js";
import { render } from "../../views/js/index.js";
import { pickerMark } from "./picker_style.js";

const RUNNING_MS = 2000;
const TICK_MS = 500;

/** `running 3.4 s`: seconds with one decimal. */
export function panelSeconds(ms) {
  return `${(ms / 1000).toFixed(1)}\u202fs`;
}

function panelHead(status) {
  const [name, ...words] = status.head ?? [];
  const parts = words.flatMap((word) => [h("span", { class: "dim" }, " · "), h("span", { class: "nw" }, /^[\d.]+\u202f(ns|µs|ms|s)$/.test(word) ? h("b", {}, word) : word)]);
  return [...(status.state === "complete" ? [pickerMark("ok"), " "] : []), h("b", { class: "mono" }, name ?? ""), ...parts];
}

function panelError({ title = "it failed", text = "", code = false } = {}) {
  return [h("p", {}, pickerMark("error"), " ", h("b", {}, title)), ...(text ? [h("pre", { tabindex: 0, class: code ? null : "wrap" }, text)] : [])];
}

/** `{root, status(status), view(view), tab(name), destroy()}`; `act`: `{open(tab), picture(name), stop(), ask(request)}`. */
export function panelResult(tabs, act) {
  const buttons = tabs.map(([id, title]) => h("button", { role: "tab", type: "button", "data-tab": id, onclick: () => act.open(id) }, title));
  const bar = tabs.length > 1 ? h("div", { class: "tabs", role: "tablist", "aria-label": "views", onkeydown: step }, buttons) : null;
  const line = h("p", { class: "said" });
  const live = h("span", { "aria-live": "polite" });
  const oops = h("div", { class: "oops", role: "alert", hidden: true });
  const select = h("select", { "aria-label": "array of the picture", onchange: () => act.picture(select.value) });
  const of = h("label", { class: "of", hidden: true }, h("span", { class: "dim" }, "array"), select);
  const place = h("div", { role: "tabpanel" });
  const was = h("p", { class: "dim sm was", hidden: true });
  const root = h("div", { class: "out" }, bar, oops, line, of, place, was);
  let drawn = null;
  let timer = 0;
  let begun = 0;
  let latest = {};
  let open = tabs[0][0];

  function step(event) {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = buttons.indexOf(event.target);
    if (!move || at < 0) return;
    const next = (at + move + tabs.length) % tabs.length;
    act.open(tabs[next][0]);
    buttons[next].focus();
    event.preventDefault();
  }

  function tick() {
    const ms = performance.now() - begun;
    if (latest.state !== "running" || ms < RUNNING_MS) return;
    const words = `running ${panelSeconds(ms)}`;
    if (!live.isConnected) line.replaceChildren(h("b", { class: "mono" }, latest.head?.[0] ?? ""), " · ", live, " · ", h("button", { type: "button", class: "halt", onclick: act.stop }, "Stop"));
    live.textContent = words;
  }

  function status(fresh) {
    if (fresh.state === "running" && (latest.state !== "running" || latest.run !== fresh.run)) {
      begun = performance.now();
      clearInterval(timer);
      timer = setInterval(tick, TICK_MS);
    } else if (fresh.state !== "running") clearInterval(timer);
    const running = fresh.state === "running";
    latest = fresh;
    const wrong = fresh.state === "failed" || fresh.state === "refused";
    const stopped = fresh.state === "stopped";
    if (!running) {
      oops.hidden = !(wrong || stopped);
      if (wrong) oops.replaceChildren(...panelError(fresh.error));
      else if (stopped) oops.replaceChildren(h("p", {}, pickerMark("note"), " ", h("b", {}, `run ${fresh.run} was stopped after ${panelSeconds(1000 * (fresh.elapsed ?? 0))}`), "; the arrays it wrote may be partly written, and the next run starts anew."));
      line.replaceChildren(...panelHead(fresh));
      line.hidden = fresh.shown === 0 && wrong;
    }
    const old = (wrong || stopped) && fresh.shown > 0;
    place.className = old ? "old" : "";
    was.hidden = !old;
    was.textContent = old ? `run ${fresh.shown}` : "";
    pictures(fresh.pictures ?? []);
    if (!fresh.shown && !drawn) place.replaceChildren(h("p", { class: "waits" }, wrong || stopped ? "" : running ? "The first run is on its way." : "Run to see the picture."));
  }

  function pictures(names) {
    of.hidden = open !== "picture" || names.length < 2;
    if (select.dataset.names !== names.join()) {
      select.dataset.names = names.join();
      select.replaceChildren(...names.map((name) => h("option", { value: name }, name)));
    }
  }

  function view(fresh) {
    if (!fresh.tab || fresh.tab !== open) return;
    if (fresh.payload) {
      if (drawn) drawn.update(fresh.payload);
      else { place.replaceChildren(); const box = h("div"); place.append(box); drawn = render(box, fresh.payload, { ask: act.ask }); }
      return;
    }
    drawn?.destroy();
    drawn = null;
    place.replaceChildren(fresh.note ? h("p", { class: "dim" }, fresh.note) : "", fresh.text ? h("pre", { tabindex: 0, "aria-label": fresh.tab }, fresh.text) : "");
  }

  function tab(name) {
    open = name;
    buttons.forEach((button) => { const on = button.dataset.tab === name; button.setAttribute("aria-selected", String(on)); button.tabIndex = on ? 0 : -1; });
    pictures(latest.pictures ?? []);
  }

  return { root, status, view, tab, chosen: (name) => { if (name) select.value = name; }, destroy() { clearInterval(timer); drawn?.destroy(); } };
}
