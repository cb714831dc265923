// A line of elements: one curve a side or a component, least to greatest of what one pixel stands for.

import { colour, counted, element, h, sized } from "./base.js";
import { bufEnvelope, bufTicks } from "./buffer_geometry.js";
import { bufHasComponents } from "./buffer_values.js";

const BUF_LINE_HEIGHT = 150;
const BUF_LEFT = 64;
const BUF_BELOW_AXIS = 20;
const BUF_LINES = [["run", []], ["transfer", [6, 2]], ["remainder", [2, 2]], ["ink", [8, 2, 2, 2]]];

/** Curves of a pane: name, picture, first cell, cells from one element to the next, colour and dashes. */
export function bufCurves(model, side) {
  const pane = side === "both" ? ["before", "after"] : [side];
  const found = [];
  for (const one of pane) {
    const picture = model.picture(one);
    if (!picture) continue;
    const many = bufHasComponents(model.array, picture);
    const names = many ? model.array.components : [""];
    names.forEach((name, i) => {
      if (many && model.state.component >= 0 && model.state.component !== i) return;
      const [ink, dash] = side === "both" && !many ? (one === "before" && model.picture("after") ? ["queue", [5, 3]] : ["run", []]) : BUF_LINES[i % BUF_LINES.length];
      found.push({ name: [side === "both" ? one : "", name].filter(Boolean).join(" "), picture, first: many ? i : 0, stride: many ? names.length : 1,
        length: picture.shape[0] ?? 1, step: picture.step[0] ?? 1, ink, dash, faint: many && one === "before" && side === "both" });
    });
  }
  return found;
}

export function bufLinePane(model, side) {
  const canvas = h("canvas", { tabindex: 0, role: "img", class: "buf-canvas" });
  const tip = h("div", { class: "tip", hidden: true });
  const pane = { model, side, canvas, tip, root: h("div", { class: "buf-pane buf-wide" }, canvas, tip), width: 1, view: null };
  pane.draw = (width) => bufDrawLine(pane, width);
  canvas.addEventListener("keydown", (event) => bufLineKey(pane, event));
  bufLinePointer(pane);
  return pane;
}

/** First element seen and how many, from the shared view: x and zoom are those of planes. */
function bufSpan(pane) {
  const size = pane.model.items[0] ?? 1;
  const { view } = pane.model.state;
  return { size, first: view.x, count: size / view.zoom };
}

function bufDrawLine(pane, width) {
  const { model, canvas, side } = pane;
  pane.width = width;
  const context = sized(canvas, width, BUF_LINE_HEIGHT + BUF_BELOW_AXIS);
  context.clearRect(0, 0, width, BUF_LINE_HEIGHT + BUF_BELOW_AXIS);
  const place = { left: BUF_LEFT, right: width - 8, top: 6, bottom: BUF_LINE_HEIGHT };
  const span = bufSpan(pane);
  const { scale } = model.colours(side === "difference" ? "difference" : "line");
  const y = (value) => place.bottom - scale.share(value) * (place.bottom - place.top);
  const x = (at) => place.left + ((at - span.first) / span.count) * (place.right - place.left);
  bufLineAxes(pane, context, place, span, scale, x, y);
  context.save();
  context.beginPath();
  context.rect(place.left, 0, place.right - place.left, BUF_LINE_HEIGHT + 4);
  context.clip();
  for (const curve of bufCurves(model, side)) bufDrawCurve(pane, context, place, span, curve, y);
  bufLineSelection(pane, context, place, x, y, span);
  context.restore();
  canvas.setAttribute("aria-label", model.sentence(side === "both" ? "after" : side));
}

function bufLineAxes(pane, context, place, span, scale, x, y) {
  context.strokeStyle = colour(pane.root, "rule");
  context.lineWidth = 1;
  context.font = `11px ${getComputedStyle(pane.root).fontFamily}`;
  context.fillStyle = colour(pane.root, "ink2");
  context.textBaseline = "middle";
  context.textAlign = "right";
  const ticks = scale.kind === "linear" ? bufTicks(scale.low, scale.high, 4) : [0, 0.25, 0.5, 0.75, 1].map(scale.value);
  for (const tick of ticks) {
    const at = Math.round(y(tick)) + 0.5;
    context.beginPath(); context.moveTo(place.left, at); context.lineTo(place.right, at); context.stroke();
    context.fillText(bufTickText(tick), place.left - 6, at, BUF_LEFT - 8);
  }
  context.textBaseline = "alphabetic";
  const most = Math.max(2, Math.floor((place.right - place.left) / 110));
  for (const tick of bufTicks(span.first, span.first + span.count - 1, most)) {
    if (tick !== Math.round(tick)) continue;
    context.textAlign = x(tick + 0.5) > place.right - 30 ? "right" : x(tick + 0.5) < place.left + 30 ? "left" : "center";
    context.fillText(counted(tick), Math.min(place.right, Math.max(place.left, x(tick + 0.5))), BUF_LINE_HEIGHT + 15);
  }
}

function bufTickText(value) {
  return Number.isInteger(value) || Math.abs(value) >= 1e6 || (value !== 0 && Math.abs(value) < 1e-3) ? element(value) : String(Number(value.toPrecision(4))).replace("-", "−");
}

