/** The side panel: what the notebook in front has for OpenCL. It asks a kernel only while it is open. */

import { ILayoutRestorer } from '@jupyterlab/application';
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette, MainAreaWidget } from '@jupyterlab/apputils';
import { INotebookTracker, NotebookActions } from '@jupyterlab/notebook';
import type { NotebookPanel } from '@jupyterlab/notebook';
import { IRenderMimeRegistry, MimeModel } from '@jupyterlab/rendermime';
import type { JSONObject } from '@lumino/coreutils';
import type { Message } from '@lumino/messaging';
import { Panel, Widget } from '@lumino/widgets';
import { Base } from './base.js';
import type { ProgramFacts, RunFacts } from './facts.js';
import { chipIcon } from './icon.js';
import { Answer, KernelFacts } from './kernelFacts.js';
import { isOpenCL } from './magic.js';
import { cellIndexOfCount, cellsOf, moveTo } from './notebooks.js';
import { PanelActions, drawFacts, drawHint } from './panelView.js';
import { settings } from './settings.js';
import { text } from './translation.js';

const SOON_MS = 150;

class SidePanel extends Widget {
  private asking: KernelFacts | null = null;
  private panel: NotebookPanel | null = null;
  private timer = 0;
  private soonTimer = 0;
  private inFlight = false;
  private again = false;
  private drawn = '';

  constructor(
    private readonly tracker: INotebookTracker,
    private readonly showRun: (run: RunFacts, bundle: JSONObject, beside: NotebookPanel) => void
  ) {
    super();
    this.id = 'cl-magic-panel';
    this.addClass('cl-panel');
    this.title.icon = chipIcon;
    this.title.caption = text('OpenCL');
    this.node.setAttribute('aria-label', text('OpenCL'));
    this.node.setAttribute('role', 'region');
  }

  protected onAfterShow(message: Message): void {
    super.onAfterShow(message);
    this.tracker.currentChanged.connect(this.turn);
    NotebookActions.executed.connect(this.soon);
    this.timer = window.setInterval(() => this.whileBusy(), settings().panelSeconds * 1000);
    this.turn();
  }

  protected onBeforeHide(message: Message): void {
    super.onBeforeHide(message);
    this.tracker.currentChanged.disconnect(this.turn);
    NotebookActions.executed.disconnect(this.soon);
    window.clearInterval(this.timer);
    window.clearTimeout(this.soonTimer);
    this.follow(null);
  }

  /** Ask the kernel of the notebook in front. */
  private readonly turn = (): void => {
    if (!this.isVisible) {
      return;
    }
    this.follow(this.tracker.currentWidget);
    void this.refresh();
  };

  private readonly soon = (): void => {
    window.clearTimeout(this.soonTimer);
    this.soonTimer = window.setTimeout(() => void this.refresh(), SOON_MS);
  };

  private follow(panel: NotebookPanel | null): void {
    if (panel !== this.panel) {
      this.panel?.sessionContext.kernelChanged.disconnect(this.turn);
      panel?.sessionContext.kernelChanged.connect(this.turn);
      this.panel = panel;
    }
    const kernel = panel?.sessionContext.session?.kernel ?? null;
    if (this.asking?.kernel !== kernel) {
      this.asking?.dispose();
      this.asking = kernel ? new KernelFacts(kernel, this.soon) : null;
      this.drawn = '';
    }
  }

  private whileBusy(): void {
    const busy = this.asking?.kernel.status === 'busy';
    if (busy && this.asking?.answersWhileBusy && document.visibilityState === 'visible') {
      void this.refresh();
    }
  }

  private async refresh(): Promise<void> {
    if (this.inFlight) {
      this.again = true;
      return;
    }
    this.inFlight = true;
    const asking = this.asking;
    try {
      if (asking === null) {
        this.draw(null, { hint: this.panel ? text('This notebook has no kernel.') : text('Open a notebook to see its OpenCL session.') });
      } else {
        this.draw(asking, await asking.facts());
      }
    } finally {
      this.inFlight = false;
      if (this.again) {
        this.again = false;
        this.soon();
      }
    }
  }

  private draw(asked: KernelFacts | null, answer: Answer): void {
    const words = JSON.stringify(answer);
    if (asked !== this.asking || this.isDisposed || words === this.drawn) {
      return;
    }
    this.drawn = words;
    if (answer.facts) {
      drawFacts(this.node, answer.facts, this.actions);
    } else {
      const load = { label: text('Find devices'), run: () => this.actions.findDevices() };
      drawHint(this.node, answer.hint ?? '', answer.load ? load : undefined);
    }
  }

