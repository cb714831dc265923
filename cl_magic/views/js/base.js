// What all views stand on: payloads to typed arrays, elements, numbers as text, colours of the theme, one selection.

import { TOKENS } from "./tokens.js";
import { STYLE } from "./style.js";

export const VERSION = 1;
export const NARROW = "\u202f";

const ARRAYS = {
  "<f4": Float32Array, "<f8": Float64Array, "<i4": Int32Array, "<u4": Uint32Array, "<i2": Int16Array, "<u2": Uint16Array,
  "|i1": Int8Array, "|u1": Uint8Array, "|b1": Uint8Array, "<i8": BigInt64Array, "<u8": BigUint64Array,
};

/** A payload is data from anywhere: what is wrong with it, in one sentence, or "". */
export function fault(payload) {
  if (payload === null || typeof payload !== "object") return "this output holds no payload of cl_magic";
  if (payload.version !== VERSION) {
    const version = Number(payload.version);
    if (!Number.isFinite(version)) return "this output holds no payload of cl_magic";
    const remedy = version > VERSION ? "update cl_magic to see it" : "run the cell again";
    return `this picture is of version ${version}, and this cl_magic draws version ${VERSION}: ${remedy}`;
  }
  if (typeof payload.kind !== "string" || payload.head === null || typeof payload.head !== "object") {
    return "this output's payload is damaged: it has no head";
  }
  return "";
}

/** Columns as typed arrays: `{…payload, columns: {name: TypedArray}, shapes: {name: number[]}}`. */
export async function decode(payload) {
  const columns = {};
  const shapes = {};
  for (const [name, column] of Object.entries(payload.columns ?? {})) {
    const bytes = column.deflate === undefined ? viewOf(column.data) : await inflate(column.deflate);
    columns[name] = typed(bytes, column, name);
    shapes[name] = column.shape.map(Number);
  }
  return { ...payload, columns, shapes };
}

function viewOf(data) {
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

async function inflate(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function typed(bytes, { dtype, shape }, name) {
  const Kind = ARRAYS[dtype];
  const count = Array.isArray(shape) ? shape.reduce((product, size) => product * Number(size), 1) : NaN;
  if (Kind === undefined || bytes.byteLength !== count * Kind.BYTES_PER_ELEMENT) {
    throw new Error(`column ${name} does not hold ${JSON.stringify(shape)} of ${dtype}`);
  }
  if (bytes.byteOffset % Kind.BYTES_PER_ELEMENT === 0) return new Kind(bytes.buffer, bytes.byteOffset, count);
  return new Kind(bytes.slice().buffer, 0, count);
}

/** An element: `h("p", {class: "dim", onclick: f}, "text", child)`. Strings become text, never markup. */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style" && typeof value === "object") Object.assign(element.style, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** What is counted, with all digits: `307 200`. */
export function counted(value) {
  const text = (typeof value === "bigint" ? value : Math.round(value)).toString();
  return text.replace("-", "−").replace(/\B(?=(\d{3})+(?!\d))/g, NARROW);
}

/** What is measured, with three significant digits: `1.24`. */
export function measured(value) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "Inf" : "−Inf";
  if (value === 0) return "0";
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  if (digits > 6) return value.toExponential(2).replace("-", "−").replace("e−", "e−").replace("e+", "e");
  const text = digits === 0 ? counted(Number(value.toPrecision(3))) : value.toFixed(Math.min(digits, 12));
  return text.replace("-", "−");
}

function scaled(value, steps) {
  const [factor, unit] = steps.find(([least]) => Math.abs(value) >= least) ?? steps.at(-1);
  return `${measured(value / factor)}${NARROW}${unit}`;
}

/** Nanoseconds: `1.24 ms`. */
export function duration(ns) {
  return scaled(ns, [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]]);
}

