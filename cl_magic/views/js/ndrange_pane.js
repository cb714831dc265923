// The large picture: what part of the range is seen, and how pointer and keys move it and select in it.

import { h, sized } from "./base.js";
import { ndrDrawAxes, ndrMargins } from "./ndrange_axes.js";
import { ndrBox, ndrDrawPlane, ndrInks, ndrThumb } from "./ndrange_draw.js";
import {
  NDR_THIN,
  ndrAt,
  ndrAxis,
  ndrItemAt,
  ndrLook,
  ndrSee,
  ndrStride,
  ndrTotal,
  ndrZoom,
} from "./ndrange_geometry.js";

const NDR_TALLEST = 400;
const NDR_STRIP = 44;
const NDR_LEAST_SIDE = 24;
const NDR_SMALL = 48;
const NDR_CLOSEST = 132;
const NDR_DRAG = 4;
const NDR_KEYS = {
  ArrowLeft: [0, -1n],
  ArrowRight: [0, 1n],
  ArrowUp: [1, -1n],
  ArrowDown: [1, 1n],
  PageUp: [2, -1n],
  PageDown: [2, 1n],
};

export class NdrPane {
  constructor(view) {
    Object.assign(this, {
      view,
      inks: {},
      z: 0n,
      margins: { left: 0, top: 0, right: 0, bottom: 0, band: 0 },
      fresh: true,
    });
    this.canvas = h("canvas", { tabindex: 0, role: "img" });
    this.tip = h("div", { class: "tip", hidden: true });
    this.overview = h("canvas", { "aria-hidden": "true", hidden: true });
    this.root = h("div", { class: "ndr-pane" }, this.canvas, this.tip);
    this.listen();
  }

  reset() {
    this.x = ndrAxis(this.view.range, 0);
    this.y = ndrAxis(this.view.range, 1);
    this.z = 0n;
    this.fresh = true;
  }

  /** Other groups or launches of the same sizes: what is seen stays. */
  refresh() {
    for (const [name, axis] of [
      ["x", 0],
      ["y", 1],
    ]) {
      const { scale, least, most, anchor, frac, length } = this[name];
      this[name] = Object.assign(ndrAxis(this.view.range, axis), { scale, least, most, anchor, frac, length });
    }
  }

  strides() {
    return [this.x, this.y].map((axis) => String(ndrStride(axis)));
  }

  /** Scales of the whole range in the room there is; the two axes alike where the range is not too thin. */
  fit(width, height) {
    const { x, y } = this;
    const { dims } = this.view.range;
    const scaleOf = (axis, room) => Math.min(NDR_SMALL, (room - (axis.strip ? NDR_THIN : 0)) / Number(axis.launched));
    const [sx, sy] = [scaleOf(x, width), dims > 1 ? scaleOf(y, height) : NDR_STRIP];
    const same = Math.min(sx, sy);
    const own = (axis, scale) =>
      dims > 1 && Number(axis.launched) * same < NDR_LEAST_SIDE
        ? Math.min(scale, NDR_LEAST_SIDE / Number(axis.launched))
        : same;
    const wide = dims === 1 ? sx : own(x, sx);
    const deep = dims === 1 ? NDR_STRIP : own(y, sy);
    for (const [axis, least] of [
      [x, wide],
      [y, deep],
    ]) {
      const before = axis.scale / axis.least;
      const anchor = [axis.anchor, axis.frac];
      axis.least = least;
      axis.most = dims === 1 && axis === y ? NDR_STRIP : Math.max(NDR_CLOSEST, least);
      axis.scale = this.fresh ? least : Math.min(axis.most, Math.max(least, before > 1.0001 ? axis.scale : least));
      const room = axis === x ? width : dims > 1 ? height : NDR_STRIP;
      axis.length = Math.max(1, Math.floor(Math.min(room, ndrTotal(axis))));
      ndrLook(axis, ...anchor);
    }
    this.fresh = false;
  }

  look() {
    const { range, colour, item, launch } = this.view;
    return {
      range,
      x: this.x,
      y: this.y,
      z: this.z,
      colour,
      item,
      launch,
      last: this.lastLayer(),
      itemAt: (place) => this.view.itemAt(place),
    };
  }

