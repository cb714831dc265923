/** Where a cursor stands in a text of OpenCL C; the same rules as the kernel's (cl_magic/language/place.py). */

export type PlaceKind = 'name' | 'member' | 'include' | 'directive' | 'none';

export interface Place {
  kind: PlaceKind;
  /** Offset at which the word before the cursor begins. */
  start: number;
  word: string;
}

const INCLUDE = /^[ \t]*#[ \t]*include\b[ \t]*["<]([^"<>]*)$/;
const DIRECTIVE = /^[ \t]*#[ \t]*(\w*)$/;
const MEMBER = /(?:[A-Za-z_]\w*|[\])])[ \t]*(?:\.|->)[ \t]*(\w*)$/;
const NUMBER = /(?<![\w.])\d[\w.]*$/;
const WORD = /\w*$/;
const NO_CODE = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$(?![\s\S]))|"(?:\\.|[^"\\\n])*(?:"|$)|'(?:\\.|[^'\\\n])*(?:'|$)/gm;

/** What stands before an offset of a text. */
export function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  for (const [kind, pattern] of [['include', INCLUDE], ['directive', DIRECTIVE]] as const) {
    const match = pattern.exec(line);
    if (match) {
      return { kind, start: offset - match[1].length, word: match[1] };
    }
  }
  if (isNoCode(text, offset) || NUMBER.test(line)) {
    return { kind: 'none', start: offset, word: '' };
  }
  const member = MEMBER.exec(line);
  const word = member ? member[1] : WORD.exec(line)![0];
  return { kind: member ? 'member' : 'name', start: offset - word.length, word };
}

/** Whether an offset lies in a comment or a literal. */
export function isNoCode(text: string, offset: number): boolean {
  NO_CODE.lastIndex = 0;
  for (let match = NO_CODE.exec(text); match && match.index < offset; match = NO_CODE.exec(text)) {
    const end = match.index + match[0].length;
    const isClosed = !match[0].startsWith('//') && end <= offset && closes(match[0]);
    if (offset <= end && !isClosed) {
      return true;
    }
    if (match[0] === '') {
      NO_CODE.lastIndex += 1;
    }
  }
  return false;
}

function closes(token: string): boolean {
  return token.startsWith('/*') ? token.endsWith('*/') && token.length > 3 : token.length > 1 && token.at(-1) === token[0];
}

/** The word at an offset, or right before it, and where it begins; null where there is none. */
export function wordAt(text: string, offset: number): { word: string; start: number } | null {
  let [start, end] = [offset, offset];
  while (start > 0 && /\w/.test(text[start - 1])) {
    start -= 1;
  }
  while (end < text.length && /\w/.test(text[end])) {
    end += 1;
  }
  const word = text.slice(start, end);
  if (word === '' || /^\d/.test(word)) {
    return null;
  }
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const lead = /^[ \t]*(#[ \t]*)$/.exec(line);
  return lead ? { word: `#${word}`, start: start - lead[1].length } : { word, start };
}

/** The offset in characters (code points) of an offset in UTF-16 units: what Python counts. */
export function characters(text: string, offset: number): number {
  let count = 0;
  for (let index = 0; index < offset; index += text.codePointAt(index)! > 0xffff ? 2 : 1) {
    count += 1;
  }
  return count;
}

/** The offset in UTF-16 units of an offset in characters. */
export function units(text: string, count: number): number {
  let index = 0;
  for (let left = count; left > 0 && index < text.length; left -= 1) {
    index += text.codePointAt(index)! > 0xffff ? 2 : 1;
  }
  return index;
}
