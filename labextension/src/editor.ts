/** The editor extension: everything a cell of OpenCL C has and another cell has not, switched as one types. */

import { HighlightStyle, LanguageSupport, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, Extension, Prec, Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { EditorExtensionRegistry, IEditorExtensionRegistry, IEditorLanguageRegistry } from '@jupyterlab/codemirror';
import type { CodeEditor } from '@jupyterlab/codeeditor';
import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import { Base } from './base.js';
import { languageExtensions } from './language/index.js';
import { chipIcon } from './icon.js';
import { isOpenCL } from './magic.js';
import { buildMarks } from './reports.js';
import { cellSupport, fileSupport } from './stream.js';

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

/** What the themes of JupyterLab leave unstyled. */
const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.typeName, class: 'cl-type' },
    { tag: tags.function(tags.variableName), class: 'cl-call' },
    { tag: tags.invalid, class: 'cl-unknown-flag' }
  ])
);

const ownClass = EditorView.editorAttributes.of({ class: 'cl-editor' });

function extensionOf(model: CodeEditor.IModel): Extension {
  return whileOpenCL(isOpenCL(model.sharedModel.getSource()), () => [
    cellSupport,
    colours,
    ownClass,
    buildMarks(model),
    languageExtensions.map(extension => extension(model))
  ]);
}

export const editorPlugin: JupyterFrontEndPlugin<void> = {
  id: 'cl-magic:editor',
  description: 'Cells of OpenCL C as an editor of OpenCL C.',
  autoStart: true,
  requires: [Base, IEditorExtensionRegistry, IEditorLanguageRegistry],
  activate: (app, _base: Base, registry: IEditorExtensionRegistry, languages: IEditorLanguageRegistry) => {
    app.docRegistry.addFileType({
      name: 'opencl',
      displayName: 'OpenCL C',
      extensions: ['.cl', '.clh'],
      mimeTypes: ['text/x-opencl-src'],
      icon: chipIcon
    });
    languages.addLanguage({
      name: 'OpenCL C',
      mime: 'text/x-opencl-src',
      extensions: ['cl', 'clh'],
      filename: /\.clh?$/i, // found before the extensions of other languages: Common Lisp has .cl too
      support: new LanguageSupport(fileSupport.language, [fileSupport.support, colours])
    });
    registry.addExtension({
      name: 'cl-magic:editor',
      factory: ({ model }) => EditorExtensionRegistry.createImmutableExtension(extensionOf(model))
    });
  }
};
