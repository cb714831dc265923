/** The plugins of cl_magic in JupyterLab and Notebook. */

import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import { INotebookTracker } from '@jupyterlab/notebook';
import { ITranslator } from '@jupyterlab/translation';
import { editorPlugin } from './editor.js';
import { languagePlugins } from './language/index.js';
import { useTracker } from './notebooks.js';
import { outputsPlugin } from './outputs.js';
import { panelPlugin } from './panel.js';
import { useTranslator } from './translation.js';

const basePlugin: JupyterFrontEndPlugin<void> = {
  id: 'cl-magic:base',
  description: 'What the other plugins of cl_magic share: the open notebooks, the language of the user.',
  autoStart: true,
  optional: [INotebookTracker, ITranslator],
  activate: (_app, tracker: INotebookTracker | null, translator: ITranslator | null) => {
    useTracker(tracker);
    useTranslator(translator);
  }
};

const plugins: JupyterFrontEndPlugin<unknown>[] = [basePlugin, editorPlugin, outputsPlugin, panelPlugin, ...languagePlugins];

export default plugins;
