import assert from "node:assert/strict";
import test from "node:test";

import { TL_WHOLE, TlAxis, tlMoment, tlNiceStep, tlPanned, tlTicks, tlZoomed } from "../../cl_magic/views/js/timeline_axis.js";
import { tlLayout, tlRowAt, tlScale } from "../../cl_magic/views/js/timeline_layout.js";
import { tlBelow, tlBusyUntil, TlModel, tlUpTo } from "../../cl_magic/views/js/timeline_model.js";
import { tlLabels } from "../../cl_magic/views/js/timeline_paint.js";
import { tlQuantiles, tlSelect } from "../../cl_magic/views/js/timeline_statistics.js";
import { tlCsv, tlFileName, tlTrace } from "../../cl_magic/views/js/timeline_export.js";

const CUT = { end_ns: 1000, cuts: [[100, 900, "idle"]], knots: [[0, 0], [100, 0.4], [900, 0.6], [1000, 1]] };
const RUN = { record: "r", label: 'a "k"', kernel: "k", device: "d", status: "complete", first: 0, commands: 4, end_ns: 1000, host: null, notes: [], clock: "", roles: ["main"] };

/** Commands of one run: `[kind, name, lane, start, duration, wait, bytes, run, flags]`. */
function model(commands, head = {}) {
  const column = (at) => Float64Array.from(commands, (command) => command[at]);
  const starts = column(3);
  const names = ["k", "x", "k,2"];
  return new TlModel({
    record: "r", kind: "timeline", shapes: {},
    head: { runs: [{ ...RUN, commands: commands.length }], lanes: [{ run: 0, queue: 0, name: "queue 0" }, { run: 0, queue: 1, name: "queue 1" }], names, kernels: [0, 2],
      kinds: ["kernel", "write", "read", "copy", "map", "unmap", "fill", "restore"], axes: { start: CUT }, commands: commands.length, arrows: "data", reduced: null, whole: null, ...head },
    columns: { kind: column(0), name: column(1), lane: column(2), start_step: starts.map((at, i) => at - (starts[i - 1] ?? 0)), duration: column(4), wait: column(5),
      pending: column(5).fill(1), bytes: column(6), run: column(7), part: column(5).fill(0), flags: column(8) },
  });
}

const SOME = [[1, 1, 0, 10, 40, 5, 1000, 0, 0], [0, 0, 1, 60, 20, 5, 0, -1, 1], [0, 0, 1, 90, 0, 5, 0, 1, 0], [0, 2, 0, 70, 30, 5, 0, 1, 2]];

test("an axis with cuts leads to positions and back, to scale or not", () => {
  const axis = new TlAxis(CUT);
  for (const at of [0, 50, 100, 500, 900, 950, 1000]) assert.ok(Math.abs(axis.invert(axis.place(at)) - at) < 1e-6);
  assert.equal(axis.place(500), 0.5);
  assert.equal(new TlAxis(CUT, true).place(500), 0.5);
  assert.equal(new TlAxis(CUT, true).place(100), 0.1);
  assert.equal(new TlAxis({ end_ns: 0, cuts: [], knots: [[0, 0], [0, 1]] }).place(0), 0);
});

test("ticks are round, apart, in the view and in no cut", () => {
  const axis = new TlAxis(CUT);
  for (const view of [TL_WHOLE, { left: 0.05, right: 0.06 }, { left: 0.3, right: 0.7 }]) {
    const ticks = tlTicks(axis, view, 8);
    assert.ok(ticks.length <= 20);
    for (const { at, share } of ticks) {
      assert.ok(share >= view.left - 1e-9 && share <= view.right + 1e-9);
      assert.ok(at <= 100 || at >= 900);
    }
    assert.equal(new Set(ticks.map(({ text }) => text)).size, ticks.length);
  }
  assert.deepEqual([0.1, 3, 14, 206000].map(tlNiceStep), [1, 2, 10, 200000]);
});

test("zoom keeps what is under the pointer, and neither leaves the whole", () => {
  const axis = new TlAxis({ end_ns: 1e9, cuts: [], knots: [[0, 0], [1e9, 1]] });
  let view = TL_WHOLE;
  for (let i = 0; i < 200; i += 1) view = tlZoomed(axis, view, 1.6, 0.3);
  assert.ok(view.left < 0.3 && view.right > 0.3);
  assert.ok((view.right - view.left) * 1e9 > 9, "not below a few ns");
  assert.equal(tlZoomed(axis, { left: 0.2, right: 0.4 }, 2, 0.3).left, 0.25);
  assert.deepEqual(tlPanned({ left: 0.2, right: 0.4 }, 10), { left: 0.8, right: 1 });
  assert.equal(tlPanned({ left: 0.25, right: 0.5 }, -0.5).left, 0.125);
  for (let i = 0; i < 60; i += 1) view = tlZoomed(axis, view, 0.5, 0.3);
  assert.deepEqual(view, TL_WHOLE);
  assert.equal(tlMoment(axis, 2_004_000, { left: 0.001, right: 0.003 }), "2.004\u202fms");
});