  private async act(question: (asking: KernelFacts) => Promise<Answer>): Promise<void> {
    const asking = this.asking;
    if (asking === null) {
      return;
    }
    this.node.setAttribute('aria-busy', 'true');
    try {
      this.drawn = '';
      this.draw(asking, await question(asking));
    } finally {
      this.node.removeAttribute('aria-busy');
    }
  }

  private readonly actions: PanelActions = {
    findDevices: () => void this.act(asking => asking.findDevices()),
    chooseDevice: id => void this.act(asking => asking.chooseDevice(id)),
    showCell: program => void this.showCell(program),
    showRun: run => void this.fetchRun(run)
  };

  private async showCell(program: ProgramFacts): Promise<void> {
    const panel = this.panel;
    const index = panel ? cellOf(panel, program) : -1;
    if (panel && index >= 0) {
      await moveTo(panel, index, 1, 1);
    }
  }

  private async fetchRun(run: RunFacts): Promise<void> {
    const panel = this.panel;
    const bundle = await this.asking?.run(run.id);
    if (bundle && panel) {
      this.showRun(run, bundle as JSONObject, panel);
    } else {
      void this.refresh();
    }
  }
}

/** The cell that a program came from: by its number, else by the kernels in it. */
function cellOf(panel: NotebookPanel, program: ProgramFacts): number {
  const sources = cellsOf(panel).map(cell => cell.sharedModel.getSource());
  const names = program.kernels.map(kernel => kernel.name);
  const has = (source: string) => isOpenCL(source) && names.every(name => source.includes(name));
  const numbered = cellIndexOfCount(panel, Number(/^cell \[(\d+)\]$/.exec(program.source)?.[1] ?? -1));
  return numbered >= 0 && has(sources[numbered]) ? numbered : sources.findIndex(has);
}

/** The picture of a run as a tab beside the notebook; the same run opens once. */
function runOpener(app: JupyterFrontEnd, rendermime: IRenderMimeRegistry): (run: RunFacts, bundle: JSONObject, beside: NotebookPanel) => void {
  return (run, bundle, beside) => {
    const id = `cl-magic-run-${run.id}`;
    const open = Array.from(app.shell.widgets('main')).find(widget => widget.id === id);
    if (open) {
      app.shell.activateById(id);
      return;
    }
    const model = new MimeModel({ data: bundle, trusted: true });
    const renderer = rendermime.createRenderer(rendermime.preferredMimeType(bundle, 'any') ?? 'text/plain');
    const content = new Panel();
    content.addClass('cl-run-tab');
    content.addWidget(renderer);
    const widget = new MainAreaWidget({ content });
    widget.id = id;
    widget.title.label = text('Run of %1', run.kernel);
    widget.title.icon = chipIcon;
    widget.title.closable = true;
    void renderer.renderModel(model).then(() => {
      content.node.querySelectorAll<HTMLDetailsElement>('.clm > details, details[data-clm-view="ndrange"]').forEach(details => (details.open = true));
    });
    app.shell.add(widget, 'main', { mode: 'split-right', ref: beside.id });
  };
}

export const panelPlugin: JupyterFrontEndPlugin<void> = {
  id: 'cl-magic:panel',
  description: 'A side panel with the devices, programs, arrays and runs of the notebook in front.',
  autoStart: true,
  requires: [Base, INotebookTracker, IRenderMimeRegistry],
  optional: [ILayoutRestorer, ICommandPalette],
  activate: (app, _base: Base, tracker: INotebookTracker, rendermime: IRenderMimeRegistry, restorer: ILayoutRestorer | null, palette: ICommandPalette | null) => {
    const panel = new SidePanel(tracker, runOpener(app, rendermime));
    app.shell.add(panel, 'right', { rank: 900, type: 'OpenCL' });
    restorer?.add(panel, panel.id);
    const command = 'cl-magic:show-panel';
    app.commands.addCommand(command, {
      label: text('Show the OpenCL Panel'),
      describedBy: { args: { type: 'object', properties: {} } },
      execute: () => app.shell.activateById(panel.id)
    });
    palette?.addItem({ command, category: 'OpenCL' });
  }
};
