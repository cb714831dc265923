import assert from "node:assert/strict";
import test from "node:test";

import { ndrShown } from "../../cl_magic/views/js/ndrange_box.js";
import { ndrColour, ndrPaintColour, ndrPaintGroups, ndrUnder } from "../../cl_magic/views/js/ndrange_colour.js";
import { ndrConclusion, ndrIdRows, ndrMore, ndrValue } from "../../cl_magic/views/js/ndrange_facts.js";
import { NDR_THIN, ndrAt, ndrAxis, ndrElement, ndrItem, ndrItemAt, ndrLook, ndrParse, ndrPlaceOfElement, ndrRange, ndrSee, ndrStep, ndrStride, ndrTicks, ndrTotal, ndrZoom } from "../../cl_magic/views/js/ndrange_geometry.js";

const texts = (sizes) => sizes?.map(String) ?? null;
function range(size, local, { offset = size.map(() => 0), padded = null } = {}) {
  const part = { offset: texts(offset), size: texts(padded ?? size), local: texts(local), role: "main", command: null };
  return ndrRange({ global_size: texts(size), global_offset: texts(offset), local_size: texts(local), padded: texts(padded), mode: padded ? "padded" : "non-uniform", parts: [part] });
}
function axis(one, length, scale = length / Number(one.launched[0])) {
  return Object.assign(ndrAxis(one, 0), { length, scale, least: scale, most: 132 });
}

