// What is drawn over the cells: a grid and the values of single elements, marks of NaN and Inf, the selection.

import { colour, element } from "./base.js";
import { bufInkOn, bufColour, bufParsed } from "./buffer_colour.js";

const BUF_GRID_FROM = 9;
const BUF_TEXT_WIDTH = 46;
const BUF_TEXT_HEIGHT = 15;
const BUF_FEW = 60;
const BUF_LETTER = 6.62;

/** Lines between elements, and the values in them where there is room. */
export function bufGrid(pane, context, plane, seen) {
  if (Math.min(seen.across, seen.down) < BUF_GRID_FROM) return;
  const { width, height } = pane.size;
  context.strokeStyle = colour(pane.root, "group-line");
  context.lineWidth = 0.5;
  context.beginPath();
  for (let column = Math.ceil(seen.left); column <= seen.left + seen.columns; column += 1) {
    const x = (column - seen.left) * seen.across;
    context.moveTo(x, 0); context.lineTo(x, height);
  }
  for (let row = Math.ceil(seen.top); row <= seen.top + seen.rows; row += 1) {
    const y = (row - seen.top) * seen.down;
    context.moveTo(0, y); context.lineTo(width, y);
  }
  context.stroke();
  if (seen.across >= BUF_TEXT_WIDTH && seen.down >= BUF_TEXT_HEIGHT) bufValues(pane, context, plane, seen);
}

function bufValues(pane, context, plane, seen) {
  const { model, side } = pane;
  const { scale, table } = model.colours(side);
  const dark = getComputedStyle(pane.root).colorScheme === "dark";
  context.font = '11px var(--clm-code), Menlo, Consolas, "DejaVu Sans Mono", monospace'.replace("var(--clm-code), ", "");
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (let row = Math.floor(seen.top); row < Math.min(plane.height, seen.top + seen.rows); row += 1) {
    for (let column = Math.floor(seen.left); column < Math.min(plane.width, seen.left + seen.columns); column += 1) {
      const found = model.at(side, plane, row, column);
      if (found === null || !found.exact) continue;
      const share = Number.isFinite(found.value) ? scale.share(found.value) : 0;
      context.fillStyle = !Number.isFinite(found.value) ? "#fff"
        : bufInkOn(model.state.component < 0 ? [128, 128, 128, 255] : bufColour(table, Math.round(share * 255) / 255), dark);
      const text = bufShort(found.text, found.value, seen.across);
      context.fillText(text, (column + 0.5 - seen.left) * seen.across, (row + 0.5 - seen.top) * seen.down, seen.across - 2);
    }
  }
}

/** A value in few characters: an exponent where digits do not fit. */
export function bufShort(text, value, room) {
  const letters = Math.floor((room - 2) / BUF_LETTER);
  if (text.length <= letters || !Number.isFinite(value)) return text;
  const plain = value === 0 || (Math.abs(value) >= 0.01 && Math.abs(value) < 1e5);
  for (let digits = 4; digits >= 0; digits -= 1) {
    const short = plain ? value.toFixed(digits) : value.toExponential(Math.min(digits, 3)).replace("e+", "e");
    if (short.length <= letters) return short.replaceAll("-", "−");
  }
  return (plain ? value.toFixed(0) : value.toExponential(0).replace("e+", "e")).replaceAll("-", "−");
}

/** Squares around NaN and Inf that would be lost among many cells: where they are few. */
export function bufBadges(pane, context, plane, seen) {
  const places = pane.model.specials(pane.side);
  const cellWidth = seen.across * plane.columnStep;
  if (cellWidth > 8 || !places.length || places.length > BUF_FEW) return;
  const error = colour(pane.root, "error");
  for (const [row, column] of places) {
    const x = (column * plane.columnStep + plane.columnStep / 2 - seen.left) * seen.across;
    const y = (row * plane.rowStep + plane.rowStep / 2 - seen.top) * seen.down;
    for (const [style, width] of [["#fff", 3], [error, 1.5]]) {
      context.strokeStyle = style;
      context.lineWidth = width;
      context.strokeRect(x - 5, y - 5, 10, 10);
    }
  }
}

/** The selected element: a ring on small cells, a frame around large ones. */
export function bufRing(pane, context, plane, seen) {
  const { selected, fixed } = pane.model.state;
  if (!selected || plane.fixed.some((axis) => selected[axis] !== (fixed[axis] ?? 0))) return;
  const row = plane.row === null ? 0 : selected[plane.row];
  const column = plane.column === null ? 0 : selected[plane.column];
  const [x, y] = [(column - seen.left) * seen.across, (row - seen.top) * seen.down];
  const large = Math.min(seen.across, seen.down) >= BUF_GRID_FROM;
  for (const [name, width] of [["select-line", 3.5], ["select", 1.5]]) {
    context.strokeStyle = name === "select-line" ? "#000" : colour(pane.root, name);
    context.lineWidth = width;
    context.beginPath();
    if (large) context.rect(x + 1, y + 1, seen.across - 2, seen.down - 2);
    else context.arc(x + seen.across / 2, y + seen.down / 2, 5, 0, 2 * Math.PI);
    context.stroke();
  }
}

/** A histogram over a colour bar on one axis, as in the reports. `counts` is "linear" or "log". */
export function bufHistogram(canvas, context, { statistics, scale, table, counts, width, root, ends }) {
  context.clearRect(0, 0, width, 56);
  const bins = statistics?.histogram ?? [];
  const most = Math.max(1, ...bins);
  const height = (count) => (count ? Math.max(1, 28 * (counts === "log" ? Math.log1p(count) / Math.log1p(most) : count / most)) : 0);
  context.fillStyle = colour(root, "queue");
  bins.forEach((count, i) => {
    const edge = (at) => scale.share(statistics.ends[0] + ((statistics.ends[1] - statistics.ends[0]) * at) / bins.length) * width;
    const [from, to] = [Math.round(edge(i)), Math.round(edge(i + 1))];
    if (count) context.fillRect(Math.min(from, width - 1), 30 - height(count), Math.max(1, to - from), height(count));
  });
  for (let x = 0; x < width; x += 1) {
    const [r, g, b, a] = bufColour(table, x / Math.max(1, width - 1));
    context.fillStyle = `rgba(${r}, ${g}, ${b}, ${a / 255})`;
    context.fillRect(x, 31, 1, 7);
  }
  context.fillStyle = colour(root, "ink2");
  context.font = `11px ${getComputedStyle(root).fontFamily}`;
  context.textBaseline = "alphabetic";
  const middle = ends[2] ?? (width > 260 ? element(scale.value(0.5)) : "");
  context.textAlign = "left"; context.fillText(ends[0], 0, 51);
  context.textAlign = "right"; context.fillText(ends[1], width, 51);
  context.textAlign = "center"; context.fillText(middle, width / 2, 51);
}

/** The swatch of "not finite" in the key: hatched, so that it is told without colour. */
export function bufSwatch(canvas, context, error) {
  const [r, g, b] = bufParsed(error);
  context.fillStyle = `rgb(${r}, ${g}, ${b})`;
  context.fillRect(0, 0, 20, 12);
  context.strokeStyle = "#fff";
  context.lineWidth = 1;
  context.beginPath();
  for (let x = -8; x < 20; x += 5) { context.moveTo(x, 12); context.lineTo(x + 12, 0); }
  context.stroke();
}
