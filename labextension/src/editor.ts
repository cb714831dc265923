/** The editor extension: everything a cell of OpenCL C has and another cell has not, switched as one types. */

import { Compartment, EditorState, Extension, Prec, Text } from '@codemirror/state';
import { EditorExtensionRegistry, IEditorExtensionRegistry } from '@jupyterlab/codemirror';
import type { CodeEditor } from '@jupyterlab/codeeditor';
import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import { languageExtensions } from './language/index.js';
import { isOpenCL } from './magic.js';

const BLANK = /^\s*$/;

/** Whether a document is a cell of OpenCL C; reads no more than its first lines. */
export function showsOpenCL(doc: Text): boolean {
  for (const lines = doc.iterLines(); !lines.next().done; ) {
    if (!BLANK.test(lines.value)) {
      return isOpenCL(lines.value);
    }
  }
  return false;
}

/** `parts()` while the document is a cell of OpenCL C, nothing otherwise; switched in the transaction that decides. */
export function whileOpenCL(isNow: boolean, parts: () => Extension): Extension {
  const own = new Compartment();
  return [
    Prec.highest(own.of(isNow ? parts() : [])),
    EditorState.transactionExtender.of(transaction => {
      if (!transaction.docChanged) {
        return null;
      }
      const before = showsOpenCL(transaction.startState.doc);
      const after = showsOpenCL(transaction.newDoc);
      return before === after ? null : { effects: own.reconfigure(after ? parts() : []) };
    })
  ];
}

function extensionOf(model: CodeEditor.IModel): Extension {
  return whileOpenCL(isOpenCL(model.sharedModel.getSource()), () => [
    languageExtensions.map(extension => extension(model))
  ]);
}

export const editorPlugin: JupyterFrontEndPlugin<void> = {
  id: 'cl-magic:editor',
  description: 'Cells of OpenCL C as an editor of OpenCL C.',
  autoStart: true,
  requires: [IEditorExtensionRegistry],
  activate: (_app, registry: IEditorExtensionRegistry) => {
    registry.addExtension({
      name: 'cl-magic:editor',
      factory: ({ model }) => EditorExtensionRegistry.createImmutableExtension(extensionOf(model))
    });
  }
};
