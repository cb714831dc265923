/** What the other plugins share: the open notebooks, the language of the user, the settings. */

import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import { INotebookTracker } from '@jupyterlab/notebook';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { ITranslator } from '@jupyterlab/translation';
import { Token } from '@lumino/coreutils';
import { useTracker } from './notebooks.js';
import { readSettings } from './settings.js';
import { useTranslator } from './translation.js';

export interface Base {
  /** Resolves when the settings are read. */
  ready: Promise<void>;
}

export const Base = new Token<Base>('cl-magic:Base', 'Notebooks, language and settings of cl_magic.');

export const basePlugin: JupyterFrontEndPlugin<Base> = {
  id: 'cl-magic:settings',
  description: 'What the other plugins of cl_magic share: the open notebooks, the language of the user, the settings.',
  autoStart: true,
  provides: Base,
  optional: [INotebookTracker, ITranslator, ISettingRegistry],
  activate: (_app, tracker: INotebookTracker | null, translator: ITranslator | null, registry: ISettingRegistry | null): Base => {
    useTracker(tracker);
    useTranslator(translator);
    const loaded = registry?.load('cl-magic:settings').then(found => {
      readSettings(found.composite);
      found.changed.connect(() => readSettings(found.composite));
    });
    // Without settings the defaults hold.
    return { ready: Promise.resolve(loaded).catch(() => undefined) };
  }
};
