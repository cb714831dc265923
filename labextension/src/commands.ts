/** Commands, menu entries and the launcher's card. */

import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette, MainAreaWidget } from '@jupyterlab/apputils';
import { IDefaultFileBrowser } from '@jupyterlab/filebrowser';
import { ILauncher } from '@jupyterlab/launcher';
import { INotebookTracker, NotebookActions } from '@jupyterlab/notebook';
import type { NotebookPanel } from '@jupyterlab/notebook';
import { IRenderMimeRegistry, MimeModel } from '@jupyterlab/rendermime';
import { Panel } from '@lumino/widgets';
import { Base } from './base.js';
import { checkedLine } from './checks.js';
import { guide } from './guide.js';
import { CARD, chipIcon } from './icon.js';
import { TEMPLATES, cellsToInsert, insertCells, insertTemplate } from './templates.js';
import { text } from './translation.js';

export const COMMANDS = {
  insert: 'cl-magic:insert',
  check: 'cl-magic:run-with-checks',
  guide: 'cl-magic:guide',
  specification: 'cl-magic:specification',
  create: 'cl-magic:new-notebook'
};
const CATEGORY = 'OpenCL';
const SPECIFICATION = 'https://registry.khronos.org/OpenCL/specs/3.0-unified/html/OpenCL_C.html';
const GUIDE = 'cl-magic-guide';

const argumentsOf = (properties: object) => ({ args: { type: 'object' as const, properties: properties as Record<string, never> } });

function addInsert(app: JupyterFrontEnd, tracker: INotebookTracker): void {
  const one = (id: unknown) => TEMPLATES.find(template => template.id === id) ?? TEMPLATES[0];
  app.commands.addCommand(COMMANDS.insert, {
    label: args => (args.isMenu ? text(one(args.template).label) : text('Insert OpenCL Cell, %1', text(one(args.template).label))),
    caption: text('Insert a cell of OpenCL C and one that runs it'),
    describedBy: argumentsOf({ template: { type: 'string', enum: TEMPLATES.map(template => template.id) }, isMenu: { type: 'boolean' } }),
    isEnabled: () => tracker.currentWidget !== null,
    execute: args => {
      if (tracker.currentWidget) {
        insertTemplate(tracker.currentWidget.content, one(args.template));
      }
    }
  });
}

async function runWithChecks(panel: NotebookPanel): Promise<void> {
  const cell = panel.content.activeCell;
  const change = cell ? checkedLine(cell.model.sharedModel.getSource()) : null;
  if (cell && change) {
    cell.model.sharedModel.updateSource(change.from, change.to, change.text);
  }
  await NotebookActions.run(panel.content, panel.sessionContext);
}

function addCheck(app: JupyterFrontEnd, tracker: INotebookTracker): void {
  app.commands.addCommand(COMMANDS.check, {
    label: text('Run OpenCL Cell with Checks'),
    caption: text('Build the cell for the simulator, which names bad indices, races and uninitialised reads; its kernels are slow'),
    describedBy: argumentsOf({}),
    isEnabled: () => tracker.activeCell?.model.type === 'code',
    execute: async () => {
      if (tracker.currentWidget) {
        await runWithChecks(tracker.currentWidget);
      }
    }
  });
}

function openGuide(app: JupyterFrontEnd, rendermime: IRenderMimeRegistry): void {
  if (!Array.from(app.shell.widgets('main')).some(widget => widget.id === GUIDE)) {
    const renderer = rendermime.createRenderer('text/markdown');
    const content = new Panel();
    content.addClass('cl-run-tab');
    content.addWidget(renderer);
    const widget = new MainAreaWidget({ content });
    widget.id = GUIDE;
    widget.title.label = text('OpenCL guide');
    widget.title.icon = chipIcon;
    widget.title.closable = true;
    void renderer.renderModel(new MimeModel({ data: { 'text/markdown': guide() }, trusted: false }));
    app.shell.add(widget, 'main');
  }
  app.shell.activateById(GUIDE);
}

function addDocuments(app: JupyterFrontEnd, rendermime: IRenderMimeRegistry): void {
  app.commands.addCommand(COMMANDS.guide, {
    label: text('OpenCL Guide'),
    describedBy: argumentsOf({}),
    execute: () => openGuide(app, rendermime)
  });
  app.commands.addCommand(COMMANDS.specification, {
    label: text('OpenCL C Specification (registry.khronos.org)'),
    describedBy: argumentsOf({}),
    execute: () => {
      window.open(SPECIFICATION, '_blank', 'noopener,noreferrer');
    }
  });
}

/** Name of a kernel that speaks Python; the server's default where it does. */
function pythonKernel(app: JupyterFrontEnd): string | undefined {
  const specs = app.serviceManager.kernelspecs.specs;
  const first = specs?.kernelspecs[specs.default];
  const python = Object.values(specs?.kernelspecs ?? {}).find(spec => spec?.language === 'python');
  return first?.language === 'python' ? first.name : python?.name;
}

function addCreate(app: JupyterFrontEnd, browser: IDefaultFileBrowser | null, launcher: ILauncher | null): void {
  app.commands.addCommand(COMMANDS.create, {
    label: args => (args.isLauncher ? text('OpenCL') : text('New OpenCL Notebook')),
    caption: text('A new notebook with a kernel to begin from'),
    icon: chipIcon,
    describedBy: argumentsOf({ cwd: { type: 'string' }, isLauncher: { type: 'boolean' } }),
    isVisible: () => app.commands.hasCommand('notebook:create-new'),
    execute: async args => {
      const cwd = typeof args.cwd === 'string' ? args.cwd : (browser?.model.path ?? '');
      const panel = (await app.commands.execute('notebook:create-new', { cwd, kernelName: pythonKernel(app) ?? null })) as NotebookPanel | undefined;
      if (panel?.context) {
        await panel.context.ready;
        await panel.revealed;
        insertCells(panel.content, cellsToInsert(TEMPLATES[0], []));
      }
      return panel;
    }
  });
  launcher?.add({ command: COMMANDS.create, args: { isLauncher: true }, category: 'Notebook', rank: 20, kernelIconUrl: CARD });
}

export const commandsPlugin: JupyterFrontEndPlugin<void> = {
  id: 'cl-magic:commands',
  description: 'Templates of cells, running with checks, the guide, and a card in the launcher.',
  autoStart: true,
  requires: [Base, INotebookTracker, IRenderMimeRegistry],
  optional: [ICommandPalette, ILauncher, IDefaultFileBrowser],
  activate: (app, _base: Base, tracker: INotebookTracker, rendermime: IRenderMimeRegistry, palette: ICommandPalette | null, launcher: ILauncher | null, browser: IDefaultFileBrowser | null) => {
    addInsert(app, tracker);
    addCheck(app, tracker);
    addDocuments(app, rendermime);
    addCreate(app, browser, launcher);
    const { insert, ...others } = COMMANDS;
    TEMPLATES.forEach(template => palette?.addItem({ command: insert, args: { template: template.id }, category: CATEGORY }));
    Object.values(others).forEach(command => palette?.addItem({ command, category: CATEGORY }));
  }
};
