import assert from "node:assert/strict";
import test from "node:test";

import { bufHexLines, bufMemberText } from "../../cl_magic/views/js/buffer_bytes.js";
import { bufColour, bufPacked, bufPaint, bufParsed, bufTable } from "../../cl_magic/views/js/buffer_colour.js";
import { bufAxes, bufClamped, bufEnvelope, bufFit, bufPlane, bufSeeing, bufTicks, bufWindow, bufZoomed } from "../../cl_magic/views/js/buffer_geometry.js";
import { bufShort } from "../../cl_magic/views/js/buffer_marks.js";
import { BufModel } from "../../cl_magic/views/js/buffer_model.js";
import { bufReduction } from "../../cl_magic/views/js/buffer_numbers.js";
import { bufAllBytes, bufBytesOf } from "../../cl_magic/views/js/buffer_pages.js";
import { bufRegion, bufTilePicture } from "../../cl_magic/views/js/buffer_tiles.js";
import { bufCellOf, bufElementFor, bufElementOf, bufEnds, bufGroupOf, bufHalf, bufIndexWords, bufItemOf, bufLimit, bufLinear, bufPicture, bufScale, bufSpecials,
  bufUnravel, bufReduced } from "../../cl_magic/views/js/buffer_values.js";

const ARRAY = { name: "dst", label: "dst", shape: [4, 6], size: 24, code: "<f4", kind: "f", dtype: "float32", item_bytes: 4, element_type: "float", written: true,
  form: "plane", components: [], range: { low: 0, high: 23, gray: false }, statistics: { before: null, after: null, difference: null }, members: [], member_numbers: [],
  changed: 24, sampled: false, note: "", bytes_start: 0, pictures: {} };

function payload(cells, facts, array = {}) {
  const pictures = { after: { shape: ARRAY.shape, step: [1, 1], method: "exact", code: "<f4", quantised: null, ...facts } };
  return { head: { arrays: [{ ...ARRAY, pictures, ...array }], ndrange: { global_size: [6, 4], global_offset: [0, 0], local_size: [3, 2] } }, columns: { "0.after": cells } };
}

const opened = (data) => new BufModel(data, 0, null, { redraw() {}, selected() {}, tiles: null }, 1);

test("halves, codes and words of 64 bits are read as the numbers they are", () => {
  assert.equal(bufHalf(0x3c00), 1);
  assert.equal(bufHalf(0xc000), -2);
  assert.equal(bufHalf(1), 2 ** -24);
  assert.equal(bufHalf(0x7c00), Infinity);
  assert.ok(Number.isNaN(bufHalf(0x7e01)));
  const codes = bufPicture(payload(new Uint8Array([0, 252, 253, 254, 255, 126]), { shape: [1, 6], quantised: { low: -1, high: 1 } }), 0, "after");
  assert.deepEqual([0, 1, 2, 3, 4, 5].map(codes.read), [-1, 1, -Infinity, Infinity, NaN, 0]);
  const wide = opened(payload(new BigInt64Array([9223372036854775807n, -9223372036854775808n]), { shape: [1, 2], code: "<i8" }, { shape: [1, 2], kind: "i", code: "<i8", item_bytes: 8 }));
  assert.equal(wide.text("after", [0, 0]).replaceAll("\u202f", ""), "9223372036854775807");
  assert.equal(wide.text("after", [0, 1]).replaceAll("\u202f", ""), "−9223372036854775808");
});

