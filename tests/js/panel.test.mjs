// The panel's fields: numbers to text and back, ends of a slider that hold what was typed.

import assert from "node:assert/strict";
import { test } from "node:test";

import { panelEnds, panelNumber, panelRead } from "../../cl_magic/widgets/js/panel_fields.js";

test("a number has the digits of its step, and all it needs", () => {
  assert.equal(panelNumber(0.5, 0.01), "0.50");
  assert.equal(panelNumber(-0.7454, 0.01), "−0.7454");
  assert.equal(panelNumber(300, 1), "300");
  assert.equal(panelNumber(4, 0.1), "4.0");
  assert.equal(panelNumber(1e-9, 0), "1e−9");
  assert.equal(panelNumber("float", 1), "float");
  assert.equal(panelNumber(undefined, 1), "");
});

test("a field is read as it is shown", () => {
  for (const value of [0, 1, -1, 0.5, -0.7454, 300, 1e-9, 123456]) assert.equal(panelRead(panelNumber(value, 0.01), false), value);
  assert.equal(panelRead("1 024", true), 1024);
  assert.equal(panelRead("1.5", true), null);
  for (const text of ["", "x", "1,5", "0x10", "--1", "1e999", "Infinity", "NaN"]) assert.equal(panelRead(text, false), null, text);
});

test("a slider's ends hold what was typed beyond them", () => {
  assert.deepEqual(panelEnds({ low: 0, high: 1 }, 5), [0, 5]);
  assert.deepEqual(panelEnds({ low: 0, high: 1 }, -2), [-2, 1]);
  assert.deepEqual(panelEnds({ low: 0, high: 1 }, "x"), [0, 1]);
});
