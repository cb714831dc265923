// One picture of an array as a canvas: image, heat map, difference map; zoomed to single elements with their values.

import { colour, element, h, sized } from "./base.js";
import { bufBadges, bufGrid, bufRing } from "./buffer_marks.js";
import { bufClamped, bufFit, bufPlane, bufSeeing, bufWindow, bufZoomed } from "./buffer_geometry.js";
import { bufPacked, bufPaint, bufPaintColours, bufParsed } from "./buffer_colour.js";
import { bufItems } from "./buffer_values.js";

const BUF_TALLEST = 420;
const BUF_DRAG = 4;
const BUF_KEYS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** The cells of a picture as a canvas of one pixel each; kept until data, scale or plane change. */
function bufCells(pane, picture, plane) {
  const { model, side } = pane;
  const { scale, table } = model.colours(side);
  const key = [model.serial, side, plane.offset, plane.row, plane.column, scale.kind, scale.low, scale.high, table, pane.bad, model.state.component].join();
  if (pane.key === key) return pane.cells;
  const packed = bufPacked(bufParsed(pane.bad));
  const many = model.state.component < 0 && side !== "difference" && plane.components;
  const pixels = many ? bufPaintColours(picture, plane, scale, Math.min(4, model.array.components.length), plane.components, packed)
    : bufPaint(picture, plane, scale, table, packed);
  pane.cells ??= document.createElement("canvas");
  if (pane.cells.width !== plane.columns || pane.cells.height !== plane.rows) Object.assign(pane.cells, { width: plane.columns, height: plane.rows });
  pane.cells.getContext("2d", { willReadFrequently: true }).putImageData(new ImageData(pixels, plane.columns, plane.rows), 0, 0);
  pane.key = key;
  return pane.cells;
}

/** A pane: `{root, draw(width), plane()}`. `model` is the view's; its state is shared by all panes of an array. */
export function bufPlanePane(model, side) {
  const canvas = h("canvas", { tabindex: 0, role: "img", class: "buf-canvas" });
  const tip = h("div", { class: "tip", hidden: true });
  const pane = { model, side, canvas, tip, size: { width: 1, height: 1 }, key: "", cells: null, bad: "#d32f2f" };
  pane.root = h("div", { class: "buf-pane" }, canvas, tip);
  pane.plane = () => bufPlane(pane.model.array, pane.model.picture(side), pane.model.state);
  pane.draw = (width) => bufDrawPlane(pane, width);
  bufPointer(pane);
  canvas.addEventListener("keydown", (event) => bufKey(pane, event));
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) return;
    const { model: now } = pane;
    const [x, y] = bufAt(pane, event);
    event.preventDefault();
    now.look(bufZoomed(now.state.view, pane.plane(), event.deltaY < 0 ? 1.25 : 0.8, x, y));
  }, { passive: false });
  return pane;
}

function bufDrawPlane(pane, width) {
  const { model, canvas, side } = pane;
  const picture = model.picture(side);
  const plane = pane.plane();
  pane.bad = colour(pane.root, "error");
  pane.size = bufFit(plane.width, plane.height, width, BUF_TALLEST);
  model.state.view = bufClamped(model.state.view, plane);
  const seen = bufWindow(plane, pane.size, model.state.view);
  const ratio = globalThis.devicePixelRatio || 1;
  const same = canvas.width === Math.round(pane.size.width * ratio) && canvas.height === Math.round(pane.size.height * ratio);
  const context = same ? canvas.getContext("2d") : sized(canvas, pane.size.width, pane.size.height);
  context.clearRect(0, 0, pane.size.width, pane.size.height);
  // Cells of less than two pixels are blended: else some would be drawn twice as wide as others.
  context.imageSmoothingEnabled = Math.min(seen.across * plane.columnStep, seen.down * plane.rowStep) * ratio < 2;
  context.imageSmoothingQuality = model.data.head.live ? "low" : "high";
  context.drawImage(bufCells(pane, picture, plane), -seen.left * seen.across, -seen.top * seen.down,
    plane.columns * plane.columnStep * seen.across, plane.rows * plane.rowStep * seen.down);
  bufDrawTile(pane, context, plane, seen);
  bufGrid(pane, context, plane, seen);
  bufBadges(pane, context, plane, seen);
  bufRing(pane, context, plane, seen);
  canvas.setAttribute("aria-label", model.sentence(side));
}

