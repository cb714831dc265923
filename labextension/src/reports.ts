/** Reports of builds, from the outputs of cells: those of a cell itself, and those that other cells gave a header cell. */

import type { ICodeCellModel } from '@jupyterlab/cells';
import type { CodeEditor } from '@jupyterlab/codeeditor';
import { ViewPlugin } from '@codemirror/view';
import type { EditorView, ViewUpdate } from '@codemirror/view';
import type { Extension } from '@codemirror/state';
import { DIAGNOSTICS_MIME, Report, Reported, headerText, inCell, isCurrent, readReport } from './diagnostics.js';
import { headerName, magicLine } from './magic.js';
import { BUILD, marksExtension, showMarks } from './marks.js';
import { onSettings, settings } from './settings.js';
import { cellsOf, isCodeCell, panelOfModel } from './notebooks.js';

const known = new WeakMap<object, Report | null>();

function reportOf(payload: unknown): Report | null {
  if (typeof payload !== 'object' || payload === null) {
    return null;
  }
  let report = known.get(payload);
  if (report === undefined) {
    report = readReport(payload);
    known.set(payload, report);
  }
  return report;
}

/** What the outputs of a cell report. */
export function reportsIn(cell: ICodeCellModel): Report[] {
  const found: Report[] = [];
  for (let index = 0; index < cell.outputs.length; index += 1) {
    const report = reportOf(cell.outputs.get(index).data[DIAGNOSTICS_MIME]);
    if (report !== null) {
      found.push(report);
    }
  }
  return found;
}

type Listener = () => void;

/** Listens to the outputs of every cell of a notebook while something wants to know. */
function listenToAll(cells: ICodeCellModel[], heard: Listener): Listener {
  for (const cell of cells) {
    cell.outputs.changed.connect(heard);
  }
  return () => cells.forEach(cell => cell.outputs.changed.disconnect(heard));
}

/** One editor's marks, kept in step with outputs. */
class BuildMarks {
  private pending = 0;
  private lengths = new Set<number>();
  private stop: Listener = () => undefined;
  private isHeader = false;
  private readonly unheard: Listener;

  constructor(
    private readonly view: EditorView,
    private readonly model: ICodeCellModel
  ) {
    model.outputs.changed.connect(this.later);
    this.unheard = onSettings(this.later);
    this.later();
  }

  update(update: ViewUpdate): void {
    // Undone changes bring back the text that was built, and with it the marks.
    if (update.docChanged && (this.isHeader || this.lengths.has(update.state.doc.length))) {
      this.later();
    }
  }

  destroy(): void {
    window.clearTimeout(this.pending);
    this.pending = -1;
    this.model.outputs.changed.disconnect(this.later);
    this.unheard();
    this.stop();
  }

  private readonly later = (): void => {
    if (this.pending === 0) {
      this.pending = window.setTimeout(this.refresh);
    }
  };

  private readonly refresh = (): void => {
    this.pending = 0;
    const name = headerName(this.view.state.sliceDoc(0, 2000));
    const list = [...this.own(), ...(name ? this.fromOthers(name) : [])];
    if (Boolean(name) !== this.isHeader) {
      this.isHeader = Boolean(name);
      this.stop();
      this.stop = name ? listenToAll(this.others(), this.later) : () => undefined;
    }
    showMarks(this.view, BUILD, settings().marks ? list : []);
  };

  private own(): Reported[] {
    const reports = reportsIn(this.model);
    this.lengths = new Set(reports.map(report => report.source.length));
    const current = reports.filter(report => isCurrent(report.source, this.view.state.doc));
    return current.flatMap(report => inCell(report, this.view.state.doc));
  }

  private others(): ICodeCellModel[] {
    const panel = panelOfModel(this.model);
    return panel ? cellsOf(panel).filter(isCodeCell).filter(cell => cell !== this.model) : [];
  }

  private fromOthers(name: string): Reported[] {
    const reports = this.others().flatMap(reportsIn).filter(report => report.headers.has(name));
    if (reports.length === 0) {
      return [];
    }
    const source = this.view.state.doc.toString();
    const text = headerText(source, magicLine(source)?.index ?? 0);
    const current = reports.filter(report => report.headers.get(name) === text);
    return current.flatMap(report => [
      ...report.diagnostics.filter(one => one.file === name),
      ...report.diagnostics.flatMap(one => one.notes).filter(note => note.file === name)
    ]);
  }
}

/** Marks of builds, for the editor of a cell. */
export function buildMarks(model: CodeEditor.IModel): Extension {
  if (!isCodeCell(model)) {
    return marksExtension;
  }
  return [marksExtension, ViewPlugin.define(view => new BuildMarks(view, model))];
}
