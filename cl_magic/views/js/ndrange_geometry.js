// Where work-items stand: ids of every kind, and places of items on the screen. Pure, exact and never enumerating.
// Ids are BigInt: ranges go to 2^63 items, and a double is exact to 2^53 only.

export const NDR_THIN = 6;
const NDR_FIELD = 4;
const NDR_NAMES = ["x", "y", "z"];

/** A payload's head as a range: sizes as BigInt, x first. `local` is null where the driver chose it. */
export function ndrRange(head) {
  const big = (texts) => (texts ? texts.map(BigInt) : null);
  const size = big(head.global_size);
  const local = big(head.local_size);
  const launched = big(head.padded) ?? size;
  return {
    dims: size.length,
    size,
    local,
    launched,
    offset: big(head.global_offset),
    padded: head.padded !== null,
    groups: local ? launched.map((n, axis) => (n + local[axis] - 1n) / local[axis]) : null,
    mode: head.mode,
    parts: head.parts.map((part) => ({
      offset: big(part.offset),
      size: big(part.size),
      local: big(part.local),
      role: part.role,
      command: part.command,
    })),
    axes: NDR_NAMES.slice(0, size.length),
  };
}

/** Linear position of an index, x fastest. */
export function ndrLinear(index, sizes) {
  let position = 0n;
  for (let axis = sizes.length - 1; axis >= 0; axis -= 1) position = position * sizes[axis] + index[axis];
  return position;
}

/** Product of sizes: how many. */
export function ndrCount(sizes) {
  return sizes.reduce((product, n) => product * n, 1n);
}

/** All ids of the work-item at a place (counted from 0, without the offset). Null groups where nobody knows them. */
export function ndrItem(range, place) {
  const { local, offset, launched, size } = range;
  const globalId = place.map((at, axis) => at + offset[axis]);
  const part = Math.max(
    0,
    range.parts.findIndex((one) =>
      one.size.every((n, axis) => globalId[axis] >= one.offset[axis] && globalId[axis] < one.offset[axis] + n),
    ),
  );
  const padding = place.some((at, axis) => at >= size[axis]);
  const found = {
    place,
    globalId,
    globalLinear: ndrLinear(place, size),
    part,
    padding,
    groupId: null,
    localId: null,
    localSize: null,
    groupLinear: null,
    localLinear: null,
  };
  if (!local) return found;
  const groupId = place.map((at, axis) => at / local[axis]);
  const localId = place.map((at, axis) => at % local[axis]);
  const localSize = local.map((n, axis) => {
    const left = launched[axis] - groupId[axis] * n;
    return left < n ? left : n;
  });
  return {
    ...found,
    groupId,
    localId,
    localSize,
    groupLinear: ndrLinear(groupId, range.groups),
    localLinear: ndrLinear(localId, localSize),
  };
}

/** Place of a global id (offset counted; numbers, texts or BigInt), or null where it is not in what was launched. */
export function ndrPlaceOf(range, globalId) {
  if (!Array.isArray(globalId) || globalId.length < range.dims) return null;
  try {
    const place = range.offset.map((start, axis) => BigInt(globalId[axis]) - start);
    return place.every((at, axis) => at >= 0n && at < range.launched[axis]) ? place : null;
  } catch {
    return null;
  }
}

/** What was typed as a global id: `{place}`, or `{error}` in one sentence. */
export function ndrParse(text, range) {
  const words = text
    .trim()
    .replace(/^[([]|[)\]]$/g, "")
    .split(/[\s,;]+/)
    .filter(Boolean);
  const what = range.axes.join(" ");
  if (words.length !== range.dims || !words.every((word) => /^\d+$/.test(word)))
    return { error: `write ${range.dims === 1 ? "one whole number" : `${range.dims} whole numbers`}: ${what}` };
  const place = ndrPlaceOf(range, words.map(BigInt));
  if (place) return { place };
  const ends = range.offset.map(
    (start, axis) => `${range.axes[axis]} ${start} to ${start + range.launched[axis] - 1n}`,
  );
  return { error: `no such work-item: ${ends.join(", ")}` };
}

/** Element of an array that a work-item has by its shape, in NumPy's order; null where the shape does not tell. */
export function ndrElement(range, place, array) {
  const { size, offset } = range;
  if (place.some((at, axis) => at >= size[axis])) return null;
  const shape = array.shape.map(BigInt);
  if (size.length === 1 && shape.length === 1) {
    const id = place[0] + offset[0];
    return id < shape[0] ? [id] : null;
  }
  if (shape.length === size.length && shape.every((n, axis) => n === size[size.length - 1 - axis]))
    return [...place].reverse();
  return shape.length === 1 && shape[0] === ndrCount(size) ? [ndrLinear(place, size)] : null;
}

/** The work-item of an element, the inverse of `ndrElement`; null where there is none. */
export function ndrPlaceOfElement(range, array, element) {
  const index = element.map(BigInt);
  const { size } = range;
  let place = null;
  if (size.length === 1 && array.shape.length === 1) place = [index[0] - range.offset[0]];
  else if (array.shape.length === size.length) place = index.slice(0, size.length).reverse();
  else if (array.shape.length === 1) {
    let rest = index[0];
    place = size.map((n) => {
      const at = rest % n;
      rest /= n;
      return at;
    });
  }
  if (!place || place.some((at, axis) => at === undefined || at < 0n || at >= size[axis])) return null;
  const back = ndrElement(range, place, array);
  return back && back.every((at, axis) => at === index[axis]) ? place : null;
}

