import assert from "node:assert/strict";
import test from "node:test";
import { deflateSync } from "node:zlib";

import { counted, decode, duration, element, fault, measured, rate, selectionOf, traffic } from "../../cl_magic/views/js/base.js";

const payload = (columns, version = 1) => ({ version, kind: "buffer", record: "r", head: {}, columns });

test("columns of both forms become typed arrays", async () => {
  const numbers = new Float32Array([1, 2.5, NaN]);
  const packed = deflateSync(Buffer.from(numbers.buffer)).toString("base64");
  const odd = new DataView(new Uint8Array([0, ...new Uint8Array(numbers.buffer)]).buffer, 1);
  const { columns, shapes } = await decode(payload({
    saved: { dtype: "<f4", shape: [3], deflate: packed },
    sent: { dtype: "<f4", shape: [1, 3], data: odd },
  }));
  assert.deepEqual([...columns.saved], [...numbers]);
  assert.deepEqual([...columns.sent], [...numbers]);
  assert.deepEqual(shapes.sent, [1, 3]);
});

test("a damaged column is refused by name", async () => {
  const bad = payload({ cells: { dtype: "<f4", shape: [4], data: new ArrayBuffer(4) } });
  await assert.rejects(decode(bad), /column cells does not hold \[4\] of <f4/);
  await assert.rejects(decode(payload({ cells: { dtype: "O", shape: [1], data: new ArrayBuffer(4) } })), /cells/);
});

test("what is no payload is said in a sentence", () => {
  assert.equal(fault(payload({})), "");
  for (const wrong of [null, 7, {}, { version: "<b>" }, payload({}, 2), payload({}, 0), { version: 1, kind: 3 }, { version: 1, kind: "run", head: null }]) {
    assert.match(fault(wrong), /^this /);
  }
  assert.match(fault(payload({}, 2)), /version 2.*update cl_magic/);
});

test("numbers read as in the reports", () => {
  assert.equal(counted(307200), "307\u202f200");
  assert.equal(counted(-1234567n), "−1\u202f234\u202f567");
  assert.equal(measured(1.2444), "1.24");
  assert.equal(measured(123456), "123\u202f000");
  assert.equal(measured(-0.001234), "−0.00123");
  assert.equal(duration(1240000), "1.24\u202fms");
  assert.equal(duration(0), "0\u202fns");
  assert.equal(traffic(1228800), "1.23\u202fMB");
  assert.equal(traffic(7), "7\u202fB");
  assert.equal(rate(2457600, 1240000), "1.98\u202fGB/s");
  assert.equal(element(0.19394), "0.1939");
  assert.equal(element(NaN), "NaN");
  assert.equal(element(-1), "−1");
});

test("views of one run share their selection, others do not", () => {
  const heard = [];
  const stop = selectionOf("a").listen((value, source) => heard.push([value.item, source]));
  selectionOf("a").set({ item: [1, 2] }, "ndrange");
  selectionOf("b").set({ item: [3] });
  stop();
  selectionOf("a").set({ item: [4] });
  assert.deepEqual(heard, [[[1, 2], "ndrange"]]);
  assert.notEqual(selectionOf(""), selectionOf(""));
});