test("K-09: an element and its work-item lead to each other, with offsets and flattened arrays", () => {
  const range = { global_size: [600, 512], global_offset: [10, 20], local_size: [16, 16] };
  const plane = { ...ARRAY, shape: [512, 600] };
  assert.deepEqual(bufItemOf(plane, range, [155, 341]), [351, 175]);
  assert.deepEqual(bufElementFor(plane, range, [351, 175, 0]), [155, 341]);
  assert.deepEqual(bufGroupOf(range, [351, 175]), { group: [21, 9], local: [5, 11] });
  assert.equal(bufElementFor(plane, range, [9, 175, 0]), null);
  const flat = { ...ARRAY, shape: [307200] };
  assert.deepEqual(bufItemOf(flat, range, [93341]), [351, 175]);
  assert.deepEqual(bufElementFor(flat, range, [351, 175, 0]), [93341]);
  const line = { global_size: [8], global_offset: [4], local_size: null };
  assert.equal(bufItemOf({ ...ARRAY, shape: [100] }, line, [3]), null);
  assert.deepEqual(bufItemOf({ ...ARRAY, shape: [100] }, line, [11]), [11]);
  assert.equal(bufItemOf({ ...ARRAY, shape: [3, 5] }, range, [0, 0]), null);
  const vectors = { ...ARRAY, shape: [100, 4], components: ["x", "y", "z", "w"] };
  assert.deepEqual(bufItemOf(vectors, { global_size: [100], global_offset: [0] }, [7]), [7]);
});

test("an element is told in all forms", () => {
  const words = Object.fromEntries(bufIndexWords({ ...ARRAY, shape: [512, 600] }, { global_size: [600, 512], global_offset: [0, 0], local_size: [16, 16] }, [155, 341]));
  assert.deepEqual(words, { element: "dst[155, 341]", "linear index": "93\u202f341", "byte offset": "373\u202f364", "work-item (x, y)": "(341, 155)", "group, local id": "(21, 9), (5, 11)" });
});

test("one value has an index without numbers", () => {
  const model = opened(payload(new Float32Array([2.5]), { shape: [1], step: [1] }, { shape: [], size: 1, form: "value" }));
  const words = Object.fromEntries(model.words([0]));
  assert.equal(words.element, "dst[()]");
  assert.equal(words.after, "2.5000");
  assert.equal(words["linear index"], "0");
});

test("indices survive flattening for every shape", () => {
  for (const shape of [[7], [3, 5], [2, 3, 4], [2, 1, 3, 2, 2]]) {
    const size = shape.reduce((product, n) => product * n, 1);
    for (let i = 0; i < size; i += 1) assert.equal(bufLinear(bufUnravel(i, shape), shape), i);
  }
});

test("cells of reduced pictures stand for their elements", () => {
  const line = { ...ARRAY, shape: [1000], components: [] };
  const range = { shape: [64], step: [16], strides: [1], method: "range", cells: new Float32Array(64) };
  assert.equal(bufCellOf(line, range, [77]), 4);
  assert.deepEqual(bufElementOf(line, range, 5), [64]);
  const image = { ...ARRAY, shape: [10, 11] };
  const mean = { shape: [4, 4], step: [3, 3], strides: [4, 1], method: "mean" };
  assert.equal(bufCellOf(image, mean, [9, 10]), 15);
  assert.deepEqual(bufElementOf(image, mean, 15), [9, 9]);
});

test("scales go from 0 to 1 and back, whatever the ends", () => {
  for (const [kind, low, high] of [["linear", -3, 9], ["linear", -1.7e308, 1.7e308], ["log", 0.001, 1000], ["symmetric", -1000, 10], ["linear", 5, 5], ["symmetric", 2, 2]]) {
    const scale = bufScale(kind, low, high);
    assert.equal(scale.share(scale.low), 0);
    assert.equal(scale.share(scale.high), 1);
    for (const share of [0.1, 0.5, 0.9]) assert.ok(Math.abs(scale.share(scale.value(share)) - share) < 1e-9, `${kind} ${low} ${high}`);
  }
  const log = bufScale("log", -5, 1000, 0.01);
  assert.equal(log.low, 0.01);
  assert.equal(log.share(-5), 0);
  assert.ok(log.cut);
  assert.equal(bufScale("log", -5, -1).kind, "linear");
});

