/** What a cell's text itself says without a kernel: its names, and the vector types of its variables. */

import { fact } from './table.js';

export interface Item {
  label: string;
  kind: string;
  signature: string;
}

const NOISE = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"?/g;
const WORDS = /[A-Za-z_]\w*/g;
const MOST = 2000;
const VECTOR = '(?:u?char|u?short|u?int|u?long|half|float|double)(?:2|3|4|8|16)';
const LETTERS = 'xyzw';

const withoutNoise = (text: string): string => text.replace(NOISE, noise => ' '.repeat(noise.length));

/** Names that a text uses and the language does not have, those that begin alike; the one at `except` is left out. */
export function ownNames(text: string, word: string, except: number): Item[] {
  const plain = withoutNoise(text);
  const found = new Map<string, Item>();
  for (const match of plain.matchAll(WORDS)) {
    const name = match[0];
    if (match.index === except || found.has(name) || !name.toLowerCase().startsWith(word.toLowerCase()) || fact(name)) {
      continue;
    }
    found.set(name, { label: name, kind: kindOf(plain, name, match.index), signature: '' });
    if (found.size === MOST) {
      break;
    }
  }
  return [...found.values()];
}

function kindOf(text: string, name: string, at: number): string {
  if (/#[ \t]*define[ \t]+$/.test(text.slice(Math.max(at - 40, 0), at))) {
    return 'macro';
  }
  if (/^\s*\(/.test(text.slice(at + name.length, at + name.length + 20))) {
    return 'function';
  }
  return 'variable';
}

/** Vector type of the expression that ends at an offset, where that is a name declared above, or an element of it. */
export function vectorBefore(text: string, offset: number): string {
  const plain = withoutNoise(text.slice(0, offset));
  const match = /([A-Za-z_]\w*)\s*(\[[^[\]]*\])?\s*$/.exec(plain);
  if (!match || /(?:\.|->)\s*$/.test(plain.slice(0, match.index))) {
    return '';
  }
  const [, name, index] = match;
  const declared = new RegExp(`\\b(${VECTOR})\\s*((?:\\*\\s*)?(?:const\\s+|restrict\\s+)*)(?:[A-Za-z_]\\w*[^;(){}]*,\\s*)?\\b${name}\\b(\\s*\\[)?`, 'g');
  const last = [...plain.slice(0, match.index).matchAll(declared)].at(-1);
  if (!last) {
    return '';
  }
  const isArray = last[2].includes('*') || last[3] !== undefined;
  return isArray === (index !== undefined) ? last[1] : '';
}

/** Components of a vector type that begin with a word. */
export function swizzles(vector: string, word: string): Item[] {
  const match = /^([a-z]+?)(2|3|4|8|16)$/.exec(vector);
  if (!match) {
    return [];
  }
  const width = Number(match[2]);
  const letters = LETTERS.slice(0, Math.min(width, 4));
  const isWord = word !== '' && [...word].every(letter => letters.includes(letter));
  const combined = isWord
    ? [word, ...[...letters].map(letter => word + letter), letters]
    : [...letters, ...[2, 3, 4].filter(count => count <= letters.length).map(count => letters.slice(0, count))];
  const numbered = [...'0123456789abcdef'.slice(0, width)].map(digit => `s${digit}`);
  const known = [...new Set([...combined, ...numbered, 'lo', 'hi', 'even', 'odd'])].filter(name => name.startsWith(word));
  return known.flatMap(label => {
    const count = /^(lo|hi|even|odd)$/.test(label) ? (width === 3 ? 4 : width) / 2 : label.startsWith('s') ? 1 : label.length;
    const isType = [1, 2, 3, 4, 8, 16].includes(count);
    return isType ? [{ label, kind: 'field', signature: count === 1 ? match[1] : match[1] + count }] : [];
  });
}