  /** Whether the whole slice is remainder or padding along z. */
  lastLayer() {
    const { range } = this.view;
    if (range.dims < 3 || !range.local) return null;
    if (range.padded) return this.z >= range.size[2] ? "padding" : null;
    return this.z >= range.size[2] - (range.size[2] % range.local[2]) ? "remainder" : null;
  }

  draw(width) {
    this.inks = ndrInks(this.root);
    const measure = this.canvas.getContext("2d");
    measure.font = this.inks.font;
    const { range } = this.view;
    const margins = (this.margins = ndrMargins(measure, range, this.x, this.y));
    this.room = [Math.max(60, width - margins.left - margins.right), NDR_TALLEST];
    this.fit(...this.room);
    const size = [
      margins.left + Math.max(this.x.length, 150) + margins.right,
      margins.top + this.y.length + margins.bottom,
    ];
    const context = sized(this.canvas, Math.min(width, size[0]), size[1]);
    context.clearRect(0, 0, size[0], size[1]);
    const look = this.look();
    ndrDrawPlane(context, look, this.inks, margins);
    ndrDrawAxes(context, look, this.inks, margins, margins);
    this.drawOverview();
  }

  get zoomed() {
    return this.x.scale > this.x.least * 1.001 || this.y.scale > this.y.least * 1.001;
  }

  drawOverview() {
    const { range } = this.view;
    const shown = this.zoomed;
    this.overview.hidden = !shown;
    if (!shown) return;
    const one = range.dims === 1;
    const host = one ? this.view.left : this.view.side;
    if (this.overview.parentNode !== host) host[one ? "prepend" : "append"](this.overview);
    const [x, y] = [0, 1].map((axis) => ndrAxis(range, axis));
    const room = one ? [this.room[0], 10] : [132, 96];
    const same = Math.min(...[x, y].map((axis, n) => room[n] / Number(axis.launched)));
    [x, y].forEach((axis, n) => {
      axis.length = one ? room[n] : Math.min(room[n], Math.max(10, Number(axis.launched) * same));
      axis.scale = axis.length / Number(axis.launched);
    });
    const ends = [this.x, this.y].map((axis) => [ndrItemAt(axis, 0), ndrItemAt(axis, axis.length - 0.01) + 1n]);
    const look = { ...this.look(), x, y, item: null, launch: null };
    this.overview.style.marginLeft = one ? `${this.margins.left}px` : "0";
    ndrThumb(
      this.overview,
      look,
      this.inks,
      ndrBox(
        look,
        ends.map(([from]) => from),
        ends.map(([, to]) => to),
        3,
      ),
    );
    this.overview.style.marginLeft = one ? `${this.margins.left - 1}px` : "0";
  }

