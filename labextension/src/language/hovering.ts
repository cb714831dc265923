/** Explanations under the pointer in the editor. */

import { EditorView, hoverTooltip } from '@codemirror/view';
import type { Tooltip } from '@codemirror/view';
import type { Extension } from '@codemirror/state';
import type { CodeEditor } from '@jupyterlab/codeeditor';
import { askAbout } from './asking.js';
import { characters } from './place.js';

/** Explanations under the pointer. */
export function explanations(model: CodeEditor.IModel): Extension {
  return hoverTooltip(
    async (view: EditorView, position: number): Promise<Tooltip | null> => {
      const source = view.state.doc.toString();
      // Without the table, where the server is gone, there is nothing to explain.
      const known = await import('./known.js').catch(() => null);
      const target = known?.targetAt(source, position) ?? null;
      if (known === null || target === null) {
        return null;
      }
      const asked = () => askAbout(model, 'explain', source, characters(source, target.from));
      const found = target.found ?? known.readExplanation(await asked());
      return found && { pos: target.from, end: target.to, above: true, create: () => ({ dom: known.nodeOf(found) }) };
    },
    { hideOnChange: true }
  );
}
