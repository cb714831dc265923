/** Cells to begin from, and where they go in a notebook. */

import { NotebookActions } from '@jupyterlab/notebook';
import type { Notebook } from '@jupyterlab/notebook';
import templates from './templates.json' with { type: 'json' };

export interface Template {
  id: string;
  label: string;
  cells: string[];
}

export const TEMPLATES: readonly Template[] = templates;

const LOADS = /^\s*%load_ext\s+cl_magic\b/m;
export const LOAD = '%load_ext cl_magic';

/** The cells that a template adds to a notebook: with the line that loads cl_magic where no cell has it. */
export function cellsToInsert(template: Template, sources: readonly string[]): string[] {
  return sources.some(source => LOADS.test(source)) ? [...template.cells] : [LOAD, ...template.cells];
}

function sourcesOf(notebook: Notebook): string[] {
  return Array.from(notebook.model?.cells ?? [], cell => cell.sharedModel.getSource());
}

/** Insert cells of code after a notebook's active one; an empty active cell is taken for the first. */
export function insertCells(notebook: Notebook, sources: readonly string[]): void {
  const shared = notebook.model?.sharedModel;
  if (!shared || sources.length === 0) {
    return;
  }
  const active = notebook.activeCell?.model;
  const empty = active?.type === 'code' && active.sharedModel.getSource().trim() === '';
  const at = notebook.activeCellIndex + (empty ? 0 : 1);
  shared.transact(() => {
    if (empty) {
      shared.deleteCell(at);
    }
    shared.insertCells(at, sources.map(source => ({ cell_type: 'code' as const, source, metadata: { trusted: true }, outputs: [] })));
  });
  notebook.activeCellIndex = Math.min(at + Math.max(0, sources.findIndex(source => source.startsWith('%%'))), notebook.widgets.length - 1);
  notebook.deselectAll();
  void notebook.scrollToItem(notebook.activeCellIndex, 'smart');
}

/** Insert a template. */
export function insertTemplate(notebook: Notebook, template: Template): void {
  insertCells(notebook, cellsToInsert(template, sourcesOf(notebook)));
  void NotebookActions.focusActiveCell(notebook, { waitUntilReady: true, preventScroll: true })?.catch(() => undefined);
}
