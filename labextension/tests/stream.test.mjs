// What is coloured how: the parser's tokens, without a browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight';
import { cellLanguage, fileLanguage, isBuiltin } from '../lib/stream.js';
import { headerName, isOpenCL, magicLine } from '../lib/magic.js';

const NAMES = tagHighlighter([
  { tag: tags.meta, class: 'magic' },
  { tag: tags.keyword, class: 'keyword' },
  { tag: tags.typeName, class: 'type' },
  { tag: tags.standard(tags.variableName), class: 'builtin' },
  { tag: tags.function(tags.variableName), class: 'call' },
  { tag: tags.special(tags.variableName), class: 'python' },
  { tag: tags.attributeName, class: 'flag' },
  { tag: tags.labelName, class: 'option' },
  { tag: tags.invalid, class: 'unknown' },
  { tag: tags.string, class: 'string' },
  { tag: tags.number, class: 'number' },
  { tag: tags.comment, class: 'comment' },
  { tag: tags.atom, class: 'atom' }
]);

function tokens(source, language = cellLanguage) {
  const found = [];
  highlightTree(language.parser.parse(source), NAMES, (from, to, name) => found.push(`${name}:${source.slice(from, to)}`));
  return found;
}

test('a cell is one of OpenCL C where its first line that is not blank is the magic line', () => {
  for (const source of ['%%opencl', '%%opencl -DN=4\nint x;', '\n \n  %%opencl --quiet\n', '\t%%opencl\n']) {
    assert.ok(isOpenCL(source), source);
  }
  for (const source of ['', '\n\n', '%opencl devices', '# %%opencl', 'x = 1\n%%opencl', '%%openclx', '%%opencl-x', '%%opencl.y']) {
    assert.ok(!isOpenCL(source), source);
  }
  assert.deepEqual(magicLine('\n  %%opencl -w\nint x;'), { index: 1, from: 1, to: 14, text: '  %%opencl -w' });
});

test('a header cell tells its name', () => {
  assert.equal(headerName('%%opencl --header=common.h\n'), 'common.h');
  assert.equal(headerName("\n%%opencl --header 'my defs.h' --quiet"), 'my defs.h');
  assert.equal(headerName('%%opencl\n// --header=no.h'), '');
});

test('the magic line has its own colours, and C begins below it', () => {
  const found = tokens("\n  %%opencl --global=$w,64 --locl=8 -DN=4 -cl-mad-enable\nint x = 4; // four");
  assert.deepEqual(found, [
    'magic:%%opencl', 'flag:--global', 'string:=', 'python:$w', 'string:,64', 'unknown:--locl', 'string:=8',
    'option:-D', 'string:N=4', 'option:-cl-mad-enable', 'type:int', 'number:4', 'comment:// four'
  ]);
});

test('ranges of --interact are values, none an unknown word', () => {
  const found = tokens('%%opencl --interact n=1:8 tile=8:64:x2 gain=-1.0:2.0 --quiet\n');
  const parts = ['magic:%%opencl', 'flag:--interact', 'string:n=1:8', 'string:tile=8:64:x2', 'string:gain=-1.0:2.0', 'flag:--quiet'];
  assert.deepEqual(found, parts);
});

test('words of OpenCL C', () => {
  const found = tokens('kernel void f(__global float4 *x) { x[get_global_id(0)] = own(convert_float4_rte(x[0]), M_PI_F); }', fileLanguage);
  for (const one of ['keyword:kernel', 'type:void', 'keyword:__global', 'type:float4', 'builtin:get_global_id', 'call:own', 'builtin:convert_float4_rte', 'atom:M_PI_F']) {
    assert.ok(found.includes(one), `${one} in ${found}`);
  }
});

test('a name that OpenCL C does not define is no built-in', () => {
  for (const name of ['get_global_id', 'vload_half4', 'as_uint2', 'convert_uchar4_sat_rtz', 'atomic_fetch_add_explicit', 'work_group_scan_inclusive_add', 'native_sin']) {
    assert.ok(isBuiltin(name), name);
  }
  for (const name of ['get_globl_id', 'convert_int5', 'as_foo', 'toString', 'constructor', '__proto__', 'hasOwnProperty']) {
    assert.ok(!isBuiltin(name), name);
  }
});

test('the file of an include is one string, and comments span lines', () => {
  assert.deepEqual(tokens('#include <common.h>\n/* a\nb */ int', fileLanguage), ['magic:#include', 'string:<common.h>', 'comment:/* a', 'comment:b */', 'type:int']);
});

test('lines of a million characters and 2 MB of text are coloured in bounded time', () => {
  const start = performance.now();
  tokens(`%%opencl\n${'x+'.repeat(500_000)}`);
  tokens(`%%opencl ${'--global='.repeat(10_000)}\n`);
  tokens(`%%opencl\n${'x[i] = a * y[i] + 1.0f;\n'.repeat(83_000)}`);
  assert.ok(performance.now() - start < 20_000, `${performance.now() - start} ms`);
});
