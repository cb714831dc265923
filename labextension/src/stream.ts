/** OpenCL C for the editor: lines of C below a magic line, as a parser of streams. */

import { LanguageSupport, StreamLanguage, foldService } from '@codemirror/language';
import type { StreamParser, StringStream } from '@codemirror/language';
import { clike } from '@codemirror/legacy-modes/mode/clike';
import { tags } from '@lezer/highlight';
import { nextOption } from './options.js';
import words from './words.json' with { type: 'json' };

const setOf = (list: readonly string[]): Record<string, boolean> =>
  Object.fromEntries(list.map(word => [word, true]));

const KEYWORDS = [...words.qualifiers, ...words.control, ...words.declaring, ...words.other];
const FAMILY = new RegExp(`^(?:${words.families.join('|')})$`);
const CONSTANT = new RegExp(`^(?:${words.constantFamilies})$`);
const FUNCTIONS = new Set(words.functions);
const CONSTANTS = new Set(words.constants);

/** Characters of one line that are coloured; a longer line is no line that a person reads. */
const COLOURED = 20_000;
const MAGIC = /^[ \t]*%%opencl(?![\w.-])/;

/** Whether OpenCL C itself defines a function of that name. */
export function isBuiltin(name: string): boolean {
  return FUNCTIONS.has(name) || FAMILY.test(name);
}

interface CState {
  [key: string]: unknown;
}

const c = clike({
  name: 'opencl',
  keywords: setOf(KEYWORDS),
  types: setOf(words.types),
  blockKeywords: setOf(['if', 'else', 'for', 'while', 'do', 'switch', 'case', 'default', 'struct', 'union', 'enum']),
  isReservedIdentifier: isBuiltin,
  isIdentifierChar: /\w/,
  hooks: { '#': directive }
} as unknown as Parameters<typeof clike>[0]) as StreamParser<CState>;

function directive(stream: StringStream, state: CState): string | false {
  if (!state.startOfLine) {
    return false;
  }
  stream.eatSpace();
  const name = stream.match(/^\w+/) as RegExpMatchArray | null;
  if (name?.[0] === 'include') {
    state.tokenize = headerFile;
  }
  return 'meta';
}

/** The header in `#include <…>` or `#include "…"`; whatever else stands there is C again. */
function headerFile(stream: StringStream, state: CState): string | null {
  state.tokenize = null;
  if (stream.match(/^\s*(<[^>]*>|"[^"]*")/)) {
    return 'string';
  }
  stream.eatSpace();
  return null;
}

interface State {
  c: CState;
  /** Whether the magic line may still come: only blank lines were seen. */
  above: boolean;
  /** Inside the magic line: where its next word begins, -1 elsewhere. */
  magic: number;
}

function magicToken(stream: StringStream, state: State): string | null {
  if (state.magic === 0) {
    if (stream.eatSpace()) {
      return null;
    }
    stream.match('%%opencl');
    state.magic = stream.pos;
    return 'magic';
  }
  const part = nextOption(stream.string, stream.pos);
  stream.pos = Math.max(part.to, stream.pos + 1);
  return part.style;
}

function plainToken(stream: StringStream, state: State): string | null {
  if (stream.pos > COLOURED) {
    stream.skipToEnd();
    return null;
  }
  const style = c.token(stream, state.c);
  if (style !== 'variable') {
    return style;
  }
  const name = stream.current();
  if (CONSTANTS.has(name) || CONSTANT.test(name)) {
    return 'atom';
  }
  return stream.match(/^\s*\(/, false) ? 'call' : 'variable';
}

/** The parser; `cell`: a magic line stands above. */
function parser(cell: boolean): StreamParser<State> {
  return {
    name: cell ? 'opencl-cell' : 'opencl',
    startState: unit => ({ c: c.startState!(unit), above: cell, magic: -1 }),
    copyState: state => ({ ...state, c: { ...state.c } }),
    token(stream, state) {
      if (stream.sol()) {
        state.magic = state.above && MAGIC.test(stream.string) ? 0 : -1;
        state.above &&= state.magic < 0 && /^\s*$/.test(stream.string);
      }
      return state.magic >= 0 ? magicToken(stream, state) : plainToken(stream, state);
    },
    blankLine(state, unit) {
      if (!state.above) {
        c.blankLine?.(state.c, unit);
      }
    },
    indent: (state, textAfter, context) => (state.magic >= 0 || state.above ? 0 : c.indent!(state.c, textAfter, context)),
    languageData: {
      commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
      indentOnInput: /^\s*(?:case .*?:|default:|\{\}?|\})$/,
      closeBrackets: { brackets: ['(', '[', '{', '"'] }
    },
    tokenTable: {
      magic: tags.meta,
      flag: tags.attributeName,
      unknown: tags.invalid,
      option: tags.labelName,
      value: tags.string,
      python: tags.special(tags.variableName),
      builtin: tags.standard(tags.variableName),
      type: tags.typeName,
      call: tags.function(tags.variableName),
      def: tags.definition(tags.variableName),
      atom: tags.atom,
      meta: tags.meta
    }
  };
}

/** OpenCL C below a `%%opencl` line. */
export const cellLanguage = StreamLanguage.define(parser(true));
/** OpenCL C as a file has it. */
export const fileLanguage = StreamLanguage.define(parser(false));

const folding = foldService.of((state, from, to) => {
  const line = state.doc.lineAt(from);
  const open = line.text.trimEnd().endsWith('{');
  if (!open || to - from > COLOURED) {
    return null;
  }
  const end = closing(state.doc.iterRange(line.to), line.to);
  return end > line.to ? { from: line.to, to: end } : null;
});

/** Offset of the brace that closes what is open at the start of `text`; -1 where there is none near. */
function closing(text: Iterable<string>, start: number): number {
  let depth = 1;
  let at = start;
  for (const piece of text) {
    for (let index = 0; index < piece.length; index += 1) {
      const letter = piece[index];
      depth += letter === '{' ? 1 : letter === '}' ? -1 : 0;
      if (depth === 0) {
        return at + index;
      }
    }
    at += piece.length;
    if (at - start > 50_000) {
      break;
    }
  }
  return -1;
}

export const cellSupport = new LanguageSupport(cellLanguage, folding);
export const fileSupport = new LanguageSupport(fileLanguage, folding);
