/** The notebooks that are open: which one a cell is in, its other cells, and moving the cursor to a line. */

import type { ICellModel, ICodeCellModel } from '@jupyterlab/cells';
import type { CodeEditor } from '@jupyterlab/codeeditor';
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { headerName } from './magic.js';

let tracker: INotebookTracker | null = null;

/** Have notebooks found through a tracker. */
export function useTracker(found: INotebookTracker | null): void {
  tracker = found;
}

/** Cells of a notebook, in order; none while it has no model. */
export function cellsOf(panel: NotebookPanel): ICellModel[] {
  return Array.from(panel.content.model?.cells ?? []);
}

/** The notebook that a cell's model is in. */
export function panelOfModel(model: CodeEditor.IModel): NotebookPanel | null {
  return tracker?.find(panel => cellsOf(panel).some(cell => cell === model)) ?? null;
}

/** The notebook that an element is in, and the index of its cell. */
export function cellOfNode(node: Element): { panel: NotebookPanel; index: number } | null {
  const host = node.closest('.jp-Cell');
  const panel = host && tracker?.find(one => one.node.contains(host));
  if (!panel) {
    return null;
  }
  const index = panel.content.widgets.findIndex(widget => widget.node === host);
  return index < 0 ? null : { panel, index };
}

/** Whether a cell is one of code, with outputs. */
export function isCodeCell(cell: ICellModel | CodeEditor.IModel): cell is ICodeCellModel {
  return 'outputs' in cell && 'executionCount' in cell;
}

/** Index of the header cell of that name, -1 where there is none; the last one counts, as in the kernel. */
export function headerCellIndex(panel: NotebookPanel, name: string): number {
  return cellsOf(panel).findLastIndex(cell => headerName(cell.sharedModel.getSource()) === name);
}

/** Show a cell and put the cursor at a line and column, both from 1. */
export async function moveTo(panel: NotebookPanel, index: number, line: number, column: number): Promise<void> {
  const notebook = panel.content;
  const cell = notebook.widgets[index];
  if (!cell) {
    return;
  }
  notebook.activeCellIndex = index;
  notebook.deselectAll();
  await notebook.scrollToItem(index, 'smart');
  await cell.ready;
  if (cell.inputHidden) {
    cell.inputHidden = false;
  }
  notebook.mode = 'edit';
  const last = (cell.editor?.lineCount ?? 1) - 1;
  cell.editor?.setCursorPosition({ line: Math.min(Math.max(line - 1, 0), last), column: Math.max(column - 1, 0) });
  cell.editor?.focus();
}

/** The code cells of a notebook that a kernel's `cell [3]` may mean: the one with that execution count. */
export function cellIndexOfCount(panel: NotebookPanel, count: number): number {
  return cellsOf(panel).findIndex(cell => isCodeCell(cell) && cell.executionCount === count);
}
