/** The words of a magic line: our flags, OpenCL's build options, their values, and Python's names in them. */

import words from './words.json' with { type: 'json' };

export interface OptionPart {
  /** Offset after the part. */
  to: number;
  /** What it is; null: a blank. */
  style: 'flag' | 'unknown' | 'option' | 'value' | 'python' | null;
}

const FLAGS = new Set(words.flags.map(flag => flag.name));
const WORDS = new Set(words.optionWords);
const PYTHON = /\$(?:\$|[A-Za-z_]\w*|\{[^}]*\}?)/y;
const NAME = /--[\w-]*/y;
const OPTION = /-[A-Za-z](?:[\w-]*)/y;

function matchAt(pattern: RegExp, line: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(line)?.[0] ?? '';
}

/** Whether `at` begins a word of the line: what stands before it is a blank outside of quotes. */
function startsWord(line: string, at: number): boolean {
  return at === 0 || /[ \t]/.test(line[at - 1]);
}

function optionAt(line: string, at: number): string {
  const text = matchAt(OPTION, line, at);
  const glued = words.optionsWithValue.find(start => text.startsWith(start));
  if (glued) {
    return glued;
  }
  return WORDS.has(text) || words.optionStarts.some(start => text.startsWith(start)) ? text : '';
}

/** The part of a magic line that begins at `at`; parts follow each other without a gap. */
export function nextOption(line: string, at: number): OptionPart {
  const blank = matchAt(/[ \t]+/y, line, at);
  if (blank) {
    return { to: at + blank.length, style: null };
  }
  const python = matchAt(PYTHON, line, at);
  if (python) {
    return { to: at + python.length, style: 'python' };
  }
  if (startsWord(line, at)) {
    const flag = matchAt(NAME, line, at);
    if (flag) {
      return { to: at + flag.length, style: FLAGS.has(flag) ? 'flag' : 'unknown' };
    }
    const option = optionAt(line, at);
    if (option) {
      return { to: at + option.length, style: 'option' };
    }
  }
  return { to: valueEnd(line, at), style: 'value' };
}

/** End of a value: at the next blank outside of quotes, or where a Python name begins. */
function valueEnd(line: string, at: number): number {
  let quote = '';
  for (let index = at; index < line.length; index += 1) {
    const letter = line[index];
    if (quote === '' && /[ \t]/.test(letter)) {
      return index;
    }
    if (letter === '$' && quote !== "'" && index > at && matchAt(PYTHON, line, index)) {
      return index;
    }
    if (letter === quote) {
      quote = '';
    } else if (quote === '' && (letter === "'" || letter === '"')) {
      quote = letter;
    }
  }
  return line.length;
}
