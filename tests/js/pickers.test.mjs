import assert from "node:assert/strict";
import test from "node:test";

import { headWords, rowMatches } from "../../cl_magic/widgets/js/device_picker.js";
import { legalStep, nextMultiple, stepOf, stepWords } from "../../cl_magic/widgets/js/ndrange_fields.js";
import { layoutAxis, layoutFields, layoutRoom, layoutSentence } from "../../cl_magic/widgets/js/ndrange_layout.js";
import { previewPlan, withDimensions } from "../../cl_magic/widgets/js/ndrange_picker.js";

test("a filter asks for all its words", () => {
  const row = { search: "0:0 pocl cpu fp64 images 4096 4\u202f096" };
  assert.ok(rowMatches(row, ""));
  assert.ok(rowMatches(row, "PoCL, fp64"));
  assert.ok(rowMatches(row, "4096"));
  assert.ok(!rowMatches(row, "pocl fp16"));
});

test("the head tells what is hidden, chosen and shared", () => {
  const picture = { head: ["2 devices", "on 1 platform"], shared: ["fp64"], troubles: [{}], rows: [{ id: "0:0", name: "PoCL cpu" }, { id: "0:1", name: "b" }] };
  assert.deepEqual(headWords(picture, 1, "0:0"), ["2 devices on 1 platform", "all have fp64", "1 driver in trouble", "1 of 2 shown", "chosen: PoCL cpu"]);
  assert.equal(headWords({ ...picture, troubles: [{}, {}] }, 2, "").at(-1), "none chosen");
});

const STEPS = [[1, true, false, true], [8, false, true, true], [25, true, false, true], [50, true, false, false]];

test("a slider stops at what can be launched", () => {
  assert.equal(legalStep(STEPS, 3), 2);
  assert.equal(legalStep(STEPS, 1), 1);
  assert.equal(legalStep([[1, true, false, false], [2, true, false, true]], 0), 1);
  assert.equal(stepOf(STEPS, 8), 1);
  assert.equal(stepOf(STEPS, 9), 2);
  assert.equal(stepOf(STEPS, 999), 3);
  assert.equal(stepWords(STEPS[1]), "8, leaves a remainder, a preferred multiple");
  assert.equal(stepWords(STEPS[3]), "50, over a limit");
});

test("arrow keys go to multiples, without a loss over 2^53", () => {
  assert.equal(nextMultiple("600", 16, 1, 1), "608");
  assert.equal(nextMultiple("600", 16, -1, 1), "592");
  assert.equal(nextMultiple("592", 16, -1, 1), "576");
  assert.equal(nextMultiple("9007199254740993", 1, 1, 1), "9007199254740994");
  assert.equal(nextMultiple("3", 16, -1, 1), "1");
  assert.equal(nextMultiple("0", 16, -1, 0), "0");
  assert.equal(nextMultiple("1\u202f000", 500, 1, 1), "1500");
  assert.equal(nextMultiple("abc", 16, 1, 1), "abc");
});

test("whole groups are to scale, a thin remainder is drawn wider and said so", () => {
  const axis = layoutAxis(600, 16, 600, 176);
  assert.deepEqual([axis.whole, axis.rest, axis.groups, axis.strip, axis.enlarged], [37, 8, 38, 6, true]);
  assert.equal(axis.main + axis.strip, 176);
  const even = layoutAxis(512, 16, 512, 160);
  assert.deepEqual([even.strip, even.stride, layoutFields(even).length], [0, 1, 32]);
  const padded = layoutAxis(600, 256, 768, 192);
  assert.deepEqual([padded.padding, padded.strip, padded.groups], [168, 42, 3]);
});

test("ranges of any size give few fields that cover the whole part", () => {
  for (const [size, local] of [[1, 1], [7, 8], [1e6, 1], [2 ** 60, 64], [4096, 4096], [7919, 256], [3, 2]]) {
    const axis = layoutAxis(size, local, size, 300);
    const fields = layoutFields(axis);
    assert.ok(fields.length <= 65, `${size} ${local}: ${fields.length}`);
    const covered = fields.reduce((sum, [, length]) => sum + length, 0);
    assert.ok(Math.abs(covered - axis.main) < 0.02, `${size} ${local}`);
    assert.ok(axis.strip >= 0 && axis.strip <= 300);
  }
});

test("a very long range keeps a side that is seen", () => {
  assert.deepEqual(layoutRoom([600, 512], [300, 160]).map(Math.round), [188, 160]);
  assert.deepEqual(layoutRoom([1e9, 1], [300, 160]), [300, 16]);
});

test("the picture is told in a sentence", () => {
  const plan = { global: [600, 512], offset: [0, 8], local: [16, 16], groups: [38, 32], padded: null, launches: 2 };
  assert.equal(layoutSentence(plan), "NDRange: 600 by 512 work-items, in 38 by 32 work-groups of 16 by 16, from global id 0, 8, in 2 launches.");
});

test("dimensions that come back bring their sizes", () => {
  const wish = { global: ["600", "512"], local: null, offset: ["0", "0"] };
  const one = withDimensions(wish, 1, {});
  assert.deepEqual(one, { global: ["600"], local: null, offset: ["0"] });
  assert.deepEqual(withDimensions(one, 3, { global: ["600", "512"] }).global, ["600", "512", "1"]);
});

test("the layout of a slider's step is known before the plan is", () => {
  const plan = { global: [600, 512], offset: [0, 0], local: [16, 16], groups: [38, 32], padded: null, launches: 2 };
  const wish = { global: ["600", "512"], local: ["24", "16"], offset: ["0", "0"] };
  assert.deepEqual(previewPlan({ plan, fault: null }, wish).groups, [25, 32]);
  assert.equal(previewPlan({ plan, fault: {} }, wish), null);
  assert.equal(previewPlan({ plan, fault: null }, { ...wish, global: ["601", "512"] }), null);
  assert.equal(previewPlan({ plan, fault: null }, { ...wish, local: null }), null);
  assert.equal(previewPlan({ plan, fault: null }, { ...wish, local: ["0", "16"] }), null);
  assert.equal(previewPlan({ plan: null, fault: null }, wish), null);
});