test("pixels are the table's colours, and what is not finite is the error's", () => {
  const cells = new Float32Array([0, 1, 2, 3, NaN, Infinity]);
  const picture = bufPicture(payload(cells, { shape: [2, 3] }, { shape: [2, 3] }), 0, "after");
  const plane = { rows: 2, columns: 3, offset: 0, down: 3, right: 1 };
  const pixels = bufPaint(picture, plane, bufScale("linear", 0, 3), "cividis", bufPacked(bufParsed("#d32f2f")));
  assert.deepEqual([...pixels.slice(0, 4)], [0, 34, 78, 255]);
  assert.deepEqual([...pixels.slice(12, 16)], [254, 232, 56, 255]);
  assert.deepEqual([...pixels.slice(16, 20)], [211, 47, 47, 255]);
  assert.deepEqual([...pixels.slice(20, 24)], [211, 47, 47, 255]);
  assert.deepEqual(bufColour("signs", 0.5)[3], 0);
  assert.deepEqual(bufColour("gray", 1), [255, 255, 255, 255]);
  assert.equal(bufTable("cividis").length, 256);
  assert.deepEqual(bufParsed("rgb(1, 2, 3)"), [1, 2, 3, 255]);
});

test("quick codes and numbers give the same pixels", () => {
  const codes = new Uint8Array(252).map((_, i) => i);
  const quick = bufPicture(payload(codes, { shape: [1, 252], quantised: { low: -2, high: 8 } }), 0, "after");
  const slow = { ...quick, codes: 0 };
  const plane = { rows: 1, columns: 252, offset: 0, down: 0, right: 1 };
  assert.deepEqual(bufPaint(quick, plane, bufScale("linear", -2, 8), "cividis", 7), bufPaint(slow, plane, bufScale("linear", -2, 8), "cividis", 7));
});

test("planes of volumes are cut along the axis that is asked for", () => {
  const array = { ...ARRAY, shape: [3, 4, 5] };
  const picture = { shape: [3, 4, 5], step: [1, 1, 1], strides: [20, 5, 1] };
  assert.deepEqual(bufAxes(array, null), { row: 1, column: 2, fixed: [0] });
  assert.deepEqual(bufAxes(array, 1), { row: 0, column: 2, fixed: [1] });
  const plane = bufPlane(array, picture, { slice: 1, fixed: { 1: 2 } });
  assert.deepEqual([plane.rows, plane.columns, plane.offset, plane.down, plane.right], [3, 5, 10, 20, 1]);
  const vectors = { ...ARRAY, shape: [4, 5, 3], components: ["x", "y", "z"] };
  const part = bufPlane(vectors, { shape: [4, 5, 3], step: [1, 1, 1], strides: [15, 3, 1] }, { component: 2 });
  assert.deepEqual([part.rows, part.columns, part.offset, part.down, part.right, part.components], [4, 5, 2, 15, 3, 1]);
});

test("zooming keeps the point under the pointer, and never leaves the plane", () => {
  const plane = { width: 600, height: 512 };
  const size = bufFit(600, 512, 300, 420);
  assert.deepEqual(size, { width: 300, height: 256 });
  const view = bufZoomed({ x: 0, y: 0, zoom: 1 }, plane, 4, 300, 256);
  const seen = bufWindow(plane, size, view);
  assert.equal((300 - seen.left) * seen.across, 150);
  assert.equal((256 - seen.top) * seen.down, 128);
  assert.deepEqual(bufClamped({ x: -5, y: 900, zoom: 2 }, plane), { zoom: 2, x: 0, y: 256 });
  const moved = bufSeeing(view, plane, 511, 599);
  assert.equal(moved.x, 450);
  assert.ok(bufFit(2, 1000000, 300, 420).width >= 40);
});

