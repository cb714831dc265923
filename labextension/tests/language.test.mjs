// The language service without a kernel: places, the table, own names, vectors, questions as literals.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { expressionOf } from '../lib/language/asking.js';
import { documentationOf, joined, knownHere, readFound } from '../lib/language/offers.js';
import { ofOption, readExplanation, targetAt } from '../lib/language/explaining.js';
import { ownNames, swizzles, vectorBefore } from '../lib/language/own.js';
import { characters, isNoCode, placeAt, units, wordAt } from '../lib/language/place.js';
import { fact, names } from '../lib/language/table.js';

const end = text => placeAt(text, text.length);

test('a place is a name, a member, a header, a directive, or none', () => {
  assert.deepEqual(end('  get_gl'), { kind: 'name', start: 2, word: 'get_gl' });
  assert.deepEqual(end('v.xy'), { kind: 'member', start: 2, word: 'xy' });
  assert.equal(end('p[i].').kind, 'member');
  assert.equal(end('p->').kind, 'member');
  assert.deepEqual(end('#include "co'), { kind: 'include', start: 10, word: 'co' });
  assert.equal(end('# def').kind, 'directive');
  for (const text of ['// get_gl', '/* get_gl', 'printf("get_gl', 'x = 1.5f', "c = 'a"]) {
    assert.equal(end(text).kind, 'none', text);
  }
  for (const text of ['/* a */ get', '// a\nget', 'printf("a"); get']) {
    assert.equal(end(text).kind, 'name', text);
  }
});

test('comments and literals are no code', () => {
  assert.ok(isNoCode('a /* b */ c', 5));
  assert.ok(!isNoCode('a /* b */ c', 10));
  assert.ok(!isNoCode('x', 0));
});

test('a word is found from any of its letters', () => {
  for (const offset of [4, 6, 9]) {
    assert.deepEqual(wordAt('int value;', offset), { word: 'value', start: 4 });
  }
  assert.equal(wordAt('a + 12', 5), null);
  assert.deepEqual(wordAt('x\n#pragma unroll', 5), { word: '#pragma', start: 2 });
});

test('offsets are told in characters', () => {
  assert.equal(characters('é🙂x', 3), 2);
  assert.equal(units('é🙂x', 2), 3);
});

test('the table is the one that the kernel has, byte for byte', () => {
  const [own, kernels] = ['../src/language/facts.json', '../../cl_magic/language/facts.json'];
  const read = path => readFileSync(new URL(path, import.meta.url), 'utf8');
  assert.equal(read(own), read(kernels));
});

test('names of rules are in the table too', () => {
  assert.equal(fact('convert_uchar4_sat').signature, 'uchar4 convert_uchar4_sat(gentype4 x)');
  assert.deepEqual(fact('float3').rows, [['size', '16 bytes, aligned to 16'], ['NumPy', 'float32 (3,) or (4,)']]);
  assert.equal(fact('barrier').clause, 'OpenCL C 1.2, 6.12.8: synchronization');
  assert.equal(fact('-D').clause, 'OpenCL 1.2, 5.6.4.1: preprocessor options');
  for (const name of ['constructor', 'toString', '__proto__', 'float5', 'convert_float5', '']) {
    assert.equal(fact(name), null, name);
  }
  assert.ok(names().every(name => fact(name) !== null));
});

test('names of the cell are offered, those of the language and in comments are not', () => {
  const text = 'float twice(float a) { return a; } // total\nint total2 = 1; #define';
  assert.deepEqual(ownNames(text, 't', -1).map(item => [item.label, item.kind]), [['twice', 'function'], ['total2', 'variable']]);
  assert.equal(ownNames('#define SQ(x) x\nS', 'S', -1)[0].kind, 'macro');
});

test('the vector before a dot is known from its declaration', () => {
  assert.equal(vectorBefore('float4 v; v', 11), 'float4');
  assert.equal(vectorBefore('global uchar4 *img; img[3]', 26), 'uchar4');
  assert.equal(vectorBefore('global float4 *p; p', 19), '');
  assert.equal(vectorBefore('int4 a, b; b', 12), 'int4');
  assert.equal(vectorBefore('float v; v', 10), '');
});

