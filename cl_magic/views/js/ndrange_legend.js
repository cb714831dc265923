// The key under the picture: each mark as it is drawn, and its words; the colour bar.

import { element, h, sized } from "./base.js";
import { bufColour } from "./buffer_colour.js";
import { ndrKey } from "./ndrange_facts.js";
import { ndrPattern } from "./ndrange_draw.js";

const NDR_METHODS = { mean: "means of", sample: "one of each", middle: "middles of", range: "middles of" };

function ndrSwatch(mark, inks) {
  const canvas = h("canvas", { "aria-hidden": "true" });
  const pen = sized(canvas, 20, 12);
  const plain = {
    groups: () => {
      pen.fillStyle = inks["group-a"];
      pen.fillRect(0, 0, 10, 12);
      pen.fillStyle = inks["group-b"];
      pen.fillRect(10, 0, 10, 12);
    },
    select: () => {
      pen.fillStyle = inks.select;
      pen.fillRect(4, 1, 10, 10);
      pen.lineWidth = 2;
      pen.strokeStyle = inks["select-line"];
      pen.strokeRect(4, 1, 10, 10);
    },
    launch: () => {
      pen.setLineDash([5, 3]);
      pen.lineWidth = 2;
      pen.strokeStyle = inks.run;
      pen.strokeRect(1, 1, 18, 10);
    },
    offset: () => {
      pen.setLineDash([3, 3]);
      pen.strokeStyle = inks.dep;
      pen.beginPath();
      pen.moveTo(1.5, 12);
      pen.lineTo(1.5, 1.5);
      pen.lineTo(20, 1.5);
      pen.stroke();
    },
  }[mark];
  if (plain) plain();
  else if (mark) {
    pen.fillStyle = ndrPattern(pen, mark, inks);
    pen.fillRect(0, 0, 20, 12);
    pen.strokeStyle = mark === "padding" ? inks.pad : inks.remainder;
    pen.strokeRect(0.5, 0.5, 19, 11);
  }
  return canvas;
}

/** Elements of the key. */
export function ndrLegend(range, pane, colour, launch) {
  return ndrKey(range, pane, colour, launch).map(([mark, words]) =>
    h(
      "span",
      {},
      h("i", {}, mark ? ndrSwatch(mark, pane.inks) : null),
      h("span", { style: { display: "inline" } }, words),
    ),
  );
}

/** The bar of colours with its ends, and what a cell stands for. */
export function ndrColourScale(colour) {
  const stops = Array.from(
    { length: 9 },
    (_, n) =>
      `rgb(${bufColour("cividis", n / 8)
        .slice(0, 3)
        .join(" ")})`,
  );
  const step = [...colour.step].reverse();
  const reduced = colour.step.some((n) => n > 1)
    ? `; ${NDR_METHODS[colour.method] ?? "cells of"} ${step.join(" × ")} items`
    : "";
  const rounded = colour.quantised ? "; values to 1 in 253" : "";
  const bad = colour.nan ? `; ${colour.nan} NaN in the error colour` : "";
  return h(
    "p",
    { class: "ndr-scale" },
    h("span", { class: "mono" }, colour.name),
    h("span", {}, element(colour.low)),
    h("i", { style: { background: `linear-gradient(to right, ${stops.join(", ")})` }, "aria-hidden": "true" }),
    h("span", {}, element(colour.high)),
    h("span", {}, `${reduced}${rounded}${bad}`.replace(/^; /, "")),
  );
}
