// The module's two doors: `render(host, payload, options)` for a renderer, `renderWidget` for a widget.

import { decode, fault, frame, hint, selectionOf } from "./base.js";
import { ndrangeView } from "./ndrange.js";
import { timelineView } from "./timeline.js";
import { bufferView } from "./buffer.js";
import { partOf, runView } from "./run.js";

export { decode, fault, partOf };

const DRAWN = { ndrange: ndrangeView, timeline: timelineView, buffer: bufferView, run: runView };
const NAMES = { ndrange: "NDRange", timeline: "timeline of commands", buffer: "contents of an array", run: "a run" };

/**
 * Draw a payload into `host`.
 * options: `{ask(request) → Promise, send(change), tab}`, each optional: `ask` reaches the kernel where there is one.
 * Returns `{update(payload), destroy(), ready}`; nothing here throws: what cannot be drawn is said in one line.
 */
export function render(host, payload, options = {}) {
  let view = null;
  let held = null;
  let turn = 0;
  let drawnKind = null;
  let listening = [];

  // A view that failed while it was made cannot put its listeners away itself.
  function heard(selection) {
    return {
      get value() { return selection.value; },
      set: (change, source) => selection.set(change, source),
      listen(listener) { const off = selection.listen(listener); listening.push(off); return off; },
    };
  }

  function close() {
    try { view?.destroy(); } catch { /* a view that failed has nothing to put away */ }
    held?.destroy();
    for (const off of listening) off();
    listening = [];
    view = held = drawnKind = null;
  }

  function refuse(text) { close(); hint(host, text); }

  function failed(error) { refuse(`this output's payload cannot be drawn: ${String(error?.message ?? error).slice(0, 200)}`); }

  async function update(fresh) {
    const mine = ++turn;
    const wrong = fault(fresh) || (Object.hasOwn(DRAWN, fresh.kind) ? "" : `this cl_magic draws no ${String(fresh.kind).slice(0, 40)}`);
    if (wrong) { refuse(wrong); return; }
    try {
      const data = await decode(fresh);
      if (mine !== turn) return;
      if (view && drawnKind === data.kind) { view.update(data); return; }
      close();
      held = frame(host, NAMES[data.kind], failed);
      const context = { options, frame: held, selection: heard(selectionOf(data.record)), ask: options.ask ?? null, send: options.send ?? (() => {}) };
      view = DRAWN[data.kind](held.root, data, context);
      drawnKind = data.kind;
    } catch (error) {
      failed(error);
    }
  }

  const handle = { update, destroy() { turn += 1; close(); }, ready: null };
  handle.ready = update(payload);
  return handle;
}

/** anywidget's `render`: the trait `payload` is drawn, and again whenever it changes. */
export function renderWidget({ model, el }) {
  let asked = 0;
  const waiting = new Map();
  const answer = (message, buffers) => {
    if (message?.type !== "answer" || !waiting.has(message.id)) return;
    waiting.get(message.id)({ ...message, buffers });
    waiting.delete(message.id);
  };
  const ask = (request) => new Promise((resolve) => {
    asked += 1;
    waiting.set(asked, resolve);
    model.send({ type: "ask", id: asked, request });
  });
  const send = (change) => model.send({ type: "change", change });
  const handle = render(el, model.get("payload"), { ask, send, tab: model.get("tab") });
  const redraw = () => {
    handle.update(model.get("payload"));
    requestAnimationFrame(() => model.send({ type: "drawn", serial: model.get("serial") }));
  };
  model.on("msg:custom", answer);
  model.on("change:payload", redraw);
  return () => { model.off("change:payload", redraw); model.off("msg:custom", answer); handle.destroy(); };
}