test('components', () => {
  assert.deepEqual(swizzles('float2', '').map(item => item.label), ['x', 'y', 'xy', 's0', 's1', 'lo', 'hi', 'even', 'odd']);
  assert.deepEqual(swizzles('int4', 'xy').map(item => item.label), ['xy', 'xyx', 'xyy', 'xyz', 'xyw', 'xyzw']);
  assert.equal(swizzles('float3', 'lo')[0].signature, 'float2');
  assert.deepEqual(swizzles('float', ''), []);
});

test('a line has flags and options, a body names', () => {
  const labels = (source, offset = source.length) => knownHere(source, offset).items.map(item => item.label);
  assert.deepEqual(labels('%%opencl --qui'), ['--quiet']);
  assert.ok(labels('%%opencl -cl-').includes('-cl-mad-enable'));
  assert.deepEqual(labels('%%opencl\nfloat4 v; v.xyz'), ['xyz', 'xyzx', 'xyzy', 'xyzz', 'xyzw']);
  assert.deepEqual(labels('%%opencl\nget_global_s'), ['get_global_size']);
  assert.deepEqual(labels('print(1)\nget_global_s'), []);
});

test('the kernel knows more of a name than the text', () => {
  const here = { start: 3, items: [{ label: 'a', kind: 'variable', signature: '' }, { label: 'abs', kind: 'function', signature: '' }] };
  const asked = { start: 3, items: [{ label: 'a', kind: 'parameter', signature: 'float *' }] };
  assert.deepEqual(joined(here, asked).items.map(item => item.kind), ['parameter', 'function']);
  assert.equal(joined(here, null), here);
});

test('answers of the kernel are read without trust', () => {
  for (const answer of [null, {}, { start: 'x', items: [] }, { start: 1, items: 7 }]) {
    assert.equal(readFound(answer, 'abc'), null);
  }
  assert.deepEqual(readFound({ start: 2, items: [{ text: 'x' }, null, {}, { text: 7 }] }, '🙂ab').items.map(item => item.label), ['x']);
  assert.equal(readFound({ start: 2, items: [] }, '🙂ab').start, 3);
  assert.equal(readExplanation({ title: 7 }), null);
  assert.deepEqual(readExplanation({ title: 'a', rows: [['b', 3], 7] }).rows, [['b', '']]);
});

test('a question is a literal, whatever the cell holds', () => {
  const cell = '%%opencl\n"""\\\' + __import__("os").system("x") # é🙂\u2028\ud800';
  const expression = expressionOf('check', cell, 3);
  assert.match(expression, /^__import__\('cl_magic\.magics\.language_service', fromlist=\['answer'\]\)\.answer\("/);
  assert.ok(/^[\x20-\x7e]*$/.test(expression));
  const literal = expression.slice(expression.indexOf('.answer(') + 8, -1);
  assert.deepEqual(JSON.parse(JSON.parse(literal)), { ask: 'check', cell, offset: 3 });
});

test('a hover says what stands there: an option, a name of the language, or nothing yet', () => {
  const source = '%%opencl -DN=4 --quiet\nkernel void f() { barrier(1); } // barrier\nv.x';
  const at = text => targetAt(source, source.indexOf(text) + 1);
  assert.equal(at('-DN').found.title, '-D NAME=VALUE');
  assert.equal(at('--quiet').found.kind, 'flag');
  assert.equal(at('barrier(1').found.clause, 'OpenCL C 1.2, 6.12.8: synchronization');
  assert.equal(at(' barrier\n'), null);
  assert.equal(at('f()').found, null);
  assert.equal(ofOption('--none'), null);
});

test('what the list shows beside a name holds no markup of the name', () => {
  assert.ok(!documentationOf({ label: 'own', kind: 'variable', signature: '```<img src=x>' }).slice(5).startsWith('`'));
  assert.match(documentationOf({ label: 'min', kind: 'function', signature: fact('min').signature }), /^```c\n/);
});