test("an envelope keeps peaks and tells where values are not finite", () => {
  const cells = new Float32Array(1000);
  cells[501] = 9;
  cells[700] = NaN;
  const { low, high, bad } = bufEnvelope((i) => cells[i], 1000, 0, 1000, 100);
  assert.equal(high[50], 9);
  assert.equal(low[50], 0);
  assert.deepEqual([...bad.keys()].filter((i) => bad[i]), [70]);
  assert.deepEqual(bufTicks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
});

test("NaN, infinite and denormal elements are found where they are", () => {
  const cells = new Float32Array([1, NaN, 1e-40, -Infinity, 0, 2]);
  const model = opened(payload(cells, { shape: [2, 3] }, { shape: [2, 3] }));
  assert.deepEqual(bufSpecials(model.picture("after")), { NaN: [1], Inf: [3], denormal: [2] });
  assert.deepEqual(model.specials("after"), [[0, 1], [1, 0]]);
  assert.deepEqual([bufEnds(model.picture("after")).low, bufEnds(model.picture("after")).high], [0, 2]);
  const empty = bufPicture(payload(new Float32Array([NaN, NaN]), { shape: [1, 2] }), 0, "after");
  assert.deepEqual([bufEnds(empty).low, bufEnds(empty).high], [0, 0]);
});

test("a difference map ends at a round number above nearly all", () => {
  const cells = new Float32Array(1000).fill(0.04);
  cells[3] = -7;
  const picture = bufPicture(payload(cells, { shape: [1000] }), 0, "after");
  assert.deepEqual(bufLimit(picture, 7), { limit: 0.05, beyond: true });
});

test("bytes and records read as they lie in memory", () => {
  const bytes = new Uint8Array([1, 0, 0, 0, 0, 0, 128, 63, 0, 60]);
  assert.equal(bufMemberText(bytes, 0, { code: "<i4", offset: 0, shape: [] }), "1");
  assert.equal(bufMemberText(bytes, 0, { code: "<f4", offset: 4, shape: [1] }), "(1.0000)");
  assert.equal(bufMemberText(bytes, 0, { code: "<f2", offset: 8, shape: [] }), "1.0000");
  assert.equal(bufMemberText(new Uint8Array([0, 0, 0, 5]), 0, { code: "<i4", swapped: true, offset: 0, shape: [] }), "5");
  const [line] = bufHexLines({ start: 16, before: new Uint8Array([72, 105, 0]), after: new Uint8Array([72, 105, 10]) });
  assert.deepEqual(line, { offset: 16, hex: [{ text: "48", changed: false }, { text: "69", changed: false }, { text: "0a", changed: true }], letters: "Hi·" });
  const model = opened(payload(new Float32Array(24), {}));
  model.pictures.before = model.pictures.after;
  assert.equal(bufAllBytes(model).after.length, 96);
  assert.equal(bufBytesOf(model).start, 0);
});

test("the kernel is asked for whole elements of what is seen, and not for too many", () => {
  const model = opened(payload(new Float32Array(4), { shape: [2, 2], step: [2, 3], method: "mean" }));
  const plane = model.plane("after");
  const size = { width: 60, height: 40 };
  assert.deepEqual(bufRegion(model, plane, bufWindow(plane, size, { x: 2, y: 1, zoom: 2 })), { start: [1, 2], stop: [3, 5], left: 2, top: 1 });
  const large = opened(payload(new Float32Array(4), { shape: [2, 2], step: [2048, 2048], method: "mean" }, { shape: [4096, 4096] }));
  assert.equal(bufRegion(large, large.plane("after"), bufWindow(large.plane("after"), size, { x: 0, y: 0, zoom: 1 })), null);
  const tile = bufTilePicture(new Float32Array([1, 2, 3, 4]).buffer, "<f4", [2, 2]);
  assert.equal(tile.read(3), 4);
  assert.equal(bufTilePicture(new ArrayBuffer(3), "<f4", [2, 2]), null);
});

test("what was reduced is said", () => {
  assert.equal(bufReduction(ARRAY, { step: [1, 1], method: "exact", codes: 0 }), "");
  assert.match(bufReduction(ARRAY, { step: [3, 2], shape: [2, 3], method: "mean", codes: 253, low: 0, high: 1 }), /^Each cell is the mean of 2 × 3 elements\. Drawn in 253 steps/);
  assert.match(bufReduction(ARRAY, { step: [16], shape: [4], method: "range", codes: 0 }), /each 32 elements/);
  assert.equal(bufShort("−0.2367", -0.2367, 47), "−0.237");
  assert.equal(bufShort("123456.7891", 123456.7891, 47), "1.23e5");
});

test("a cell of several elements says so", () => {
  assert.equal(bufReduced({ method: "mean", step: [4, 4] }), "mean of 4 × 4 here ");
  assert.equal(bufReduced({ method: "sample", step: [7] }), "one of 7 here ");
  assert.equal(bufReduced({ method: "exact", step: [1, 1] }), "");
});
