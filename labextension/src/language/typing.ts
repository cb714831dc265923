/**
 * Marks while one types: what the front end finds wrong in a cell before it runs, a moment after the last key. Marks of a
 * build win while the editor shows what was built.
 */

import { ViewPlugin } from '@codemirror/view';
import type { EditorView, ViewUpdate } from '@codemirror/view';
import type { Extension } from '@codemirror/state';
import type { CodeEditor } from '@jupyterlab/codeeditor';
import { isCurrent, readReport } from '../diagnostics.js';
import { showMarks } from '../marks.js';
import { isCodeCell } from '../notebooks.js';
import { reportsIn } from '../reports.js';
import { onSettings, settings } from '../settings.js';
import { askAbout } from './asking.js';

const TYPING = 'typing';
const PAUSE_MS = 100;
/** After a text that took the kernel too long. */
const LONG_PAUSE_MS = 3000;
/** Longer cells are read when they run. */
const MOST_CHARACTERS = 512 * 1024;

class TypingMarks {
  private timer = 0;
  private pause = PAUSE_MS;
  private asking = false;
  private isStale = false;
  private over = false;
  private readonly unheard: () => void;

  constructor(
    private readonly view: EditorView,
    private readonly model: CodeEditor.IModel
  ) {
    this.unheard = onSettings(this.settingsChanged);
    if (isCodeCell(model)) {
      model.outputs.changed.connect(this.outputsChanged);
    }
  }

  update(update: ViewUpdate): void {
    if (update.docChanged) {
      this.later();
    } else if (update.focusChanged && update.view.hasFocus && this.isOn()) {
      void askAbout(this.model, 'start', '');
      this.later();
    }
  }

  destroy(): void {
    this.over = true;
    window.clearTimeout(this.timer);
    this.unheard();
    if (isCodeCell(this.model)) {
      this.model.outputs.changed.disconnect(this.outputsChanged);
    }
  }

  private isOn(): boolean {
    return settings().liveDiagnostics;
  }

  private later(): void {
    window.clearTimeout(this.timer);
    if (this.isOn()) {
      this.timer = window.setTimeout(() => void this.check(), this.pause);
    }
  }

  private async check(): Promise<void> {
    if (this.asking) {
      this.isStale = true; // the answer on its way is of an older text
      return;
    }
    const doc = this.view.state.doc;
    if (this.isBuilt() || doc.length > MOST_CHARACTERS) {
      this.show([]);
      return;
    }
    this.asking = true;
    const answer = await askAbout(this.model, 'check', doc.toString());
    this.asking = false;
    if (this.over) {
      return;
    }
    this.pause = answer?.reason ? LONG_PAUSE_MS : PAUSE_MS;
    if (this.view.state.doc === doc && this.isOn() && !this.isBuilt()) {
      const found = answer ? (readReport(answer)?.diagnostics ?? []) : [];
      this.show(found.filter(one => one.file === ''));
    }
    if (this.isStale) {
      this.isStale = false;
      this.later();
    }
  }

  /** Whether a build of this very text has reported: it knows more. */
  private isBuilt(): boolean {
    return isCodeCell(this.model) && reportsIn(this.model).some(report => isCurrent(report.source, this.view.state.doc));
  }

  private show(list: Parameters<typeof showMarks>[2]): void {
    if (!this.over) {
      showMarks(this.view, TYPING, list);
    }
  }

  private readonly outputsChanged = (): void => {
    if (this.isBuilt()) {
      window.setTimeout(() => this.show([]));
    }
  };

  private readonly settingsChanged = (): void => {
    if (this.isOn()) {
      this.later();
    } else {
      window.clearTimeout(this.timer);
      window.setTimeout(() => this.show([]));
    }
  };
}

/** Marks while one types, for the editor of a cell. */
export function typingMarks(model: CodeEditor.IModel): Extension {
  return ViewPlugin.define(view => new TypingMarks(view, model));
}
