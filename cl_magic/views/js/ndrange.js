// An NDRange from the whole range to one work-item: picture, ids of every kind, launches, limits.

import { counted, h } from "./base.js";
import { NDR_STYLE } from "./ndrange_style.js";
import { ndrColour } from "./ndrange_colour.js";
import {
  ndrConclusion,
  ndrIdRows,
  ndrIds,
  ndrLaunches,
  ndrLimits,
  ndrMore,
  ndrPairs,
  ndrSentence,
  ndrTable,
} from "./ndrange_facts.js";
import {
  ndrElement,
  ndrFirst,
  ndrItem,
  ndrParse,
  ndrPlaceOf,
  ndrPlaceOfElement,
  ndrRange,
} from "./ndrange_geometry.js";
import { ndrColourScale, ndrLegend } from "./ndrange_legend.js";
import { NdrPane } from "./ndrange_pane.js";
import { NdrLayers } from "./ndrange_layers.js";

const NDR_HELP =
  "Click an item, or move with the arrows (Shift: a group). Zoom: + and −, double click, scroll after a click; Home: the whole range.";

export function ndrangeView(root, data, context) {
  const view = new NdrView(root, context);
  view.take(data);
  return { update: (fresh) => view.take(fresh), destroy: () => view.destroy() };
}

class NdrView {
  constructor(root, context) {
    Object.assign(this, {
      context,
      range: null,
      item: null,
      colours: [],
      mode: "group",
      launch: null,
      shape: "",
      legendKey: "",
    });
    this.head = h("p", { class: "head" });
    this.bar = h("div", { class: "bar" });
    this.fault = h("p", { class: "ndr-bad", role: "alert", hidden: true });
    this.pane = new NdrPane(this);
    this.layers = new NdrLayers(this);
    this.scale = h("div", {});
    this.ids = h("div", { "aria-live": "polite" });
    this.key = h("div", { class: "ndr-key" });
    this.limits = h("div", {});
    this.below = h("div", {});
    this.left = h(
      "div",
      { class: "ndr-left" },
      this.layers.root,
      this.pane.root,
      this.scale,
      h("p", { class: "dim sm" }, NDR_HELP),
    );
    this.side = h(
      "div",
      { class: "ndr-side" },
      this.ids,
      this.layers.box,
      h("div", {}, this.key, this.limits),
      this.pane.overview,
    );
    this.row = h("div", { class: "ndr-row" }, this.left, this.side);
    this.root = h(
      "div",
      { class: "ndr" },
      h("style", {}, NDR_STYLE),
      this.head,
      this.bar,
      this.fault,
      this.row,
      this.below,
    );
    root.append(this.root);
    this.off = [
      context.frame.onDraw(() => this.draw()),
      context.selection.listen((value, source) => {
        if (source !== this) this.follow(value);
      }),
    ];
  }

  take(data) {
    this.data = data;
    const { head, columns } = data;
    const shape = JSON.stringify([head.global_size, head.global_offset, head.padded]);
    const known = shape === this.shape;
    this.range = ndrRange(head);
    this.shape = shape;
    this.legendKey = "";
    this.launch = null;
    const named = ["colour", "written"].map((name) => ndrColour(head[name], columns[name], this.range));
    this.colours = named.filter(Boolean);
    this.modes = [
      ["group", "groups", null],
      named[0] && ["colour", named[0].name, named[0]],
      named[1] && named[1].name !== named[0]?.name && ["written", `element of ${named[1].name}`, named[1]],
    ].filter(Boolean);
    if (!this.modes.some(([mode]) => mode === this.mode) || !known) this.mode = head.colour ? "colour" : "group";
    this.row.classList.toggle("ndr-one", this.range.dims === 1);
    if (!known) {
      this.pane.reset();
      this.item = ndrItem(this.range, ndrFirst(this.range));
      this.pane.see(this.item.place);
      this.follow(this.context.selection.value);
    } else {
      this.pane.refresh();
      this.item = ndrItem(this.range, this.item.place);
    }
    this.tell();
    this.redraw();
  }

  get colour() {
    return this.modes.find(([mode]) => mode === this.mode)?.[2] ?? null;
  }

  itemAt(place) {
    return ndrItem(this.range, place);
  }

  redraw() {
    this.context.frame.draw();
  }

  /** All words that do not change with the selection. */
  tell() {
    const { head } = this.data;
    const failed =
      head.status === "failed"
        ? [" · ", h("span", { class: "ndr-bad" }, "the run failed: this is what was launched")]
        : [];
    const of = head.kernel ? [" of ", h("span", { class: "mono" }, head.kernel)] : [];
    this.head.replaceChildren(
      h("b", {}, "NDRange"),
      ...of,
      ...ndrConclusion(this.range).flatMap((word) => [" · ", h("span", {}, word)]),
      ...failed,
    );
    this.controls();
    this.limits.replaceChildren(ndrLimits(head.limits, head.device));
    const reasons = [
      ["remainder", head.mode_reason],
      ["local size", head.local_size_reason],
      ...head.notes.map((note) => ["note", note]),
    ].filter(([, text]) => text);
    this.below.replaceChildren(ndrLaunches(this.range), ndrPairs(reasons));
  }