/** Traffic in decimal units: `1.23 MB`. */
export function traffic(bytes) {
  return bytes < 1000 ? `${counted(bytes)}${NARROW}B` : scaled(bytes, [[1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"]]);
}

/** Bytes per second: `1.98 GB/s`. */
export function rate(bytes, ns) {
  return ns > 0 ? scaled((bytes * 1e9) / ns, [[1e9, "GB/s"], [1e6, "MB/s"], [1e3, "kB/s"], [1, "B/s"]]) : "";
}

/** One value of an array: four decimals, exact for integers. */
export function element(value) {
  if (typeof value === "bigint" || Number.isInteger(value)) return counted(value);
  if (!Number.isFinite(value)) return measured(value);
  const size = Math.abs(value);
  return (size !== 0 && (size < 1e-3 || size >= 1e6) ? value.toExponential(3) : value.toFixed(4)).replaceAll("-", "−");
}

/** A table: heads `["name", "bytes>"]` (`>` aligns right), rows of texts or elements, a caption for its reader. */
export function table(heads, rows, caption = "") {
  const right = heads.map((head) => head.endsWith(">"));
  const cell = (tag, content, index) => h(tag, { class: right[index] ? "num" : null, scope: tag === "th" ? "col" : null }, content);
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption || "table" },
    h("table", {},
      caption && h("caption", {}, caption),
      h("thead", {}, h("tr", {}, heads.map((head, index) => cell("th", head.replace(/>$/, ""), index)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((content, index) => cell("td", content, index)))))));
}

/** Colour of a token in the theme of now, for a canvas: `colour(root, "run")`. */
export function colour(root, name) {
  return getComputedStyle(root).getPropertyValue(`--clm-${name}`).trim();
}

/** A canvas of css size width × height with the screen's own pixels; returns its context, scaled to css pixels. */
export function sized(canvas, width, height) {
  const ratio = globalThis.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

// Of the page, not of the module: each widget loads a module of its own, and the labextension has one too.
const selections = (globalThis[Symbol.for(`cl_magic.selections.v${VERSION}`)] ??= new Map());

/**
 * What is selected of a run, shared by all views of it on the page.
 * `value`: `{item: [x, y, z] | null, command: index | null, array: name | null, element: index[] | null}`;
 * `set(change, source)` merges and tells every listener but reads `source` to know its own.
 */
export function selectionOf(record) {
  const key = record || Symbol("alone");
  if (!selections.has(key)) selections.set(key, new Selection());
  return selections.get(key);
}

class Selection {
  constructor() {
    this.value = { item: null, command: null, array: null, element: null };
    this.listeners = new Set();
  }

  set(change, source = null) {
    this.value = { ...this.value, ...change };
    for (const listener of this.listeners) listener(this.value, source);
  }

  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/**
 * The frame of a view: a root with the style, redrawn when its width or the theme changes.
 * Returns `{root, onDraw(f), draw(), destroy()}`; drawing is at most once a frame. `failed(error)` hears what a drawing
 * throws, which no caller could catch.
 */
export function frame(host, label, failed = null) {
  const root = h("section", { class: "clm clm-live", "aria-label": label });
  // A shadow root would lose JupyterLab's variables' selectors; the rules are nested under a class instead.
  host.replaceChildren(h("style", {}, TOKENS + STYLE), root);
  const drawers = new Set();
  let asked = 0;
  let width = 0;
  const now = () => {
    asked = 0;
    try { for (const drawer of drawers) drawer(); } catch (error) { if (!failed) throw error; failed(error); }
  };
  const draw = () => { asked ||= requestAnimationFrame(now); };
  const sizes = new ResizeObserver(() => {
    const wide = Math.floor(root.clientWidth);
    if (wide !== width) { width = wide; draw(); }
  });
  sizes.observe(root);
  const themes = new MutationObserver(draw);
  themes.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "data-jp-theme-name", "class"] });
  const destroy = () => { cancelAnimationFrame(asked); sizes.disconnect(); themes.disconnect(); host.replaceChildren(); };
  return { root, draw, destroy, onDraw: (drawer) => { drawers.add(drawer); return () => drawers.delete(drawer); } };
}

/** One line in place of a picture. */
export function hint(host, text) {
  host.replaceChildren(h("style", {}, TOKENS + STYLE), h("p", { class: "clm clm-live clm-hint", role: "note" }, text));
}