function bufDrawCurve(pane, context, place, span, curve, y) {
  const pixels = Math.max(1, Math.floor(place.right - place.left));
  const read = (i) => curve.picture.read(i * curve.stride + curve.first);
  context.strokeStyle = colour(pane.root, curve.ink);
  context.globalAlpha = curve.faint ? 0.4 : 1;
  context.setLineDash(curve.dash);
  context.lineWidth = 1.25;
  const [first, last] = [span.first / curve.step, (span.first + span.count) / curve.step];
  const wide = pixels / Math.max(1, last - first);
  const bad = wide < 2 ? bufDrawEnvelope(context, place, pixels, bufEnvelope(read, curve.length, first, last, pixels), y)
    : bufDrawPoints(context, place, { read, first, last, wide, length: curve.length, y, ink: context.strokeStyle });
  context.setLineDash([]);
  context.globalAlpha = 1;
  context.fillStyle = colour(pane.root, "error");
  for (const at of bad) context.fillRect(at - 1, place.bottom - 4, 2, 8);
}

function bufDrawEnvelope(context, place, pixels, { low, high, bad }, y) {
  const marks = [];
  context.beginPath();
  let pen = false;
  for (let i = 0; i < pixels; i += 1) {
    if (bad[i]) marks.push(place.left + i + 0.5);
    if (Number.isNaN(low[i])) { pen = pen && !bad[i]; continue; }
    const [top, bottom] = [y(high[i]), y(low[i])];
    if (pen) context.lineTo(place.left + i + 0.5, top); else context.moveTo(place.left + i + 0.5, top);
    context.lineTo(place.left + i + 0.5, Math.max(bottom, top + 0.01));
    pen = true;
  }
  context.stroke();
  return marks;
}

function bufDrawPoints(context, place, { read, first, last, wide, length, y, ink }) {
  const marks = [];
  const points = [];
  context.beginPath();
  let pen = false;
  for (let i = Math.max(0, Math.floor(first)); i < Math.min(length, Math.ceil(last)); i += 1) {
    const at = place.left + (i + 0.5 - first) * wide;
    const value = read(i);
    if (!Number.isFinite(value)) { marks.push(at); pen = false; continue; }
    if (pen) context.lineTo(at, y(value)); else context.moveTo(at, y(value));
    points.push([at, y(value)]);
    pen = true;
  }
  context.stroke();
  context.fillStyle = ink;
  if (wide >= 8) for (const [at, height] of points) context.fillRect(at - 2, height - 2, 4, 4);
  return marks;
}

function bufLineSelection(pane, context, place, x, y, span) {
  const { selected } = pane.model.state;
  if (!selected) return;
  const at = x(selected[0] + 0.5);
  const wide = Math.max(2, Math.min(12, ((place.right - place.left) / span.count) * 0.8));
  context.globalAlpha = 0.9;
  context.fillStyle = "#000";
  context.fillRect(at - wide / 2 - 1, place.top - 4, wide + 2, 6);
  context.fillStyle = colour(pane.root, "select");
  context.fillRect(at - wide / 2, place.top - 3, wide, 4);
  context.globalAlpha = 1;
  context.strokeStyle = colour(pane.root, "select-line");
  context.lineWidth = 1;
  context.beginPath(); context.moveTo(at, place.top); context.lineTo(at, place.bottom); context.stroke();
}

function bufElementAt(pane, event) {
  const box = pane.canvas.getBoundingClientRect();
  const span = bufSpan(pane);
  const share = (event.clientX - box.left - BUF_LEFT) / Math.max(1, pane.width - 8 - BUF_LEFT);
  return Math.min(span.size - 1, Math.max(0, Math.floor(span.first + share * span.count)));
}

function bufLinePointer(pane) {
  const { canvas, tip } = pane;
  canvas.addEventListener("pointermove", (event) => {
    const { model } = pane;
    const box = canvas.getBoundingClientRect();
    tip.textContent = model.words([bufElementAt(pane, event)]).map(([name, value]) => `${name}  ${value}`).join("\n");
    model.view.hovered(pane);
    tip.hidden = false;
    tip.style.left = `${Math.min(event.clientX - box.left + 14, Math.max(0, pane.width - 190))}px`;
    tip.style.top = `${event.clientY - box.top + 18}px`;
  });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  canvas.addEventListener("click", (event) => pane.model.select([bufElementAt(pane, event)]));
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) return;
    event.preventDefault();
    bufLineZoom(pane, event.deltaY < 0 ? 1.25 : 0.8, bufElementAt(pane, event) + 0.5);
  }, { passive: false });
}

function bufLineZoom(pane, factor, about) {
  const { view } = pane.model.state;
  const { size } = bufSpan(pane);
  const zoom = Math.min(Math.max(1, size / 8), Math.max(1, view.zoom * factor));
  const x = about - (about - view.x) * (view.zoom / zoom);
  pane.model.look({ zoom, x: Math.min(Math.max(0, x), size - size / zoom), y: 0 });
}

function bufLineKey(pane, event) {
  const { model } = pane;
  const { size, first, count } = bufSpan(pane);
  const at = model.state.selected?.[0] ?? Math.floor(first + count / 2);
  const jump = event.shiftKey ? Math.max(10, Math.round(count / 20)) : 1;
  const move = { ArrowLeft: -jump, ArrowRight: jump }[event.key];
  if (move) {
    const to = model.state.selected ? Math.min(size - 1, Math.max(0, at + move)) : at;
    const x = to < first ? to : to + 1 > first + count ? to + 1 - count : first;
    model.state.view = { ...model.state.view, x: Math.min(Math.max(0, x), size - count) };
    model.select([to]);
  } else if (event.key === "+" || event.key === "=") bufLineZoom(pane, 1.6, at + 0.5);
  else if (event.key === "-") bufLineZoom(pane, 1 / 1.6, at + 0.5);
  else if (event.key === "Home" || event.key === "0") model.look({ x: 0, y: 0, zoom: 1 });
  else if (event.key === "Escape") model.select(null);
  else return;
  event.preventDefault();
  event.stopPropagation();
}