  controls() {
    const button = (text, title, act) =>
      h("button", { type: "button", title, "aria-label": title, onclick: act }, text);
    const zoom = h(
      "div",
      { class: "ndr-seg", role: "group", "aria-label": "zoom" },
      button("−", "zoom out", () => this.pane.zoom(1 / 2)),
      button("+", "zoom in", () => this.pane.zoom(2)),
      button("whole range", "show the whole range (Home)", () => this.pane.whole()),
      button("work-item", "zoom to the selected work-item (Enter)", () => this.pane.closest()),
    );
    const colours =
      this.modes.length < 2
        ? null
        : h(
            "div",
            { class: "ndr-seg", role: "group", "aria-label": "colour by" },
            this.modes.map(([mode, name]) =>
              h(
                "button",
                {
                  type: "button",
                  "aria-pressed": String(mode === this.mode),
                  onclick: () => {
                    this.mode = mode;
                    this.controls();
                    this.redraw();
                  },
                },
                name,
              ),
            ),
          );
    const input = h("input", {
      type: "text",
      inputmode: "numeric",
      autocomplete: "off",
      placeholder: this.range.axes.join(" "),
      spellcheck: "false",
    });
    const jump = h(
      "form",
      {
        class: "ndr-jump",
        onsubmit: (event) => {
          event.preventDefault();
          this.jump(input.value);
        },
      },
      h("label", {}, "global id ", input),
      " ",
      h("button", { type: "submit" }, "Go"),
    );
    input.addEventListener("keydown", (event) => event.stopPropagation());
    this.bar.replaceChildren(zoom, ...(colours ? [h("span", { class: "dim sm" }, "colour by"), colours] : []), jump);
  }

  jump(text) {
    const found = ndrParse(text, this.range);
    this.fault.hidden = !found.error;
    this.fault.textContent = found.error ?? "";
    if (found.error) return;
    this.select(found.place);
    this.pane.closest();
  }

  /** Select a place here, and tell the other views all that follows from it. */
  select(place) {
    this.item = ndrItem(this.range, place);
    this.launch = null;
    const safe = this.item.globalId.every((id) => id <= BigInt(Number.MAX_SAFE_INTEGER));
    const { arrays } = this.data.head;
    const written =
      arrays.findLast((array) => array.written && ndrElement(this.range, place, array)) ??
      arrays.find((array) => ndrElement(this.range, place, array));
    const at = written ? ndrElement(this.range, place, written) : null;
    this.context.selection.set(
      {
        item: safe ? this.item.globalId.map(Number) : null,
        command: this.range.parts[this.item.part]?.command ?? null,
        array: written?.name ?? null,
        element: at ? at.map(Number) : null,
      },
      this,
    );
    this.redraw();
  }

  /** What another view selected. */
  follow({ item, array, element, command }) {
    const known = this.data.head.arrays.find((one) => one.name === array);
    const place = item
      ? ndrPlaceOf(this.range, item)
      : known && element
        ? ndrPlaceOfElement(this.range, known, element)
        : null;
    const parts = this.data.columns.command_part;
    this.launch = command !== null && command !== undefined && parts && parts[command] >= 0 ? parts[command] : null;
    if (place) {
      this.item = ndrItem(this.range, place);
      this.pane.see(place);
    }
    this.redraw();
  }

  draw() {
    const before = performance.now();
    this.pane.draw(Math.max(160, this.left.clientWidth));
    this.layers.draw();
    const inks = this.pane.inks;
    const key = JSON.stringify([this.mode, this.launch, this.shape, this.pane.strides(), inks]);
    if (key !== this.legendKey) {
      this.legendKey = key;
      this.key.replaceChildren(...ndrLegend(this.range, this.pane, this.colour, this.launch));
      this.scale.replaceChildren(this.colour ? ndrColourScale(this.colour) : "");
    }
    this.tellItem();
    this.root.dataset.drawMs = (performance.now() - before).toFixed(2);
  }

  tellItem() {
    const { range, item, data } = this;
    const text = JSON.stringify([item.globalId.map(String), this.shape, this.mode]);
    if (this.told === text && this.toldData === data) return;
    Object.assign(this, { told: text, toldData: data });
    const arrays = data.head.arrays;
    this.ids.replaceChildren(
      ndrTable(
        ["selected work-item", ...range.axes.map((axis) => `${axis}>`), "linear>"],
        ndrIdRows(range, item),
        "ids of the selected work-item",
      ),
      ndrPairs(ndrMore(range, item, { arrays, subGroup: data.head.sub_group, colours: this.colours })),
      h(
        "p",
        { class: "dim sm" },
        range.dims > 1
          ? "ids count from 0, x is axis 0 and the fastest; the element is the one at the item’s place, [row, column]"
          : "ids count from 0; the element is the one at the item’s place",
      ),
    );
    this.pane.canvas.setAttribute("aria-label", ndrSentence(range, item));
  }

  /** Lines of the tip over an item. */
  tip(place) {
    const item = ndrItem(this.range, place);
    const rows = [`global ${ndrIds(item.globalId)}, linear ${counted(item.globalLinear)}`];
    if (item.groupId)
      rows.push(
        `group ${ndrIds(item.groupId)}, linear ${counted(item.groupLinear)}`,
        `local ${ndrIds(item.localId)}, linear ${counted(item.localLinear)}`,
      );
    const more = ndrMore(this.range, item, {
      arrays: this.data.head.arrays,
      subGroup: this.data.head.sub_group,
      colours: this.colours,
    });
    return [...rows, ...more.map(([name, text]) => `${name}: ${text}`)].join("\n");
  }

  destroy() {
    for (const end of this.off) end();
    this.root.remove();
  }
}