test("the linear global id ignores the offset (K-22)", () => {
  const one = range([4, 2], [2, 1], { offset: [10, 5] });
  const linear = [];
  for (const y of [0n, 1n]) for (const x of [0n, 1n, 2n, 3n]) linear.push(Number(ndrItem(one, [x, y]).globalLinear));
  assert.deepEqual(linear, [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(ndrItem(one, [3n, 1n]).globalId, [13n, 6n]);
});

test("10^18 items are exact to the last", () => {
  const one = range([10n ** 18n], [64n]);
  const view = axis(one, 800);
  let turns = 0;
  while (view.scale < view.most) {
    ndrLook(view, ...ndrZoom(view, 2, 400));
    turns += 1;
  }
  assert.ok(turns < 70);
  for (let px = 0; px < 800; px += 7) {
    const item = ndrItemAt(view, px);
    assert.ok(ndrAt(view, item) <= px + 1e-9 && ndrAt(view, item + 1n) > px, `${px}`);
  }
  const far = 999_999_999_999_999_998n;
  ndrSee(view, far);
  assert.ok(ndrAt(view, far) >= 0 && ndrAt(view, far + 1n) <= 800);
  assert.equal(ndrAt(view, far + 1n) - ndrAt(view, far), view.scale);
  assert.equal(ndrItem(one, [far]).localId[0], far % 64n);
});

test("positions and items are inverse at every zoom, also in a strip that is drawn wider", () => {
  for (const [size, local, padded] of [[1000, 64, 1024], [100_003, 16, null], [7, 3, null], [5, 8, null], [1, 1, null], [999_999_937, 64, null]]) {
    const one = range([size], [local], padded ? { padded: [padded] } : {});
    const view = axis(one, 700, 690 / Number(one.launched[0]));
    for (let turn = 0; turn < 30; turn += 1) {
      for (let px = 0.5; px < Math.min(700, ndrTotal(view)); px += 13) {
        const item = ndrItemAt(view, px);
        const [from, to] = [ndrAt(view, item), ndrAt(view, item + 1n)];
        assert.ok(from <= px + 1e-6 && to >= px - 1e-6, `${size} at ${px}: ${from} to ${to}`);
      }
      ndrLook(view, ...ndrZoom(view, 1.9, 650));
    }
  }
});

test("zooming keeps what is under the pointer, and never leaves the range", () => {
  const view = axis(range([10 ** 9], [64]), 600);
  const before = ndrItemAt(view, 123);
  ndrLook(view, ...ndrZoom(view, 8, 123));
  assert.ok(Math.abs(Number(ndrItemAt(view, 123) - before)) <= 2 / view.scale);
  ndrLook(view, 0n, -5e9);
  assert.equal(ndrItemAt(view, 0), 0n);
  ndrLook(view, 0n, 5e12);
  assert.ok(Math.abs(ndrAt(view, view.launched) - 600) < 1);
});

test("a thin remainder is as wide as can be seen", () => {
  const view = axis(range([100_003], [16]), 700, 690 / 100_003);
  const from = ndrAt(view, 100_000n);
  assert.ok(Math.abs(ndrAt(view, 100_003n) - from - NDR_THIN) < 1e-9);
  assert.equal(ndrItemAt(view, from + 5.9), 100_002n);
  assert.equal(ndrItemAt(view, from - 0.001), 99_999n);
});

test("work is bounded by pixels: fields and ticks", () => {
  assert.deepEqual([0.3, 1, 3, 7, 11, 1e9].map(ndrStep), [1n, 1n, 5n, 10n, 20n, 10n ** 9n]);
  for (const size of [10 ** 3, 10 ** 6, 10 ** 9, 10n ** 18n]) {
    const view = axis(range([size], [64]), 700);
    assert.ok(Number(view.local * ndrStride(view)) * view.scale >= 4 || ndrStride(view) * view.local >= view.launched);
    assert.ok(ndrTicks(view, 1n, 40).length <= 20);
  }
  const shifted = axis(range([600], [16], { offset: [40] }), 600);
  assert.deepEqual(ndrTicks(shifted, 1n, 100, 40n).map(({ index }) => Number(index) + 40), [100, 200, 300, 400, 500, 600]);
});

test("what is typed is an id or is told apart", () => {
  const one = range([600, 512], [16, 16], { offset: [100, 0] });
  for (const text of ["441 155", "(441, 155)", "441,155", " 441; 155 "]) assert.deepEqual(ndrParse(text, one).place, [341n, 155n]);
  assert.match(ndrParse("5", one).error, /2 whole numbers: x y/);
  assert.match(ndrParse("-1 4", one).error, /whole numbers/);
  assert.match(ndrParse("99 4", one).error, /x 100 to 699/);
  assert.match(ndrParse("700 4", one).error, /no such work-item/);
});

test("elements go with items by the arrays' shapes, both ways", () => {
  const one = range([6, 4], [2, 2], { offset: [10, 0] });
  const array = { name: "a", label: "a", shape: [4, 6], written: true };
  assert.deepEqual(ndrElement(one, [5n, 2n], array), [2n, 5n]);
  assert.deepEqual(ndrPlaceOfElement(one, array, [2, 5]), [5n, 2n]);
  assert.deepEqual(ndrElement(one, [5n, 2n], { ...array, shape: [24] }), [17n]);
  assert.deepEqual(ndrPlaceOfElement(one, { ...array, shape: [24] }, [17]), [5n, 2n]);
  assert.equal(ndrElement(one, [5n, 2n], { ...array, shape: [6, 4] }), null);
  assert.equal(ndrPlaceOfElement(one, { ...array, shape: [6, 4] }, [5, 2]), null);
  const line = range([8], [4], { offset: [3] });
  assert.deepEqual(ndrElement(line, [2n], { ...array, shape: [20] }), [5n]);
  assert.deepEqual(ndrPlaceOfElement(line, { ...array, shape: [20] }, [5]), [2n]);
  assert.equal(ndrPlaceOfElement(line, { ...array, shape: [20] }, [1]), null);
});

test("pixels of groups and colours are those of their items", () => {
  const one = range([6, 4], [2, 2]);
  const [x, y] = [0, 1].map((n) => Object.assign(ndrAxis(one, n), { scale: 5, least: 5, most: 5, length: n ? 20 : 30 }));
  const under = { x: ndrUnder(x, 30, 1), y: ndrUnder(y, 20, 1) };
  const pixels = new Uint32Array(600);
  ndrPaintGroups(pixels, x, y, under, [7, 9]);
  for (const [px, py] of [[0, 0], [9, 9], [10, 0], [29, 19], [15, 12]]) {
    assert.equal(pixels[py * 30 + px], (Math.floor(px / 10) + Math.floor(py / 10)) % 2 ? 9 : 7);
  }
  const cells = Float32Array.from({ length: 24 }, (_, n) => n);
  cells[23] = NaN;
  const facts = { name: "c", kind: "f", step: [1, 1], shape: [4, 6], method: "exact", low: 0, high: 22, flat: false, quantised: null };
  const colour = ndrColour(facts, cells, one);
  ndrPaintColour(pixels, colour, one, under, 0n, { none: 1, bad: 2 });
  assert.equal(pixels[599], 2);
  assert.equal(pixels[0], pixels[4 * 30 + 4]);
  assert.notEqual(pixels[0], pixels[5]);
  assert.equal(colour.at([5n, 2n]), 17);
  const flat = ndrColour({ ...facts, step: [2], shape: [4, 6], flat: true }, Float32Array.from({ length: 12 }, (_, n) => n), one);
  assert.equal(flat.at([5n, 2n]), 8);
  const flatPixels = new Uint32Array(600);
  ndrPaintColour(flatPixels, flat, one, under, 0n, { none: 1, bad: 2 });
  assert.equal(flatPixels[0], flatPixels[9]);
  assert.notEqual(flatPixels[9], flatPixels[10]);
});

test("codes of a saved colour tell infinite values and NaN", () => {
  const one = range([4], [4]);
  const colour = ndrColour({ name: "c", kind: "f", step: [1], shape: [4], method: "exact", low: 0, high: 1, flat: false, quantised: { low: 0, high: 1 } }, Uint8Array.from([0, 252, 253, 255]), one);
  assert.deepEqual([0n, 1n, 2n, 3n].map((n) => colour.at([n])), [0, 1, -Infinity, NaN]);
  assert.equal(colour.exact, false);
});

test("words: conclusions and all kinds of ids", () => {
  const one = range([603, 515], [16, 16], { offset: [100, 40] });
  assert.deepEqual(ndrConclusion(one).slice(1), ["16 × 16 groups", "38 × 33 = 1\u202f254 groups", "remainder 11 columns and 3 rows", "from global id (100, 40)"]);
  assert.deepEqual(ndrConclusion(range([1000], [64], { padded: [1024] })).at(-1), "24 padding items");
  const rows = ndrIdRows(one, ndrItem(one, [600n, 514n]));
  assert.deepEqual(rows.at(-1), ["size of its group", "11", "3", "33"]);
  const driver = range([64], null);
  assert.equal(ndrIdRows(driver, ndrItem(driver, [9n])).length, 1);
  const more = ndrMore(one, ndrItem(one, [18n, 2n]), { arrays: [], subGroup: { size: 32 }, colours: [] });
  assert.deepEqual(more.at(-1), ["sub-group", "1 of its group, item 2 of 32"]);
});

test("layers that are shown are the ends and those around the chosen one", () => {
  assert.deepEqual(ndrShown(3n, 1n, 8), [0n, 1n, 2n]);
  assert.deepEqual(ndrShown(100n, 50n, 4), [0n, 49n, 50n, 99n]);
  assert.equal(ndrShown(10n ** 15n, 7n, 8).length, 8);
});

test("a value that stands for several elements says so, and is not said to be the element's own", () => {
  const colour = { at: () => 112.5, exact: false, kind: "f", name: "dst" };
  assert.equal(ndrValue({ ...colour, step: [3, 3], method: "sample" }, []), "one of 3 × 3 here ≈ 112.5000");
  assert.equal(ndrValue({ ...colour, step: [4, 4], method: "mean" }, []), "mean of 4 × 4 here ≈ 112.5000");
  assert.equal(ndrValue({ ...colour, step: [1, 1], method: "exact" }, []), "≈ 112.5000");
  assert.equal(ndrValue({ ...colour, exact: true, step: [1, 1], method: "exact" }, []), "112.5000");
});
