// Pointer and keys on a timeline: drag pans or measures, the wheel zooms, arrows go from command to command.

import { h } from "./base.js";
import { tlPanned, tlZoomed } from "./timeline_axis.js";
import { tlRowAt } from "./timeline_layout.js";
import { tlTip } from "./timeline_tables.js";

const TL_CLICK = 4;
const TL_REACH = 5;

/** The command under a point, or null. */
export function tlHit(view, x, y) {
  const { drawn, model } = view;
  const row = drawn && tlRowAt(drawn.layout, y);
  if (!row || row.type !== "lane" || x < drawn.layout.gutter - TL_REACH) return null;
  const at = drawn.scale.at(x);
  const reach = Math.abs(drawn.scale.at(x + TL_REACH) - drawn.scale.at(x - TL_REACH)) / 2;
  return model.nearest(row.lane, at - view.shifts[row.run], reach);
}

export function tlPointer(view) {
  const { canvas, tip } = view;
  let held = null;
  const at = (event) => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
  const time = (x) => Math.min(view.axis.end, Math.max(0, view.drawn.scale.at(x)));
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !view.drawn) return;
    const [x, y] = at(event);
    held = { x, y, moved: false, view: view.view, measure: view.measuring || event.shiftKey, from: time(x) };
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    event.preventDefault();
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!view.drawn) return;
    const [x, y] = at(event);
    if (!held) { tlHover(view, tip, x, y); return; }
    held.moved ||= Math.abs(x - held.x) > TL_CLICK;
    if (!held.moved) return;
    tip.hidden = true;
    if (held.measure) view.setBrush([Math.min(held.from, time(x)), Math.max(held.from, time(x))]);
    else view.look(tlPanned(held.view, (held.x - x) / view.drawn.layout.plot));
  });
  canvas.addEventListener("pointerup", (event) => {
    if (held && !held.moved) { const [x, y] = at(event); view.select(tlHit(view, x, y)); }
    held = null;
  });
  canvas.addEventListener("pointercancel", () => { held = null; });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  canvas.addEventListener("dblclick", (event) => { const [x, y] = at(event); const id = tlHit(view, x, y); if (id !== null) view.zoomTo(id); });
  canvas.addEventListener("wheel", (event) => {
    // Without focus or Ctrl the wheel moves the notebook.
    if (!view.drawn || (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas)) return;
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) { view.look(tlPanned(view.view, event.deltaX / view.drawn.layout.plot)); return; }
    view.look(tlZoomed(view.axis, view.view, 1.0015 ** -Math.max(-300, Math.min(300, event.deltaY)), view.drawn.scale.share(at(event)[0])));
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => { if (tlKeyDown(view, event)) { event.preventDefault(); event.stopPropagation(); } });
}

function tlHover(view, tip, x, y) {
  const id = tlHit(view, x, y);
  tip.hidden = id === null;
  if (id === null) return;
  tip.replaceChildren(h("span", {}, tlTip(view.model, id)));
  const { width } = view.drawn.layout;
  tip.style.left = `${Math.min(x + 12, Math.max(0, width - 190))}px`;
  tip.style.top = `${y + 16}px`;
}

function tlKeyDown(view, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const { key, shiftKey } = event;
  const act = {
    "+": () => view.zoom(1.6), "=": () => view.zoom(1.6), "-": () => view.zoom(1 / 1.6), "−": () => view.zoom(1 / 1.6), Home: () => view.whole(),
    ArrowLeft: () => (shiftKey ? view.look(tlPanned(view.view, -0.1)) : view.neighbour(-1)),
    ArrowRight: () => (shiftKey ? view.look(tlPanned(view.view, 0.1)) : view.neighbour(1)),
    ArrowUp: () => view.otherLane(-1), ArrowDown: () => view.otherLane(1),
    "[": () => view.moveBrush(-1), "]": () => view.moveBrush(1), "{": () => view.sizeBrush(1 / 1.25), "}": () => view.sizeBrush(1.25),
    m: () => view.setMeasure(!view.measuring), Enter: () => view.selected !== null && view.zoomTo(view.selected), n: () => view.step(1), N: () => view.step(-1),
    Escape: () => { if (view.brush) view.setBrush(null); else if (view.selected !== null) view.select(null); else view.whole(); },
  }[key];
  if (!act) return false;
  act();
  return true;
}
