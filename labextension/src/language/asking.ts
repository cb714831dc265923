/**
 * Questions to the kernel about a cell that is being typed. They go over a subshell where the kernel has any, so that they
 * are answered while a cell runs; elsewhere they are asked while it is idle only, and never wait behind a cell.
 */

import type { CodeEditor } from '@jupyterlab/codeeditor';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { Kernel, KernelMessage } from '@jupyterlab/services';
import { cellsOf, isCodeCell, panelOfModel } from '../notebooks.js';

const SERVICE = "__import__('cl_magic.magics.language_service', fromlist=['answer']).answer";
const ANSWER_MS = 30_000;

export type Ask = 'check' | 'complete' | 'explain' | 'start';

type Loose = Record<string, unknown>;
type Expression = { status?: string; data?: Loose };

/** The expression that puts a question to the kernel; the text is a literal in it, never code. */
export function expressionOf(ask: Ask, cell: string, offset: number): string {
  const literal = JSON.stringify(JSON.stringify({ ask, cell, offset }));
  return `${SERVICE}(${literal.replace(/[\u007f-\uffff]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)})`;
}

/** The kernel of one notebook, asked about its cells. */
class Asking {
  private shell: Kernel.IKernelConnection | null = null;
  private entering: Promise<void> | null = null;
  private lacksService = false;

  constructor(private readonly kernel: Kernel.IKernelConnection) {
    kernel.statusChanged.connect(this.changed);
    kernel.disposed.connect(() => this.leave());
  }

  async ask(ask: Ask, cell: string, offset: number): Promise<Loose | null> {
    if (this.lacksService || this.kernel.isDisposed) {
      return null;
    }
    await (this.entering ??= this.enter());
    const connection = this.shell ?? this.kernel;
    if (this.shell === null && this.kernel.status !== 'idle') {
      return null;
    }
    const user_expressions = { answer: expressionOf(ask, cell, offset) };
    const content = { code: '', silent: true, store_history: false, allow_stdin: false, user_expressions };
    const future = connection.requestExecute(content, false);
    const late = new Promise<null>(resolve => window.setTimeout(() => resolve(null), ANSWER_MS));
    try {
      const reply = await Promise.race([future.done, late]);
      return this.read(reply?.content as KernelMessage.IExecuteReply | undefined);
    } catch {
      return null; // the kernel was restarted or ended
    } finally {
      future.dispose();
    }
  }

  private read(reply: KernelMessage.IExecuteReply | undefined): Loose | null {
    const said = reply?.status === 'ok' ? (reply.user_expressions?.answer as Expression | undefined) : undefined;
    if (said?.status === 'error') {
      this.lacksService = true; // no cl_magic in this kernel: it is not asked again before a restart
    }
    const answer = said?.data?.['application/json'];
    return typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? (answer as Loose) : null;
  }

  private async enter(): Promise<void> {
    const info = await this.kernel.info;
    this.lacksService = info.language_info?.name !== 'python';
    if (this.lacksService || !this.kernel.supportsSubshells) {
      return;
    }
    try {
      const reply = (await this.kernel.requestCreateSubshell({}).done).content as { status: string; subshell_id?: string };
      if (reply.status === 'ok' && reply.subshell_id) {
        this.shell = this.kernel.clone();
        this.shell.subshellId = reply.subshell_id;
      }
    } catch {
      this.shell = null;
    }
  }

  private leave(): void {
    this.shell?.dispose();
    this.shell = null;
    this.entering = null;
    this.lacksService = false;
  }

  private readonly changed = (_: unknown, status: Kernel.Status): void => {
    if (status === 'restarting' || status === 'autorestarting' || status === 'dead') {
      this.leave();
    }
  };
}

const known = new WeakMap<Kernel.IKernelConnection, Asking>();

/** Whether every code cell of a notebook is trusted, which is what JupyterLab calls a trusted notebook. */
export function isTrusted(panel: NotebookPanel): boolean {
  return cellsOf(panel).every(cell => !isCodeCell(cell) || cell.trusted);
}

/** Ask the kernel of the notebook that a cell is in; null where there is none, it is not trusted, or has no cl_magic. */
export async function askAbout(model: CodeEditor.IModel, ask: Ask, cell: string, offset = 0): Promise<Loose | null> {
  const panel = panelOfModel(model);
  const kernel = panel?.sessionContext.session?.kernel;
  if (!panel || !kernel || !isTrusted(panel)) {
    return null;
  }
  let asking = known.get(kernel);
  if (asking === undefined) {
    asking = new Asking(kernel);
    known.set(kernel, asking);
  }
  return asking.ask(ask, cell, offset);
}
