/** What completion offers: the language and the cell's own words, joined with what the kernel answers. No user interface. */

import { magicLine } from '../magic.js';
import { ofLanguage } from './explaining.js';
import { Item, ownNames, swizzles, vectorBefore } from './own.js';
import { Place, placeAt, units } from './place.js';
import { FLAGS, PLAIN_NAMES, fact, names } from './table.js';

const DIRECTIVES = 'define undef include if ifdef ifndef elif else endif error pragma line'.split(' ');

export interface Found {
  start: number;
  items: Item[];
}

const begins = (name: string, word: string): boolean => name.toLowerCase().startsWith(word.toLowerCase());

/** What may be typed without a kernel's help. */
export function knownHere(source: string, offset: number): Found {
  const line = magicLine(source);
  if (line === null || offset < line.from) {
    return { start: offset, items: [] };
  }
  if (offset <= line.to) {
    return flagsAt(source.slice(line.from, offset), offset);
  }
  const body = source.slice(line.to + 1);
  const place = placeAt(body, offset - line.to - 1);
  return { start: line.to + 1 + place.start, items: itemsAt(body, place) };
}

function flagsAt(before: string, offset: number): Found {
  const word = /(?<=\s)-[\w-]*$/.exec(before)?.[0];
  if (word === undefined) {
    return { start: offset, items: [] };
  }
  const flags = FLAGS.map(([name, value, meaning]) => ({ label: value ? `${name}=` : name, kind: 'flag', signature: meaning }));
  const options = names().filter(name => name.startsWith('-'));
  const all = [...flags, ...options.map(label => ({ label, kind: 'flag', signature: fact(label)?.text ?? '' }))];
  return { start: offset - word.length, items: all.filter(item => item.label.startsWith(word)) };
}

function itemsAt(body: string, place: Place): Item[] {
  if (place.kind === 'directive') {
    return DIRECTIVES.filter(name => begins(name, place.word)).map(label => ({ label, kind: 'keyword', signature: '' }));
  }
  if (place.kind === 'member') {
    const dot = body.slice(0, place.start).search(/(?:\.|->)[ \t]*$/);
    return swizzles(vectorBefore(body, dot), place.word);
  }
  if (place.kind !== 'name') {
    return [];
  }
  const language = (place.word ? names() : PLAIN_NAMES).filter(name => !/^[#-]/.test(name) && begins(name, place.word));
  return [
    ...ownNames(body, place.word, place.start),
    ...language.map(label => ({ label, kind: fact(label)!.kind, signature: fact(label)!.signature }))
  ];
}

const str = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 500) : '');

/** The kernel's completions, read without trust; offsets become UTF-16 units of the text. */
export function readFound(answer: Record<string, unknown> | null, source: string): Found | null {
  if (answer === null || !Array.isArray(answer.items) || !Number.isSafeInteger(answer.start)) {
    return null;
  }
  const items = answer.items.slice(0, 1000).map(one => ({ label: str(one?.text), kind: str(one?.kind), signature: str(one?.signature) }));
  return { start: units(source, answer.start as number), items: items.filter(item => item.label !== '') };
}

/** Both lists as one: the kernel knows more of a name than the cell's text does. */
export function joined(here: Found, asked: Found | null): Found {
  if (asked === null || asked.items.length === 0) {
    return here;
  }
  if (here.items.length === 0 || here.start !== asked.start) {
    return asked;
  }
  const seen = new Set(asked.items.map(item => item.label));
  return { start: here.start, items: [...asked.items, ...here.items.filter(item => !seen.has(item.label))] };
}

/** What the list shows beside a name, as Markdown, which JupyterLab cleans; a signature stands in a block of code. */
export function documentationOf(item: Item): string {
  const known = ofLanguage(item.label);
  const isKnown = known !== null && known.title === item.signature;
  if (item.kind === 'flag' || item.kind === 'verb' || item.kind === 'value') {
    return item.signature;
  }
  const code = item.signature ? `\`\`\`c\n${item.signature.replace(/`/g, "'")}\n\`\`\`` : '';
  return isKnown ? [code, plainMarkdown(known.text), plainMarkdown(known.clause)].join('\n\n') : code;
}

const plainMarkdown = (text: string): string => text.replace(/[\\`*_<>[\]|#~]/g, '\\$&');
