// What devices said of their work-items, against the picture's arithmetic: `node ndrange_truth.mjs FILE`.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { ndrItem, ndrParse, ndrPlaceOf, ndrRange, ndrCount } from "../../cl_magic/views/js/ndrange_geometry.js";

const triple = (ids, filler) => [...ids, filler, filler].slice(0, 3).map(Number);
let items = 0;
const cases = readFileSync(process.argv[2], "utf8").trim().split("\n").map((line) => JSON.parse(line));
for (const { head, rows } of cases) {
  const range = ndrRange(head);
  assert.equal(Number(ndrCount(range.launched)), rows.length);
  const [width, height = 1] = range.launched.map(Number);
  rows.forEach((row, position) => {
    const place = [position % width, Math.floor(position / width) % height, Math.floor(position / width / height)].slice(0, range.dims).map(BigInt);
    const item = ndrItem(range, place);
    const found = [...triple(item.globalId, 0), ...triple(item.groupId, 0), ...triple(item.localId, 0), ...triple(item.localSize, 1), Number(item.globalLinear), Number(item.localLinear)];
    assert.deepEqual(found, row, `${JSON.stringify(head)} item ${position}`);
    assert.deepEqual(ndrPlaceOf(range, row.slice(0, range.dims)), place);
    assert.deepEqual(ndrParse(row.slice(0, range.dims).join(" "), range).place, place);
    const part = range.parts[item.part];
    assert.ok(item.globalId.every((id, axis) => id >= part.offset[axis] && id < part.offset[axis] + part.size[axis]));
    items += 1;
  });
}
process.stdout.write(JSON.stringify({ cases: cases.length, items }));
