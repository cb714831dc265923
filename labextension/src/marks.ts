/**
 * Marks in the editor: squiggles, a gutter, tooltips with actions. Each origin ("build", "typing", …) keeps a list of its
 * own; what is shown is all of them, a message that two origins give at one place once.
 */

import { Diagnostic, forEachDiagnostic, lintGutter, lintKeymap, setDiagnostics, setDiagnosticsEffect } from '@codemirror/lint';
import { EditorSelection, EditorState, Extension, StateEffect, StateField, Text } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { FixIt, Place, Reported, Severity, placeOf, placeOfFix } from './diagnostics.js';
import { text } from './translation.js';

/** The origin of what a build reported. */
export const BUILD = 'build';
const FROM = 'cl-from-';

type Shown = ReadonlyMap<string, readonly Reported[]>;

const replace = StateEffect.define<{ origin: string; list: readonly Reported[] }>();

const held = StateField.define<Shown>({
  create: () => new Map(),
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(replace)) {
        const next = new Map(value);
        next.set(effect.value.origin, effect.value.list);
        value = next;
      }
    }
    return value;
  }
});

const SEVERITY: Record<Severity, Diagnostic['severity']> = { error: 'error', warning: 'warning', note: 'info', remark: 'info' };

function span(className: string, content: string): HTMLElement {
  const element = document.createElement('span');
  element.className = className;
  element.textContent = content;
  return element;
}

/** The message with its switch and notes, as elements; never markup. */
function messageOf(one: Reported): HTMLElement {
  const host = document.createElement('div');
  host.className = 'cl-mark-message';
  const first = document.createElement('div');
  first.append(span(`cl-is-${one.severity}`, one.severity), ' ', one.message);
  if (one.option) {
    first.append(' ', span('cl-dim', one.option));
  }
  host.append(first);
  for (const note of one.notes.slice(0, 3)) {
    const line = document.createElement('div');
    line.append(span('cl-is-note', 'note'), ' ', note.message);
    host.append(line);
  }
  return host;
}

/** Title of a fix-it as an action. */
export function fixTitle(fix: FixIt, before: string): string {
  if (fix.text === '') {
    return text('Delete %1', before);
  }
  return before === '' ? text('Insert %1', fix.text) : text('Replace by %1', fix.text);
}

function actionsOf(doc: Text, mark: Place, fixits: readonly FixIt[]): Diagnostic['actions'] {
  return fixits.flatMap(fix => {
    const place = placeOfFix(doc, fix);
    if (place === null) {
      return [];
    }
    const before = doc.sliceString(place.from, place.to);
    const apply = (view: EditorView, from: number) => {
      // The fix moves with its mark; where the text under it changed since, it is not applied.
      const [start, end] = [place.from + from - mark.from, place.to + from - mark.from];
      if (start < 0 || end > view.state.doc.length || view.state.sliceDoc(start, end) !== before) {
        return;
      }
      view.dispatch({
        changes: { from: start, to: end, insert: fix.text },
        selection: EditorSelection.cursor(start + fix.text.length),
        userEvent: 'input.fix'
      });
      view.focus();
    };
    return [{ name: fixTitle(fix, before), apply }];
  });
}

function diagnosticOf(doc: Text, one: Reported, origin: string): Diagnostic | null {
  const place = placeOf(doc, one);
  if (place === null) {
    return null;
  }
  return {
    ...place,
    severity: SEVERITY[one.severity],
    markClass: `cl-mark-${one.severity} ${FROM}${origin}`,
    message: one.message,
    renderMessage: () => messageOf(one),
    actions: actionsOf(doc, place, one.fixits)
  };
}

function merged(state: EditorState): Diagnostic[] {
  const built = new Set<string>();
  const seen = new Set<string>();
  const all: Diagnostic[] = [];
  const origins = [...(state.field(held, false) ?? [])].sort(([a], [b]) => Number(b === BUILD) - Number(a === BUILD));
  for (const [origin, list] of origins) {
    for (const one of list) {
      const place = `${one.line}:${one.column}`;
      const key = `${place}:${one.message}`;
      // What a build said of a place is more than what is told of it while typing.
      const isTold = seen.has(key) || (origin !== BUILD && built.has(place));
      const made = isTold ? null : diagnosticOf(state.doc, one, origin);
      seen.add(key);
      if (made !== null) {
        all.push(made);
        if (origin === BUILD) {
          built.add(place);
        }
      }
    }
  }
  return all.sort((a, b) => a.from - b.from || a.to - b.to);
}

/** Show the messages of one origin in place of those it showed before; lines are those of the text of now. */
export function showMarks(view: EditorView, origin: string, list: readonly Reported[]): void {
  const before = view.state.field(held, false);
  if (before === undefined || (list.length === 0 && !before.get(origin)?.length)) {
    return;
  }
  view.dispatch({ effects: replace.of({ origin, list }) });
  view.dispatch(setDiagnostics(view.state, merged(view.state)));
}

/** Marks of a build are of the text that was built: a change of the text takes them away, and leaves the others. */
const goWithTheText = EditorState.transactionExtender.of(transaction => {
  const state = transaction.startState;
  if (!transaction.docChanged || !state.field(held, false)?.get(BUILD)?.length) {
    return null;
  }
  const rest: Diagnostic[] = [];
  forEachDiagnostic(state, (one, from, to) => {
    if (!one.markClass?.includes(FROM + BUILD)) {
      rest.push({ ...one, from: transaction.changes.mapPos(from, 1), to: transaction.changes.mapPos(to, -1) });
    }
  });
  const moved = rest.map(one => ({ ...one, to: Math.max(one.from, one.to) }));
  return { effects: [replace.of({ origin: BUILD, list: [] }), setDiagnosticsEffect.of(moved)] };
});

/** What an editor needs for `showMarks`; F8 goes to the next mark, Ctrl+Shift+M lists all with their fix-its, for the keyboard. */
export const marksExtension: Extension = [held, goWithTheText, lintGutter(), keymap.of(lintKeymap)];
