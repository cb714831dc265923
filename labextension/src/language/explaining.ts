/** Explanations: what there is to say of a word, as elements and texts only, never markup. */

import { magicLine } from '../magic.js';
import { isNoCode, placeAt, wordAt } from './place.js';
import { FLAGS, fact } from './table.js';

export interface Explanation {
  title: string;
  kind: string;
  text: string;
  rows: [string, string][];
  clause: string;
}

const OPTION = /(?<!\S)--?[A-Za-z][\w-]*/g;
const MOST_TEXT = 2000;

/** What the table says of a word; null where it says nothing. */
export function ofLanguage(word: string): Explanation | null {
  const known = fact(word);
  return known && { title: known.signature, kind: known.kind, text: known.text, rows: known.rows, clause: known.clause };
}

/** What an option or flag of a magic line means. */
export function ofOption(name: string): Explanation | null {
  const flag = FLAGS.find(one => one[0] === name);
  if (flag) {
    return { title: flag[1] ? `${flag[0]}=${flag[1]}` : flag[0], kind: 'flag', text: `${flag[2]}.`, rows: [], clause: '' };
  }
  return ofLanguage(name) ?? (/^-[DI]/.test(name) ? ofLanguage(name.slice(0, 2)) : null);
}

const text = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MOST_TEXT) : '');

/** The kernel's explanation, read without trust. */
export function readExplanation(answer: Record<string, unknown> | null): Explanation | null {
  if (answer === null || typeof answer.title !== 'string') {
    return null;
  }
  const rows = Array.isArray(answer.rows) ? answer.rows.slice(0, 20) : [];
  return {
    title: text(answer.title),
    kind: text(answer.kind),
    text: text(answer.text),
    rows: rows.filter(Array.isArray).map(row => [text(row[0]), text(row[1])]),
    clause: text(answer.clause)
  };
}

function element(name: string, className: string, content: string): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = content;
  return made;
}

/** An explanation as elements. */
export function nodeOf(found: Explanation): HTMLElement {
  const node = document.createElement('div');
  node.className = 'cl-explanation';
  const head = document.createElement('div');
  head.append(element('code', 'cl-explanation-title', found.title), element('span', 'cl-dim', found.kind));
  node.append(head);
  if (found.text) {
    node.append(element('p', '', found.text));
  }
  if (found.rows.length) {
    const list = document.createElement('dl');
    for (const [name, value] of found.rows) {
      list.append(element('dt', 'cl-dim', name), element('dd', '', value));
    }
    node.append(list);
  }
  if (found.clause) {
    node.append(element('div', 'cl-dim cl-explanation-clause', found.clause));
  }
  return node;
}

interface Target {
  from: number;
  to: number;
  found: Explanation | null;
}

/** What stands at an offset, and what is known of it without a kernel; null where there is no word. */
export function targetAt(source: string, offset: number): Target | null {
  const line = magicLine(source);
  if (line === null || offset < line.from) {
    return null;
  }
  if (offset <= line.to) {
    const option = [...line.text.matchAll(OPTION)].find(match => {
      const from = line.from + match.index;
      return from <= offset && offset <= from + match[0].length;
    });
    return option
      ? { from: line.from + option.index, to: line.from + option.index + option[0].length, found: ofOption(option[0]) }
      : null;
  }
  const [body, at] = [source.slice(line.to + 1), offset - line.to - 1];
  const word = wordAt(body, at);
  if (word === null || isNoCode(body, word.start + 1)) {
    return null;
  }
  const from = line.to + 1 + word.start;
  const isMember = placeAt(body, word.start).kind === 'member';
  return { from, to: from + word.word.length, found: isMember ? null : ofLanguage(word.word) };
}
