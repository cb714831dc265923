/** The plugins of cl_magic in JupyterLab and Notebook. */

import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import { editorPlugin } from './editor.js';
import { languagePlugins } from './language/index.js';

const plugins: JupyterFrontEndPlugin<unknown>[] = [editorPlugin, ...languagePlugins];

export default plugins;
