/**
 * Questions to a kernel about its OpenCL session. They go to a subshell where the kernel has any, and are answered while a
 * cell runs; elsewhere they wait for the cell's end.
 */

import type { Kernel, KernelMessage } from '@jupyterlab/services';
import { Facts, readFacts } from './facts.js';
import { text } from './translation.js';

const MODULE = "__import__('cl_magic.lab.panel', fromlist=['panel'])";
const LOADED = "'cl_magic' in __import__('sys').modules";
const ANSWER_MS = 30_000;

/** What a kernel answered: facts, or one sentence on why there are none; `load`: cl_magic is not loaded yet. */
export interface Answer {
  facts?: Facts;
  hint?: string;
  load?: boolean;
}

type Expression = { status?: string; ename?: string; data?: Record<string, unknown> };

function pythonString(value: string): string {
  return JSON.stringify(value);
}

/** One kernel, asked while the panel is open. */
export class KernelFacts {
  private shell: Kernel.IKernelConnection | null = null;
  private starting: Promise<void> | null = null;
  private over = false;
  private isNew = false;

  /** `changed` is called when the facts may be others without a cell: after a restart, after a widget's message. */
  constructor(
    readonly kernel: Kernel.IKernelConnection,
    private readonly changed: () => void
  ) {
    kernel.statusChanged.connect(this.restarted);
    kernel.iopubMessage.connect(this.heard);
  }

  /** Whether questions are answered while a cell runs. */
  get answersWhileBusy(): boolean {
    return this.shell !== null;
  }

  dispose(): void {
    this.over = true;
    this.kernel.statusChanged.disconnect(this.restarted);
    this.kernel.iopubMessage.disconnect(this.heard);
    this.leave();
  }

  /** The facts; cl_magic is not imported for it. */
  facts(): Promise<Answer> {
    return this.ask(`${MODULE}.facts_json() if ${LOADED} else None`);
  }

  /** Search for devices; imports cl_magic where it is not. */
  findDevices(): Promise<Answer> {
    return this.ask(`${MODULE}.find_devices()`);
  }

  chooseDevice(id: string): Promise<Answer> {
    return this.ask(`${MODULE}.choose_device(${pythonString(id)})`);
  }

  /** A run as a MIME bundle; null where it is gone. */
  async run(id: string): Promise<Record<string, unknown> | null> {
    const found = await this.evaluate(`${MODULE}.run_record(${pythonString(id)})`);
    const data = found?.status === 'ok' ? (found.data ?? null) : null;
    return data && ('text/html' in data || data['text/plain'] !== 'None') ? data : null;
  }

  private async ask(expression: string): Promise<Answer> {
    if (!(await this.speaksPython())) {
      return { hint: text('This kernel does not speak Python: there is no OpenCL session in it.') };
    }
    const found = await this.evaluate(expression);
    if (found === null) {
      return { hint: text('The kernel did not answer.') };
    }
    if (found.status !== 'ok') {
      const missing = found.ename === 'ModuleNotFoundError' || found.ename === 'ImportError';
      return { hint: missing ? text('cl_magic is not installed for this kernel: pip install cl_magic') : text('The kernel refused to answer: %1', String(found.ename)) };
    }
    const answer = String(found.data?.['text/plain'] ?? '');
    if (answer === 'None') {
      return { hint: text('cl_magic is not loaded in this notebook: run %1', '%load_ext cl_magic'), load: true };
    }
    const facts = readFacts(answer);
    return typeof facts === 'string' ? { hint: text(facts) } : { facts };
  }

  private async speaksPython(): Promise<boolean> {
    const info = await this.kernel.info;
    return info.language_info?.name === 'python' || info.language_info?.name === 'ipython';
  }

  private async evaluate(expression: string): Promise<Expression | null> {
    await (this.starting ??= this.enter());
    const connection = this.shell ?? this.kernel;
    const content = { code: '', silent: true, store_history: false, allow_stdin: false, user_expressions: { answer: expression } };
    const future = connection.requestExecute(content, false);
    const late = new Promise<null>(resolve => window.setTimeout(() => resolve(null), ANSWER_MS));
    try {
      const reply = await Promise.race([future.done, late]);
      const said = reply?.content as KernelMessage.IExecuteReply | undefined;
      return said?.status === 'ok' ? (said.user_expressions?.answer as Expression) : null;
    } catch {
      return null; // the kernel was restarted or ended
    } finally {
      future.dispose();
    }
  }

  private async enter(): Promise<void> {
    await this.kernel.info;
    if (!this.kernel.supportsSubshells || this.over) {
      return;
    }
    try {
      const reply = (await this.kernel.requestCreateSubshell({}).done).content as { status: string; subshell_id?: string };
      if (reply.status !== 'ok' || !reply.subshell_id) {
        return;
      }
      this.shell = this.kernel.clone();
      this.shell.subshellId = reply.subshell_id;
      if (this.over) {
        this.leave();
      }
    } catch {
      this.shell = null; // then the main shell answers
    }
  }

  private leave(): void {
    this.shell?.dispose();
    this.shell = null;
    this.starting = null;
  }

  private readonly restarted = (_: unknown, status: Kernel.Status): void => {
    if (status === 'restarting' || status === 'autorestarting' || status === 'dead') {
      this.leave();
      this.isNew = true;
    } else if (this.isNew && status === 'idle') {
      this.isNew = false;
      this.changed();
    }
  };

  /** A picker or a slider in the notebook did something: its message was worked off. */
  private readonly heard = (_: unknown, message: KernelMessage.IIOPubMessage): void => {
    const parent = message.parent_header as { msg_type?: string };
    const content = message.content as { execution_state?: string };
    if (message.header.msg_type === 'status' && content.execution_state === 'idle' && parent.msg_type === 'comm_msg') {
      this.changed();
    }
  };
}