  /** Place under a pointer, or null outside the plane. */
  under(event) {
    const box = this.canvas.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left - this.margins.left, event.clientY - box.top - this.margins.top];
    const { dims } = this.view.range;
    const inside = px >= -2 && py >= -2 && px <= this.x.length + 2 && py <= this.y.length + 2;
    return { px, py, place: inside ? [ndrItemAt(this.x, px), ndrItemAt(this.y, py), this.z].slice(0, dims) : null };
  }

  zoom(factor, at = null) {
    const { item, range } = this.view;
    const middle = (axis, n) => {
      if (at) return at[n];
      const chosen =
        n < range.dims ? (ndrAt(axis, item.place[n]) + ndrAt(axis, item.place[n] + 1n)) / 2 : axis.length / 2;
      return chosen >= 0 && chosen <= axis.length ? chosen : axis.length / 2;
    };
    [this.x, this.y].forEach((axis, n) => {
      if (n >= range.dims) return;
      const px = middle(axis, n);
      const seen = ndrZoom(axis, factor, px);
      axis.length = Math.max(1, Math.floor(Math.min(this.room[n], ndrTotal(axis))));
      ndrLook(axis, ...seen);
    });
    this.view.redraw();
  }

  whole() {
    for (const axis of [this.x, this.y]) {
      axis.scale = axis.least;
      axis.anchor = 0n;
      axis.frac = 0;
    }
    this.view.redraw();
  }

  /** As close as possible to the selected work-item. */
  closest() {
    const { item, range } = this.view;
    if (range.dims > 2) this.z = item.place[2];
    if (!this.room) {
      this.view.redraw();
      return;
    }
    [this.x, this.y].forEach((axis, n) => {
      if (n >= range.dims) return;
      axis.scale = axis.most;
      axis.length = Math.max(1, Math.floor(Math.min(this.room[n], ndrTotal(axis))));
      ndrLook(axis, item.place[n], 0.5 - axis.length / axis.scale / 2);
    });
    this.view.redraw();
  }

  /** Move what is seen so that a place is in it. */
  see(place) {
    if (place.length > 2) this.z = place[2];
    if (this.fresh) return;
    [this.x, this.y].forEach((axis, n) => {
      if (n < place.length) ndrSee(axis, place[n]);
    });
  }

  /** Show another slice; the selected item goes with it. */
  slice(z) {
    const { range, item } = this.view;
    const last = range.launched[2] - 1n;
    this.view.select([item.place[0], item.place[1], z < 0n ? 0n : z > last ? last : z]);
    this.z = this.view.item.place[2];
  }

  listen() {
    const { canvas, tip } = this;
    let from = null;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      from = {
        x: event.clientX,
        y: event.clientY,
        at: [this.x, this.y].map((axis) => [axis.anchor, axis.frac]),
        moved: false,
      };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      const moved = from ? [event.clientX - from.x, event.clientY - from.y] : [0, 0];
      if (from && (from.moved || Math.hypot(...moved) > NDR_DRAG)) {
        from.moved = true;
        tip.hidden = true;
        [this.x, this.y].forEach((axis, n) => ndrLook(axis, from.at[n][0], from.at[n][1] - moved[n] / axis.scale));
        this.view.redraw();
        return;
      }
      this.hover(event);
    });
    canvas.addEventListener("pointerup", (event) => {
      const { place } = this.under(event);
      if (from && !from.moved && place) this.view.select(place);
      from = null;
    });
    canvas.addEventListener("pointercancel", () => {
      from = null;
    });
    canvas.addEventListener("pointerleave", () => {
      tip.hidden = true;
    });
    canvas.addEventListener("dblclick", (event) => {
      const { px, py } = this.under(event);
      this.zoom(event.shiftKey ? 1 / 4 : 4, [px, py]);
    });
    canvas.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) return;
        event.preventDefault();
        const { px, py } = this.under(event);
        this.zoom(Math.exp(-Math.max(-240, Math.min(240, event.deltaY * (event.deltaMode === 1 ? 16 : 1))) * 0.0025), [
          px,
          py,
        ]);
      },
      { passive: false },
    );
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  hover(event) {
    const { place, px, py } = this.under(event);
    this.tip.hidden = !place;
    if (!place) return;
    this.tip.textContent = this.view.tip(place);
    const wide = this.tip.offsetWidth;
    const right = this.root.clientWidth;
    const at = px + this.margins.left;
    this.tip.style.left = `${at + 14 + wide > right ? Math.max(0, at - 10 - wide) : at + 14}px`;
    this.tip.style.top = `${py + this.margins.top + 18}px`;
  }

  key(event) {
    const move = NDR_KEYS[event.key];
    const { range, item } = this.view;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (move) {
      const [axis, way] = move;
      if (axis >= range.dims) return;
      const step = event.shiftKey && range.local ? range.local[axis] : 1n;
      const place = item.place.map((at, n) => (n === axis ? at + way * step : at));
      if (place[axis] < 0n || place[axis] >= range.launched[axis])
        place[axis] = place[axis] < 0n ? 0n : range.launched[axis] - 1n;
      this.view.select(place);
      this.see(place);
    } else if (event.key === "+" || event.key === "=") this.zoom(2);
    else if (event.key === "-" || event.key === "_") this.zoom(1 / 2);
    else if (event.key === "Home" || event.key === "0") this.whole();
    else if (event.key === "Enter") this.closest();
    else if (event.key === "Escape") {
      this.tip.hidden = true;
      this.whole();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
