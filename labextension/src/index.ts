/** The plugins of cl_magic in JupyterLab and Notebook. */

import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import { basePlugin } from './base.js';
import { commandsPlugin } from './commands.js';
import { editorPlugin } from './editor.js';
import { languagePlugins } from './language/index.js';
import { outputsPlugin } from './outputs.js';
import { panelPlugin } from './panel.js';

const plugins: JupyterFrontEndPlugin<any>[] = [
  basePlugin,
  editorPlugin,
  outputsPlugin,
  panelPlugin,
  commandsPlugin,
  ...languagePlugins
];

export default plugins;
