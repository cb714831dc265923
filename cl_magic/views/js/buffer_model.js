// What the panes of the buffer view share: one array, its pictures and colours, what is selected and looked at.

import { bufAxes, bufPlane } from "./buffer_geometry.js";
import { bufSentence } from "./buffer_plane.js";
import { bufReduction, bufShapeText } from "./buffer_numbers.js";
import { BUF_SIDES, bufCellOf, bufCellText, bufElementFor, bufEnds, bufHasComponents, bufIndexWords, bufIsExact, bufItemOf, bufItems, bufLimit, bufPicture, bufReduced,
  bufScale, bufSpecials, bufText, bufUnravel } from "./buffer_values.js";

/** How an array is looked at when it is opened. */
export function bufOpened(array) {
  const form = { line: "line", value: "line", records: array.members.length ? "table" : "hex", nothing: "none" }[array.form] ?? "picture";
  return { form, side: array.written ? "all" : "before", scale: "linear", range: "whole", counts: "linear", component: array.form === "colour" || array.form === "line" ? -1 : 0,
    slice: null, fixed: bufItems(array).map((n) => (bufItems(array).length > 2 ? Math.floor(n / 2) : 0)), view: { x: 0, y: 0, zoom: 1 }, selected: null, page: null };
}

/** An array whose pictures lost a part of its components is drawn as one without. */
function bufWhole(array, pictures) {
  const broken = array.kind !== "c" && Object.values(pictures).some((picture) => picture && !bufHasComponents(array, picture));
  return broken && array.components.length ? { ...array, components: [], form: "plane" } : array;
}

/** The model of one array. `view`: {redraw(), selected(index), tiles}. */
export class BufModel {
  constructor(data, index, state, view, serial) {
    this.pictures = Object.fromEntries(BUF_SIDES.map((side) => [side, bufPicture(data, index, side)]));
    this.array = bufWhole(data.head.arrays[index], this.pictures);
    Object.assign(this, { data, index, state: state ?? bufOpened(this.array), view, serial, range: data.head.ndrange, items: bufItems(this.array), kept: new Map() });
  }

  picture(side) { return this.pictures[side] ?? null; }

  /** The last picture of the array: after the run, or before where it was only read. */
  get latest() { return this.pictures.after ? "after" : "before"; }

  cached(key, make) {
    if (!this.kept.has(key)) this.kept.set(key, make());
    return this.kept.get(key);
  }

  /** Ends of all values of a side: exact where statistics have them, else of the cells. */
  ends(side) {
    const found = this.array.statistics[side];
    return found && found.min !== null && found.max !== null ? { low: found.min, high: found.max } : this.cells(side);
  }

  /** Ends of the cells themselves, and the least above zero: looked for only where they are wanted. */
  cells(side) {
    return this.cached(`cells ${side}`, () => (this.pictures[side] ? bufEnds(this.pictures[side]) : { low: 0, high: 0, least: 0 }));
  }

  /** Scale and colour table of a side; "line" is the axis that before and after share. */
  colours(side) {
    const { state, array } = this;
    return this.cached(`colours ${side} ${state.scale} ${state.range} ${state.component}`, () => {
      if (side === "difference") return this.differenceColours();
      const present = ["before", "after"].filter((one) => this.pictures[one]);
      const sides = present.map((one) => this.ends(one));
      const least = state.scale === "log" ? Math.min(...present.map((one) => this.cells(one).least).filter((n) => n > 0)) : Infinity;
      const spread = { low: Math.min(...sides.map((ends) => ends.low)), high: Math.max(...sides.map((ends) => ends.high)) };
      const range = side === "line" || state.range === "values" || array.range.low === array.range.high ? spread : array.range;
      const scale = bufScale(state.scale, range.low, range.high, Number.isFinite(least) ? least : 0);
      return { scale, table: array.range.gray ? "gray" : "cividis", beyond: false };
    });
  }

  differenceColours() {
    const picture = this.pictures.difference;
    const { low, high } = this.ends("difference");
    const isLine = this.state.form === "line";
    if (isLine) return { scale: bufScale(this.state.scale === "linear" ? "linear" : "symmetric", Math.min(0, low), Math.max(0, high)), table: "signs", beyond: false };
    const { limit, beyond } = picture ? bufLimit(picture, Math.max(Math.abs(low), Math.abs(high))) : { limit: 1, beyond: false };
    return { scale: bufScale(this.state.scale === "linear" ? "linear" : "symmetric", -limit, limit), table: "signs", beyond };
  }

  /** The planes that panes show now. */
  plane(side) { return bufPlane(this.array, this.pictures[side], this.state); }

