/** Diagnostics of a build as an output holds them, read without trust, and their places in a text. */

import type { Text } from '@codemirror/state';

export const DIAGNOSTICS_MIME = 'application/vnd.cl-magic.diagnostics.v1+json';

export type Severity = 'error' | 'warning' | 'note' | 'remark';

/** A replacement that the compiler proposes: columns [column, endColumn) of a line become `text`. */
export interface FixIt {
  line: number;
  column: number;
  endColumn: number;
  text: string;
  why: string;
}

/** One message; lines and columns from 1, columns count characters (code points), 0: not known. */
export interface Reported {
  severity: Severity;
  message: string;
  line: number;
  column: number;
  endColumn: number;
  /** "" for the cell itself, else a header's or a file's name. */
  file: string;
  option: string;
  fixits: FixIt[];
  notes: Reported[];
}

export interface Report {
  /** The whole text of the cell that was built; "" where it is not known. */
  source: string;
  /** Texts of the virtual headers that messages are in, by name. */
  headers: Map<string, string>;
  diagnostics: Reported[];
}

const VERSION = 1;
const SEVERITIES: readonly string[] = ['error', 'warning', 'note', 'remark'];
const MOST = 500;
const MOST_NOTES = 20;
const MOST_TEXT = 2000;

type Loose = Record<string, unknown>;

const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MOST_TEXT) : '');
const count = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;

function fixit(value: unknown): FixIt | null {
  if (!isObject(value) || typeof value.text !== 'string' || !count(value.line) || !count(value.column)) {
    return null;
  }
  if (value.text.length > MOST_TEXT) {
    return null; // cut it would be other code
  }
  const endColumn = Math.max(count(value.endColumn), count(value.column));
  return { line: count(value.line), column: count(value.column), endColumn, text: text(value.text), why: text(value.why) };
}

function list<Value>(value: unknown, most: number, read: (one: unknown) => Value | null): Value[] {
  const all = Array.isArray(value) ? value.slice(0, most) : [];
  return all.map(read).filter((one): one is Value => one !== null);
}

function reported(value: unknown, nested = false): Reported | null {
  if (!isObject(value) || typeof value.message !== 'string') {
    return null;
  }
  const severity = SEVERITIES.includes(value.severity as string) ? (value.severity as Severity) : 'error';
  return {
    severity,
    message: text(value.message),
    line: count(value.line),
    column: count(value.column),
    endColumn: count(value.endColumn),
    file: text(value.file),
    option: text(value.option),
    fixits: list(value.fixits, MOST_NOTES, fixit),
    notes: nested ? [] : list(value.notes, MOST_NOTES, note => reported(note, true))
  };
}

function headersOf(value: unknown): Map<string, string> {
  const entries = isObject(value) ? Object.entries(value).slice(0, MOST_NOTES) : [];
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** What an output's payload says; null for one that is damaged or of another version. */
export function readReport(payload: unknown): Report | null {
  if (!isObject(payload) || payload.version !== VERSION || !Array.isArray(payload.diagnostics)) {
    return null;
  }
  return {
    source: typeof payload.source === 'string' ? payload.source.replace(/\r\n?/g, '\n') : '',
    headers: headersOf(payload.headers),
    diagnostics: list(payload.diagnostics, MOST, one => reported(one))
  };
}

/** Whether the editor still shows what was built. */
export function isCurrent(source: string, doc: Text): boolean {
  return source !== '' && doc.length === source.length && doc.toString() === source;
}

/** Index in a line, in UTF-16 units, of a column that counts characters from 1. */
export function indexOfColumn(line: string, column: number): number {
  let index = 0;
  for (let left = column - 1; left > 0 && index < line.length; left -= 1) {
    index += line.codePointAt(index)! > 0xffff ? 2 : 1;
  }
  return index;
}

export interface Place {
  from: number;
  to: number;
}

/** Where a message's mark goes: its range, else the word at its column, else the line without its indent. */
export function placeOf(doc: Text, one: { line: number; column: number; endColumn: number }): Place | null {
  if (one.line < 1 || one.line > doc.lines) {
    return null;
  }
  const line = doc.line(one.line);
  if (one.column < 1) {
    const indent = /^\s*/.exec(line.text)![0].length;
    return { from: line.from + indent, to: line.to };
  }
  const start = indexOfColumn(line.text, one.column);
  const end = one.endColumn > one.column ? indexOfColumn(line.text, one.endColumn) : start + wordLength(line.text, start);
  return { from: line.from + start, to: line.from + end };
}

function wordLength(line: string, start: number): number {
  return /^\w*/.exec(line.slice(start, start + 200))![0].length;
}

/** Where a fix-it's text goes. */
export function placeOfFix(doc: Text, fix: FixIt): Place | null {
  if (fix.line > doc.lines) {
    return null;
  }
  const line = doc.line(fix.line);
  return { from: line.from + indexOfColumn(line.text, fix.column), to: line.from + indexOfColumn(line.text, fix.endColumn) };
}

/** What a header cell hands on: its text, with blank lines in place of those above. */
export function headerText(source: string, magicIndex: number): string {
  const lines = source.split('\n');
  return '\n'.repeat(magicIndex + 1) + lines.slice(magicIndex + 1).join('\n');
}

const INCLUDE = /^\s*#\s*include\s*["<]/;

/** What is wrong in a header, told where the cell includes it; null where the report does not say where that is. */
function atInclude(one: Reported, doc: Text): Reported | null {
  const note = one.notes.find(note => note.file === '' && note.line > 0 && note.line <= doc.lines);
  const start = note && INCLUDE.exec(doc.line(note.line).text)?.[0];
  if (note === undefined || start === undefined) {
    return null;
  }
  const [column, length] = [[...start].length + 1, [...one.file].length];
  const message = `${one.file}:${one.line}:${one.column}: ${one.message}`;
  return { ...one, message, file: '', line: note.line, column, endColumn: column + length, fixits: [], notes: [] };
}

/** What a report says of the cell: its own messages, and the first of each header at the line that includes it. */
export function inCell(report: Report, doc: Text): Reported[] {
  const lines = new Set<number>();
  return report.diagnostics.flatMap(one => {
    const told = one.file === '' ? one : atInclude(one, doc);
    if (told === null || (told !== one && lines.has(told.line))) {
      return [];
    }
    if (told !== one) {
      lines.add(told.line);
    }
    return [told];
  });
}