test("halving finds what a scan finds", () => {
  const sorted = Float64Array.of(1, 1, 2, 5, 5, 5, 9);
  for (let value = 0; value <= 10; value += 0.5) {
    assert.equal(tlBelow(sorted, value), sorted.filter((one) => one < value).length);
    assert.equal(tlUpTo(sorted, value), sorted.filter((one) => one <= value).length);
  }
});

test("selection gives the k-th, whatever the values", () => {
  for (const values of [Float64Array.from({ length: 5000 }, (_, i) => (i * 7919) % 613), new Float64Array(2000).fill(4), Float64Array.of(3), Float64Array.from({ length: 3000 }, (_, i) => -i)]) {
    const sorted = values.slice().sort();
    for (const k of [0, values.length >> 1, values.length - 1]) assert.equal(tlSelect(values.slice(), k), sorted[k]);
    const { median, p95 } = tlQuantiles(values.slice());
    const middle = values.length >> 1;
    assert.equal(median, values.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2);
    assert.equal(p95, sorted[Math.ceil(values.length * 0.95) - 1]);
  }
});

test("lanes are in order of start, know when they were busy, and find what is near", () => {
  const made = model(SOME);
  assert.deepEqual([...made.lanes[0].order], [0, 3]);
  assert.equal(made.busy(made.lanes[0], 0, 80), 50);
  assert.equal(tlBusyUntil(made.lanes[1], 1000), 20);
  assert.equal(made.nearest(made.lanes[1], 90, 0), 2, "a command without length is found");
  assert.equal(made.nearest(made.lanes[0], 60, 5), null);
  assert.equal(made.nearest(made.lanes[0], 55, 6), 0);
  assert.equal(made.queued(0), 4);
  const overlapping = model([[0, 0, 0, 0, 100, 0, 0, 1, 0], [0, 0, 0, 50, 100, 0, 0, 1, 0]]);
  assert.equal(overlapping.busy(overlapping.lanes[0], 0, 1000), 150);
});

test("a search marks names whatever their case, and goes round", () => {
  const made = model(SOME);
  assert.equal(made.search(" K "), 3);
  assert.deepEqual([0, 1, 2, 3].map((id) => made.matches(id)), [false, true, true, true]);
  assert.equal(made.nextMatch(null, 1), 1);
  assert.equal(made.nextMatch(3, 1), 1);
  assert.equal(made.nextMatch(1, -1), 3);
  assert.equal(made.search("nothing"), 0);
  assert.equal(made.nextMatch(0, 1), null);
  assert.equal(made.search(""), 0);
  assert.ok(made.matches(0));
});

test("colours tell kinds apart, and bars say what fits", () => {
  const made = model(SOME);
  assert.deepEqual([...made.category], [4, 6, 0, 1]);
  assert.deepEqual(tlLabels(made, 0), ["↑ x 25.0\u202fGB/s", "↑ x", "↑"]);
  assert.deepEqual(tlLabels(made, 1), ["warm-up"]);
  assert.deepEqual(tlLabels(made, 3), ["k,2"]);
  assert.deepEqual(tlLabels(made, 2), ["run 1", "1"]);
});

test("pixels and times agree, and rows are found", () => {
  const made = model(SOME);
  const layout = tlLayout(made, 600);
  const scale = tlScale(layout, new TlAxis(CUT), TL_WHOLE);
  assert.ok(Math.abs(scale.at(scale.x(50)) - 50) < 1e-6);
  assert.equal(tlRowAt(layout, layout.rows[1].y + 3).lane.name, "queue 1");
  assert.equal(tlRowAt(layout, 0), null);
});

test("a CSV quotes, a trace is JSON, a file has a plain name", () => {
  const made = model(SOME);
  const csv = [...tlCsv(made)].join("").split("\r\n");
  assert.equal(csv.length, 6);
  assert.ok(csv[4].startsWith('kernel,"k,2",0,1,0,false,0,true,'));
  const trace = JSON.parse([...tlTrace(made, [0])].join(""));
  assert.deepEqual(trace.traceEvents.filter(({ ph }) => ph === "X").map(({ ts, dur }) => [ts, dur]), [[0.01, 0.04], [0.06, 0.02], [0.09, 0], [0.07, 0.03]]);
  assert.deepEqual(JSON.parse([...tlTrace(model([]), [0])].join("")).traceEvents.length, 3);
  assert.equal(tlFileName(made, "csv"), "a_k_.csv");
});

test("a damaged payload is refused before it is drawn", () => {
  assert.throws(() => model([[1, 7, 0, 10, 40, 5, 1000, 0, 0]]), /column name holds a code/);
  assert.throws(() => model([[1, 1, 2, 10, 40, 5, 1000, 0, 0]]), /column lane holds a code/);
  assert.throws(() => model(SOME, { lanes: [{ run: 3, queue: 0, name: "queue 0" }, { run: 0, queue: 1, name: "queue 1" }] }), /lane is of no run/);
  assert.throws(() => new TlModel({ head: {}, columns: {}, shapes: {} }), /column start_step is missing/);
});