/** Exact elements that the kernel sent, over the reduced cells. */
function bufDrawTile(pane, context, plane, seen) {
  const tile = pane.model.tile(pane.side, plane);
  if (!tile) return;
  const { scale, table } = pane.model.colours(pane.side);
  const pixels = bufPaint(tile.picture, tile.plane, scale, table, bufPacked(bufParsed(pane.bad)));
  const cells = document.createElement("canvas");
  cells.width = tile.plane.columns;
  cells.height = tile.plane.rows;
  cells.getContext("2d").putImageData(new ImageData(pixels, tile.plane.columns, tile.plane.rows), 0, 0);
  context.imageSmoothingEnabled = Math.min(seen.across, seen.down) < 1;
  const [left, top] = [(tile.left - seen.left) * seen.across, (tile.top - seen.top) * seen.down];
  context.clearRect(left, top, tile.plane.columns * seen.across, tile.plane.rows * seen.down);
  context.drawImage(cells, left, top, tile.plane.columns * seen.across, tile.plane.rows * seen.down);
}

/** Place of a pointer in the plane, in elements. */
function bufAt(pane, event) {
  const box = pane.canvas.getBoundingClientRect();
  const seen = bufWindow(pane.plane(), pane.size, pane.model.state.view);
  return [seen.left + (event.clientX - box.left) / seen.across, seen.top + (event.clientY - box.top) / seen.down];
}

/** NumPy index (without component) of the element at a row and column of the plane. */
export function bufIndexAt(model, plane, row, column) {
  const items = bufItems(model.array);
  const index = items.map((_, axis) => model.state.fixed[axis] ?? 0);
  if (plane.row !== null) index[plane.row] = Math.min(items[plane.row] - 1, Math.max(0, Math.floor(row)));
  if (plane.column !== null) index[plane.column] = Math.min(items[plane.column] - 1, Math.max(0, Math.floor(column)));
  return index;
}

function bufPointer(pane) {
  const { canvas, tip } = pane;
  let from = null;
  canvas.addEventListener("pointerdown", (event) => {
    from = { at: bufAt(pane, event), x: event.clientX, y: event.clientY, moved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const { model } = pane;
    const [x, y] = bufAt(pane, event);
    if (from && (from.moved || Math.hypot(event.clientX - from.x, event.clientY - from.y) > BUF_DRAG)) {
      from.moved = true;
      const { view } = model.state;
      if (view.zoom > 1) model.look({ ...view, x: view.x + from.at[0] - x, y: view.y + from.at[1] - y });
      tip.hidden = true;
      return;
    }
    const box = canvas.getBoundingClientRect();
    bufTip(pane, bufIndexAt(model, pane.plane(), y, x), event.clientX - box.left, event.clientY - box.top);
  });
  canvas.addEventListener("pointerup", (event) => {
    if (from && !from.moved) {
      const [x, y] = bufAt(pane, event);
      pane.model.select(bufIndexAt(pane.model, pane.plane(), y, x));
    }
    from = null;
  });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
}

function bufTip(pane, index, x, y) {
  const { tip, model, size } = pane;
  tip.textContent = model.words(index).map(([name, value]) => `${name}  ${value}`).join("\n");
  model.view.hovered(pane);
  tip.hidden = false;
  tip.style.left = `${Math.min(x + 14, Math.max(0, size.width - 140))}px`;
  tip.style.top = `${y + 18}px`;
}

function bufKey(pane, event) {
  const { model } = pane;
  const plane = pane.plane();
  const { view, selected } = model.state;
  const move = BUF_KEYS[event.key];
  const row = selected && plane.row !== null ? selected[plane.row] : Math.floor(view.y + plane.height / view.zoom / 2);
  const column = selected && plane.column !== null ? selected[plane.column] : Math.floor(view.x + plane.width / view.zoom / 2);
  if (move) {
    const step = event.shiftKey ? 10 : 1;
    const index = selected ? bufIndexAt(model, plane, row + step * move[0], column + step * move[1]) : bufIndexAt(model, plane, row, column);
    model.state.view = bufSeeing(view, plane, plane.row === null ? 0 : index[plane.row], index[plane.column]);
    model.select(index);
  } else if (event.key === "+" || event.key === "=") model.look(bufZoomed(view, plane, 1.6, column + 0.5, row + 0.5));
  else if (event.key === "-") model.look(bufZoomed(view, plane, 1 / 1.6, column + 0.5, row + 0.5));
  else if (event.key === "Home" || event.key === "0") model.look({ x: 0, y: 0, zoom: 1 });
  else if (event.key === "Escape") model.select(null);
  else if (event.key === "PageUp" || event.key === "PageDown") { if (!model.slice(event.key === "PageUp" ? -1 : 1)) return; }
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Values in words for the caption of a canvas. */
export function bufSentence(name, kind, statistics, shape) {
  const parts = [`${name}: ${kind} of ${shape} elements`];
  if (statistics?.min !== null && statistics?.min !== undefined) {
    parts.push(`minimum ${element(statistics.min)}, mean ${element(statistics.mean)}, maximum ${element(statistics.max)}`);
  }
  if (statistics?.nan) parts.push(`${statistics.nan} NaN`);
  if (statistics?.inf) parts.push(`${statistics.inf} Inf`);
  return `${parts.join(", ")}. Arrow keys select an element, plus and minus zoom.`;
}
