/** What the language service adds to the editor of a cell of OpenCL C, and to the application. */

import type { Extension } from '@codemirror/state';
import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import type { CodeEditor } from '@jupyterlab/codeeditor';
import { completionPlugin } from './completing.js';
import { explanations } from './hovering.js';
import { typingMarks } from './typing.js';

/** Each is asked once for every editor that shows OpenCL C; what it returns is there only while it does. */
export type LanguageExtension = (model: CodeEditor.IModel) => Extension;

export const languageExtensions: LanguageExtension[] = [typingMarks, explanations];

/** Plugins of the language service: completion, settings, whatever is no editor's own. */
export const languagePlugins: JupyterFrontEndPlugin<any>[] = [completionPlugin];
