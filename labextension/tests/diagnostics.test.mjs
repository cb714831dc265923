// Payloads of builds, whoever wrote them, and the places of their messages in a text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EditorState, Text } from '@codemirror/state';
import { headerText, inCell, indexOfColumn, isCurrent, placeOf, placeOfFix, readReport } from '../lib/diagnostics.js';
import { parsePosition } from '../lib/jump.js';

const doc = text => Text.of(text.split('\n'));
const at = (text, one) => {
  const place = placeOf(doc(text), { column: 0, endColumn: 0, ...one });
  return place && text.slice(place.from, place.to);
};

test('a mark covers its range, a word, or the line', () => {
  assert.equal(at('%%opencl\n  int value = 1;', { line: 2, column: 7 }), 'value');
  assert.equal(at('%%opencl\n  int value = 1;', { line: 2, column: 3, endColumn: 6 }), 'int');
  assert.equal(at('%%opencl\n  int value = 1;', { line: 2 }), 'int value = 1;');
  assert.equal(at('a\nb', { line: 3, column: 1 }), null);
  assert.equal(at('ab', { line: 1, column: 99 }), '');
});

test('columns count characters, not UTF-16 units', () => {
  assert.equal(indexOfColumn('/*🙂*/ x', 7), 7);
  assert.equal(at('/*🙂*/ x', { line: 1, column: 7 }), 'x');
  assert.deepEqual(placeOfFix(doc('é🙂x'), { line: 1, column: 3, endColumn: 4, text: 'y' }), { from: 3, to: 4 });
});

test('a report is current while the editor shows what was built', () => {
  assert.ok(isCurrent('a\nb', doc('a\nb')));
  assert.ok(!isCurrent('a\nb', doc('a\nc')));
  assert.ok(!isCurrent('', doc('')));
});

test('a payload of another version, or a damaged one, is no report', () => {
  for (const payload of [null, 7, 'x', [], {}, { version: 1 }, { version: 2, diagnostics: [] }, { version: '1', diagnostics: [] }, { version: 1, diagnostics: {} }]) {
    assert.equal(readReport(payload), null);
  }
});

test('damaged messages are left out, and what is left is bounded', () => {
  const hostile = {
    version: 1,
    source: 7,
    headers: { 'a.h': 1, 'b.h': 'text' },
    diagnostics: [
      null, 7, { message: 1 }, { message: 'x'.repeat(1e6), line: -1, column: 1e99, severity: '<img>' },
      { message: 'ok', line: 2, column: NaN, notes: [{ message: 'n', notes: [{ message: 'deep' }] }], fixits: [{}, { line: 1, column: 1, text: 'y' }] },
      ...Array.from({ length: 5000 }, () => ({ message: 'm', line: 1, column: 1 }))
    ]
  };
  const report = readReport(hostile);
  assert.equal(report.source, '');
  assert.deepEqual([...report.headers], [['b.h', 'text']]);
  assert.ok(report.diagnostics.length <= 500);
  assert.equal(report.diagnostics[0].message.length, 2000);
  assert.deepEqual([report.diagnostics[0].line, report.diagnostics[0].column, report.diagnostics[0].severity], [0, 0, 'error']);
  assert.deepEqual(report.diagnostics[1].notes[0].notes, []);
  assert.equal(report.diagnostics[1].fixits.length, 1);
});

test('positions of a report are read, other text is not', () => {
  assert.deepEqual(parsePosition('12:17'), { file: '', line: 12, column: 17 });
  assert.deepEqual(parsePosition('12'), { file: '', line: 12, column: 1 });
  assert.deepEqual(parsePosition('common.h:3:5'), { file: 'common.h', line: 3, column: 5 });
  for (const words of ['', 'built-in', 'common.h', '1:2:3:4', '99999999999:1']) {
    assert.equal(parsePosition(words), null, words);
  }
});

test('a header cell hands on its text with the lines above it blank', () => {
  assert.equal(headerText('\n%%opencl --header=a.h\nint x;', 1), '\n\nint x;');
  assert.ok(EditorState);
});

test('a fix-it that is too long to show is none: cut it would be other code', () => {
  const fixit = text => ({ line: 1, column: 1, text });
  const payload = { version: 1, source: 'a', diagnostics: [{ message: 'm', line: 1, fixits: [fixit('y'.repeat(2001)), fixit('z')] }] };
  assert.deepEqual(readReport(payload).diagnostics[0].fixits.map(fix => fix.text), ['z']);
});

test('what is wrong in a header is marked where the cell includes it, once for each header', () => {
  const source = '%%opencl\n#include "common.h"\nint x;';
  const note = { message: 'included from here', line: 2, column: 10 };
  const diagnostics = [
    { message: 'a', file: 'common.h', line: 4, column: 2, notes: [note], fixits: [{ line: 4, column: 2, text: 'z' }] },
    { message: 'b', file: 'common.h', line: 5, column: 2, notes: [note] },
    { message: 'c', file: 'common.h', line: 5, column: 2, notes: [{ ...note, line: 3 }] },
    { message: 'd', line: 3, column: 5 }
  ];
  const found = inCell(readReport({ version: 1, source, diagnostics }), doc(source));
  assert.deepEqual(found.map(one => [one.message, at(source, one), one.fixits.length]), [['common.h:4:2: a', 'common.h', 0], ['d', 'x', 0]]);
});
