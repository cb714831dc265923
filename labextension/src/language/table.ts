/** What there is to know of OpenCL C itself: the table that the kernel has too (cl_magic/language/facts.json). */

import table from './facts.json' with { type: 'json' };

export type Kind = 'function' | 'type' | 'keyword' | 'attribute' | 'macro' | 'option';

export interface Fact {
  name: string;
  kind: Kind;
  signature: string;
  /** As a reader finds it: "OpenCL C 1.2, 6.12.8: synchronization". */
  clause: string;
  text: string;
  /** Size and NumPy dtype of a type. */
  rows: [string, string][];
}

interface Rule {
  parts: string[][];
  kind: string;
  signature: string;
  clause: string;
  text: string;
}

const KINDS: Record<string, Kind> = { f: 'function', t: 'type', q: 'keyword', a: 'attribute', m: 'macro', o: 'option' };
/** Names one by one; in the file those with one text stand together, parted by `|`. */
const NAMES: Record<string, [string, string, string, string]> = Object.fromEntries(
  Object.entries(table.names as unknown as Record<string, [string, string, string, string]>).flatMap(([group, one]) =>
    group.split('|').map(name => [name, [one[0], one[1].replaceAll('{n}', name), one[2], one[3]]])
  )
);
const CLAUSES = table.clauses as Record<string, string>;
const SIZES = table.sizes as unknown as Record<string, [number, string]>;
const TYPE = /^([a-z_]+?)(2|3|4|8|16)?$/;

/** Flags of a magic line: name, sample value ("" for a switch), meaning. */
export const FLAGS = table.flags as unknown as [string, string, string][];

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const longestFirst = (parts: string[]): string[] => [...parts].sort((a, b) => b.length - a.length);

const RULES: [RegExp, Rule][] = (table.rules as Rule[]).map(rule => [
  new RegExp(`^${rule.parts.map(part => `(${longestFirst(part).map(escaped).join('|')})`).join('')}$`),
  rule
]);

function clauseText(clause: string, kind: Kind): string {
  const words = clause.split(' ');
  const [version, number] = words.length > 1 ? words : ['1.2', clause];
  return `OpenCL${kind === 'option' ? '' : ' C'} ${version}, ${number}: ${CLAUSES[clause] ?? ''}`;
}

function rowsOf(name: string): [string, string][] {
  const match = TYPE.exec(name);
  const known = match && Object.hasOwn(SIZES, match[1]) ? SIZES[match[1]] : null;
  if (!match || !known) {
    return [];
  }
  const width = Number(match[2] ?? 1);
  const room = width === 3 ? 4 : width;
  const shape = width === 1 ? '' : room === width ? ` (${width},)` : ` (${width},) or (${room},)`;
  const total = known[0] * room;
  return [
    ['size', `${total === 1 ? '1 byte' : `${total} bytes`}, aligned to ${total}`],
    ['NumPy', known[1] + shape]
  ];
}

/** What there is to know of a name; null for names that the language does not have. */
export function fact(name: string): Fact | null {
  if (Object.hasOwn(NAMES, name)) {
    const [short, signature, clause, text] = NAMES[name];
    const kind = KINDS[short];
    return { name, kind, signature, clause: clauseText(clause, kind), text, rows: rowsOf(name) };
  }
  for (const [pattern, rule] of RULES) {
    const match = pattern.exec(name);
    if (match) {
      const filled = (text: string) => text.replace(/\{(n|\d)\}/g, (_, hole) => (hole === 'n' ? name : match[Number(hole)]));
      const kind = KINDS[rule.kind];
      const clause = clauseText(rule.clause, kind);
      return { name, kind, signature: filled(rule.signature), clause, text: filled(rule.text), rows: rowsOf(name) };
    }
  }
  return null;
}

/** Names without those of rules, of which there are hundreds: what to offer where nothing is typed yet. */
export const PLAIN_NAMES: readonly string[] = Object.keys(NAMES);

let all: string[] | null = null;

/** All names of the table, those of rules too. */
export function names(): readonly string[] {
  all ??= [
    ...new Set([
      ...Object.keys(NAMES),
      ...RULES.flatMap(([, rule]) => rule.parts.reduce((made, part) => made.flatMap(lead => part.map(rest => lead + rest)), ['']))
    ])
  ];
  return all;
}
