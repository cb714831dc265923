/** Completion in JupyterLab: the language and the cell's own words at once, what only the kernel knows behind them. */

import { CompleterModel, ICompletionProviderManager } from '@jupyterlab/completer';
import type { CompletionHandler, ICompletionContext, ICompletionProvider } from '@jupyterlab/completer';
import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import type { CodeEditor } from '@jupyterlab/codeeditor';
import { isOpenCL } from '../magic.js';
import { askAbout } from './asking.js';
import type { Item } from './own.js';
import { characters, units } from './place.js';

/** Above the kernel's and the notebook's words, which have about 500. */
const RANK = 1100;
const WAIT_MS = 700;
const MOST_LABEL = 72;

/** A name as the list shows it: a function with its parameters. */
function labelOf(item: Item): string {
  const parameters = item.kind === 'function' ? /\(.*\)/.exec(item.signature)?.[0] : undefined;
  const label = item.label + (parameters ?? '');
  return label.length > MOST_LABEL ? `${label.slice(0, MOST_LABEL - 1)}…` : label;
}

function itemOf(item: Item, documentation: string): CompletionHandler.ICompletionItem {
  const made: CompletionHandler.ICompletionItem = { label: labelOf(item), insertText: item.label, type: item.kind };
  return documentation ? { ...made, documentation } : made;
}

/** Labels of the list that is about to be shown; null where it is not ours. */
let offered: ReadonlySet<string> | null = null;

/**
 * The list without what others offer where this provider offers something: JupyterLab adds every token of the notebook,
 * comments and magics among them. It is the model of all cells, and leaves other cells' lists as they are.
 */
class OwnListModel extends CompleterModel {
  setCompletionItems(items: CompletionHandler.ICompletionItem[]): void {
    const own = offered;
    offered = null;
    super.setCompletionItems(own === null ? items : items.filter(item => own.has(item.label)));
  }
}

/** Of a cell of OpenCL C only; other cells are other providers' business. */
const provider: ICompletionProvider = {
  identifier: 'cl-magic:language',
  rank: RANK,
  renderer: null,
  isApplicable: async (context: ICompletionContext) => isOpenCL(context.editor?.model.sharedModel.getSource() ?? ''),
  fetch: async (request: CompletionHandler.IRequest, context: ICompletionContext) => {
    const model = context.editor?.model as CodeEditor.IModel | undefined;
    const offset = units(request.text, request.offset); // JupyterLab counts characters here
    const { documentationOf, joined, knownHere, readFound } = await import('./known.js');
    const here = knownHere(request.text, offset);
    const late = new Promise<null>(resolve => window.setTimeout(() => resolve(null), WAIT_MS));
    const asking = model ? askAbout(model, 'complete', request.text, request.offset) : null;
    const found = joined(here, readFound(await Promise.race([asking, late]), request.text));
    const items = found.items.map(item => itemOf(item, documentationOf(item)));
    offered = found.items.length ? new Set(items.map(item => item.label)) : null;
    return { start: characters(request.text, found.start), end: request.offset, items };
  },
  modelFactory: async () => new OwnListModel()
};

export const completionPlugin: JupyterFrontEndPlugin<void> = {
  id: 'cl-magic:completion',
  description: 'Completion in cells of OpenCL C.',
  autoStart: true,
  optional: [ICompletionProviderManager],
  activate: (_app, manager: ICompletionProviderManager | null) => manager?.registerProvider(provider)
};