  /** Value, text and exactness of an element of a plane; null where nothing is known of it. */
  at(side, plane, row, column) {
    const tile = this.tile(side, plane);
    if (tile) {
      const [down, right] = [row - tile.top, column - tile.left];
      if (down >= 0 && right >= 0 && down < tile.plane.rows && right < tile.plane.columns) {
        const place = tile.plane.offset + down * tile.plane.down + right * tile.plane.right;
        return { value: tile.picture.read(place), text: bufCellText(this.array, tile.picture, place), exact: true };
      }
    }
    const picture = this.pictures[side];
    const place = plane.offset + Math.floor(row / plane.rowStep) * plane.down + Math.floor(column / plane.columnStep) * plane.right;
    return { value: picture.read(place), text: bufCellText(this.array, picture, place), exact: bufIsExact(picture) };
  }

  tile(side, plane) { return this.view.tiles?.find(this, side, plane) ?? null; }

  /** Text of an element (all its components) on one side; "" where the side has no picture. */
  text(side, index) {
    const picture = this.pictures[side];
    if (!picture) return "";
    const many = bufHasComponents(this.array, picture) ? this.array.components.length : 1;
    const owner = side === "difference" && this.array.kind === "b" ? { ...this.array, kind: "i" } : this.array;
    const texts = [];
    for (let component = 0; component < many; component += 1) {
      const place = bufCellOf(this.array, picture, index, component);
      if (place === null) return "";
      if (picture.method === "range" && picture.step[0] >= 1 && !bufIsExact(picture)) {
        texts.push(`${bufText(this.array, picture.read(place))} to ${bufText(this.array, picture.read(place + 1))}`);
      } else if (many === 1 && this.items.length > 0) texts.push(this.exactText(side, index) ?? bufCellText(owner, picture, place));
      else texts.push(bufCellText(owner, picture, place));
    }
    const text = many > 1 ? `(${texts.join(", ")})` : texts[0];
    return text.includes("≈") ? bufReduced(picture) + text : text;
  }

  exactText(side, index) {
    if (this.state.form !== "picture") return null;
    const plane = this.plane(side);
    if (plane.fixed.some((axis) => index[axis] !== (this.state.fixed[axis] ?? 0))) return null;
    const found = this.at(side, plane, plane.row === null ? 0 : index[plane.row], plane.column === null ? 0 : index[plane.column]);
    return found?.exact ? found.text : null;
  }

  /** An element in all forms, with its values. */
  words(index) {
    const [[name, element], ...rest] = bufIndexWords(this.array, this.range, index);
    const sides = BUF_SIDES.map((side) => [this.array.written ? { difference: "after − before" }[side] ?? side : "value", this.text(side, index)]).filter(([, text]) => text);
    return [[name, element], ...sides, ...rest];
  }

  sentence(side) {
    const kind = side === "difference" ? "difference map, blue below zero, orange above" : this.state.form === "line" ? "curve" : this.array.range.gray ? "grayscale image" : "heat map";
    return bufSentence(`${this.array.label}${this.array.written ? ` ${side}` : ""}`, kind, this.array.statistics[side], bufShapeText(this.array));
  }

  /** Cells [row, column] of the plane that are NaN or infinite. */
  specials(side) {
    const plane = this.plane(side);
    return this.cached(`specials ${side} ${plane.offset} ${plane.row} ${plane.column}`, () => {
      const picture = this.pictures[side];
      const { NaN: nan, Inf: inf } = this.special(side);
      return [...nan, ...inf].map((place) => this.cellOf(picture, plane, place)).filter(Boolean);
    });
  }

  special(side) {
    const found = this.array.statistics[side];
    const none = found && !found.nan && !found.inf && !found.denormal;
    return this.cached(`special ${side}`, () => (none ? { NaN: [], Inf: [], denormal: [] } : bufSpecials(this.pictures[side])));
  }

  cellOf(picture, plane, place) {
    const at = bufUnravel(place, picture.shape);
    if (plane.fixed.some((axis) => at[axis] !== Math.min(picture.shape[axis] - 1, Math.floor((this.state.fixed[axis] ?? 0) / picture.step[axis])))) return null;
    return [plane.row === null ? 0 : at[plane.row], plane.column === null ? 0 : at[plane.column]];
  }

  axes() { return bufAxes(this.array, this.state.slice); }

  look(view) { this.state.view = view; this.view.redraw(); }

  select(index) {
    this.state.selected = index;
    if (index) for (const axis of this.axes().fixed) this.state.fixed[axis] = index[axis];
    this.view.selected(index);
  }

  slice(move) {
    const [axis] = this.axes().fixed;
    if (axis === undefined) return false;
    const step = this.pictures[this.latest]?.step[axis] ?? 1;
    this.state.fixed[axis] = Math.min(this.items[axis] - 1, Math.max(0, this.state.fixed[axis] + move * step));
    this.view.redraw(true);
    return true;
  }

  itemOf(index) { return bufItemOf(this.array, this.range, index); }

  elementFor(item) { return bufElementFor(this.array, this.range, item); }

  get note() { return bufReduction(this.array, this.pictures[this.latest]); }
}
