// The layers of groups along z: a slice each, and the box they are cut from.

import { counted, h } from "./base.js";
import { ndrBoxPicture, ndrLayerWords, ndrShown } from "./ndrange_box.js";
import { ndrThumb } from "./ndrange_draw.js";
import { ndrAxis } from "./ndrange_geometry.js";

const NDR_LAYER = [92, 60];
const NDR_MOST = 8;

export class NdrLayers {
  constructor(view) {
    this.view = view;
    this.caption = h("p", { class: "dim sm" });
    this.strip = h("div", { class: "ndr-layers", role: "group", "aria-label": "layers of groups along z" });
    this.root = h("div", {}, this.caption, this.strip);
    this.box = h("div", {});
    this.key = "";
  }

  /** The layer of groups that a z of items lies in. */
  layerOf(z) {
    const { range } = this.view;
    return z / (range.local ? range.local[2] : range.size[2]);
  }

  draw() {
    const { range, item, pane } = this.view;
    this.root.hidden = range.dims < 3;
    this.box.hidden = range.dims < 3;
    if (range.dims < 3) return;
    const chosen = this.layerOf(pane.z);
    const key = JSON.stringify([
      this.view.shape,
      String(chosen),
      String(pane.z),
      this.view.mode,
      item.place.map(String),
      pane.inks,
      range.local?.map(String),
    ]);
    if (key === this.key && this.data === this.view.data) return;
    Object.assign(this, { key, data: this.view.data });
    const total = range.groups ? range.groups[2] : 1n;
    const shown = ndrShown(total, chosen, NDR_MOST);
    const focused = this.strip.contains(document.activeElement);
    const more = total > BigInt(shown.length) ? `, ${counted(shown.length)} of ${counted(total)} shown` : "";
    this.caption.textContent = `layers of groups along z${more}; below: slice z ${counted(pane.z + range.offset[2])} (Page Up, Down)`;
    this.strip.replaceChildren(...shown.map((layer) => this.thumb(layer, layer === chosen, total)));
    if (focused) this.strip.querySelector("[aria-pressed=true]")?.focus();
    this.box.replaceChildren(ndrBoxPicture(range, chosen));
  }

  thumb(layer, on, total) {
    const { range, pane, item } = this.view;
    const local = range.local ? range.local[2] : range.size[2];
    const z = on ? pane.z : layer * local;
    const [x, y] = [0, 1].map((axis) => ndrAxis(range, axis));
    const scale = Math.min(NDR_LAYER[0] / Number(x.launched), NDR_LAYER[1] / Number(y.launched));
    [x, y].forEach((axis, n) => {
      axis.length = Math.min(NDR_LAYER[n], Math.max(16, Number(axis.launched) * scale));
      axis.scale = axis.length / Number(axis.launched);
    });
    const uneven =
      layer === total - 1n && range.local
        ? range.padded && z >= range.size[2]
          ? "padding"
          : !range.padded && range.size[2] % local > 0n
            ? "remainder"
            : null
        : null;
    const look = {
      range,
      x,
      y,
      z,
      colour: this.view.colour,
      item: this.layerOf(item.place[2]) === layer ? { ...item, place: [item.place[0], item.place[1], z] } : null,
      last: uneven,
      launch: null,
      itemAt: (place) => this.view.itemAt(place),
    };
    const canvas = h("canvas", { "aria-hidden": "true" });
    ndrThumb(canvas, look, pane.inks);
    return h(
      "button",
      {
        type: "button",
        "aria-pressed": String(on),
        onclick: () => {
          pane.slice(layer * local + (item.localId ? (item.localId[2] < local ? item.localId[2] : 0n) : 0n));
        },
      },
      h("div", {}, range.groups ? `${counted(layer)} · ${ndrLayerWords(range, layer)}` : ndrLayerWords(range, layer)),
      canvas,
    );
  }
}