/** A work-item right of the middle, in a whole group where there is one: what is selected at first. */
export function ndrFirst(range) {
  const shares = [
    [57n, 34n],
    [31n, 70n],
    [45n, 50n],
  ];
  return range.size.map((n, axis) => {
    const local = range.local ? range.local[axis] : n;
    const at = (((n / local) * shares[axis][0]) / 100n) * local + (local * shares[axis][1]) / 100n;
    return at < n ? at : n - 1n;
  });
}

/**
 * One axis on the screen: `launched` items in groups of `local`, seen from item `anchor` + `frac` on at `scale` px an
 * item. The anchor is exact, so that a single item is found in 10^18. `strip`: the items at the far end that fill no
 * group (or are padding); drawn at least `NDR_THIN` px wide.
 */
export function ndrAxis(range, axis) {
  if (axis >= range.dims)
    return {
      size: 1n,
      launched: 1n,
      local: 1n,
      offset: 0n,
      strip: null,
      scale: 1,
      least: 1,
      most: 1,
      anchor: 0n,
      frac: 0,
      length: 1,
    };
  const [size, launched] = [range.size[axis], range.launched[axis]];
  const local = range.local ? range.local[axis] : size;
  const start = launched > size ? size : size - (size % local);
  const strip =
    start < launched ? { start, items: launched - start, kind: launched > size ? "padding" : "remainder" } : null;
  return {
    size,
    launched,
    local,
    offset: range.offset[axis],
    strip,
    scale: 1,
    least: 1,
    most: 1,
    anchor: 0n,
    frac: 0,
    length: 1,
  };
}

/** Extra length that a thin strip takes beyond its scale. */
export function ndrExtra(axis) {
  return axis.strip && axis.strip.start > 0n ? Math.max(0, NDR_THIN - Number(axis.strip.items) * axis.scale) : 0;
}

/** Length in px of all items. */
export function ndrTotal(axis) {
  return Number(axis.launched) * axis.scale + ndrExtra(axis);
}

/** Position in px of the left edge of an item. */
export function ndrAt(axis, item) {
  const plain = (at) => (Number(at - axis.anchor) - axis.frac) * axis.scale;
  const { strip } = axis;
  if (!strip || item <= strip.start || ndrExtra(axis) === 0) return plain(item);
  return plain(strip.start) + (NDR_THIN * Number(item - strip.start)) / Number(strip.items);
}

/** The item under a position in px, kept inside what was launched. */
export function ndrItemAt(axis, px) {
  const { strip } = axis;
  let item = axis.anchor + BigInt(Math.floor(axis.frac + px / axis.scale));
  if (strip && ndrExtra(axis) > 0) {
    const from = ndrAt(axis, strip.start);
    if (px >= from) item = strip.start + BigInt(Math.floor(((px - from) / NDR_THIN) * Number(strip.items)));
    else if (item >= strip.start) item = strip.start - 1n;
  }
  return item < 0n ? 0n : item >= axis.launched ? axis.launched - 1n : item;
}

/** Set where an axis is seen from; `frac` may be any number of items. */
export function ndrLook(axis, anchor, frac) {
  const whole = Math.floor(frac);
  axis.anchor = anchor + BigInt(whole);
  axis.frac = frac - whole;
  const start = Number(axis.anchor) + axis.frac;
  const end = ndrTotal(axis) - start * axis.scale;
  if (start <= 0 || ndrTotal(axis) <= axis.length + 0.5) {
    axis.anchor = 0n;
    axis.frac = 0;
    return;
  }
  if (end < axis.length) {
    const back = (axis.length - ndrExtra(axis)) / axis.scale;
    const whole_ = Math.ceil(back);
    axis.anchor = axis.launched - BigInt(whole_);
    axis.frac = whole_ - back;
  }
}

/** Zoom by a factor; what is under `px` stays there. */
export function ndrZoom(axis, factor, px) {
  const under = axis.frac + px / axis.scale;
  axis.scale = Math.min(axis.most, Math.max(axis.least, axis.scale * factor));
  return [axis.anchor, under - px / axis.scale];
}

/** Move an axis just so far that an item is seen whole. */
export function ndrSee(axis, item) {
  const from = ndrAt(axis, item);
  const to = ndrAt(axis, item + 1n);
  const margin = Math.min(axis.length / 4, 24);
  if (from < 0) ndrLook(axis, item, -margin / axis.scale);
  else if (to > axis.length) ndrLook(axis, item, 1 - (axis.length - margin) / axis.scale);
}

/** A round step (1, 2, 5, 10, …) of at least `least`. */
export function ndrStep(least) {
  if (!(least > 1)) return 1n;
  let decade = 1n;
  while (Number(decade * 10n) < least) decade *= 10n;
  return [1n, 2n, 5n, 10n].map((n) => n * decade).find((step) => Number(step) >= least);
}

/** Groups that one field of the chequer stands for, so that it is at least 4 px. */
export function ndrStride(axis) {
  const step = ndrStep(NDR_FIELD / (Number(axis.local) * axis.scale));
  const groups = (axis.launched + axis.local - 1n) / axis.local;
  return step < groups ? step : groups;
}

/**
 * Labels along an axis: `{index, from, to}` of each `unit` items that is numbered, at least `room` px apart; with a
 * `shift` (the offset) those whose id is round.
 */
export function ndrTicks(axis, unit, room, shift = 0n) {
  const step = ndrStep(room / (Number(unit) * axis.scale));
  const last = (axis.launched - 1n) / unit;
  const first = ndrItemAt(axis, 0) / unit; // one that begins left of what is seen counts
  const ticks = [];
  for (let index = ((first + shift + step - 1n) / step) * step - shift; index <= last; index += step) {
    const from = ndrAt(axis, index * unit);
    if (from > axis.length) break;
    const end = (index + 1n) * unit;
    ticks.push({ index, from, to: ndrAt(axis, end < axis.launched ? end : axis.launched) });
  }
  return ticks;
}
