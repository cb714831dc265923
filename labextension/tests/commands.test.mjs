// What commands write into cells.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { checkedLine } from '../lib/checks.js';
import { guide } from '../lib/guide.js';
import { readSettings, settings } from '../lib/settings.js';

const after = source => {
  const change = checkedLine(source);
  return change && source.slice(0, change.from) + change.text + source.slice(change.to);
};

test('running with checks puts the simulator on the magic line, once', () => {
  assert.equal(after('%%opencl\nint x;'), '%%opencl --device=oclgrind\nint x;');
  assert.equal(after('\n  %%opencl -DN=4  \nint x;'), '\n  %%opencl -DN=4 --device=oclgrind\nint x;');
  assert.equal(after("%%opencl --device 'my gpu' --quiet\n"), '%%opencl --device=oclgrind --quiet\n');
  assert.equal(after('%%opencl --device=oclgrind\n'), null);
  assert.equal(after('print(1)'), null);
});

test('the guide lists every flag', () => {
  const words = JSON.parse(readFileSync(new URL('../src/words.json', import.meta.url), 'utf8'));
  for (const flag of words.flags) {
    assert.ok(guide().includes(`\`${flag.name}`), flag.name);
  }
});

test('settings of a wrong type are the defaults', () => {
  readSettings({ marks: 'no', pictures: false, panelSeconds: -1 });
  assert.deepEqual(settings(), { marks: true, pictures: false, panelSeconds: 2, liveDiagnostics: true });
  readSettings({ panelSeconds: 5, liveDiagnostics: false });
  assert.deepEqual(settings(), { marks: true, pictures: true, panelSeconds: 5, liveDiagnostics: false });
});

test('every menu entry and shortcut names a command, and every setting has a default', () => {
  const read = name => JSON.parse(readFileSync(new URL(`../schema/${name}.json`, import.meta.url), 'utf8'));
  const source = ['commands', 'panel'].map(name => readFileSync(new URL(`../src/${name}.ts`, import.meta.url), 'utf8')).join('');
  const named = [...JSON.stringify(read('commands')).matchAll(/"command":"([^"]+)"/g)].map(found => found[1]);
  assert.ok(named.length > 8);
  for (const command of named) {
    assert.ok(source.includes(`'${command}'`), command);
  }
  for (const [name, property] of Object.entries(read('settings').properties)) {
    assert.deepEqual(settings()[name] !== undefined && property.default !== undefined, true, name);
  }
});
