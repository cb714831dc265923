// What a kernel says, read without trust, and numbers as people read them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted, duration, memory, readFacts } from '../lib/facts.js';

test('facts of a kernel are read, and what is missing or of a wrong type is empty', () => {
  const facts = readFacts(JSON.stringify({
    version: 1, searched: true, devices: [{ id: '0:0', name: 'PoCL cpu', units: '4', chosen: true }, null, 7],
    programs: [{ source: 'cell [2]', kernels: [{ name: 'f', variables: ['f', 1] }] }], arrays: {}, runs: [{ id: 'r', global: [640, 'x'] }]
  }));
  assert.deepEqual(facts.devices.map(one => [one.id, one.units, one.chosen]), [['0:0', 0, true]]);
  assert.deepEqual(facts.programs[0].kernels, [{ name: 'f', variables: ['f'] }]);
  assert.deepEqual(facts.arrays, []);
  assert.deepEqual(facts.runs[0].global, [640]);
});

test('an answer that is no facts, or of another version, is one sentence', () => {
  assert.match(readFacts('<b>'), /no facts/);
  for (const answer of ['null', '7', '[]', '{}', '{"version": 2}']) {
    assert.match(readFacts(answer), /another version/, answer);
  }
});

test('numbers', () => {
  assert.equal(counted(307200), '307\u202f200');
  assert.deepEqual([0, 640, 28900, 1_240_000, 2e9].map(duration), ['', '640\u202fns', '28.9\u202fµs', '1.24\u202fms', '2.00\u202fs']);
  assert.deepEqual([20, 4000, 1228800, 8952508416].map(memory), ['20\u202fB', '3.91\u202fKiB', '1.17\u202fMiB', '8.34\u202fGiB']);
});
