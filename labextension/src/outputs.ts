/**
 * The renderer of our outputs. Another renderer draws the rest of the bundle (the report in HTML, a PNG, text), just as in
 * a front end without this extension; to it are added links from positions to lines, and live pictures.
 */

import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import { Panel } from '@lumino/widgets';
import { Base } from './base.js';
import { DIAGNOSTICS_MIME } from './diagnostics.js';
import { linkPositions } from './jump.js';
import { PICTURES, Picture, drawPictures, mimeOf } from './pictures.js';
import { settings } from './settings.js';

const MIMES: readonly string[] = [DIAGNOSTICS_MIME, ...PICTURES.map(mimeOf)];
/** Before HTML's 50. */
const RANK = 30;

class Output extends Panel implements IRenderMime.IRenderer {
  private turn = 0;
  private pictures: Picture[] = [];

  constructor(
    private readonly options: IRenderMime.IRendererOptions,
    private readonly registry: IRenderMimeRegistry
  ) {
    super();
    this.addClass('cl-output');
  }

  async renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    const turn = (this.turn += 1);
    this.clear();
    const still = await this.drawStill(model);
    if (turn !== this.turn || this.isDisposed) {
      return;
    }
    linkPositions(this.node);
    for (const kind of PICTURES) {
      const payload = model.data[mimeOf(kind)];
      if (payload !== undefined && (settings().pictures || still === null)) {
        this.pictures.push(...(await drawPictures(this.node, still, payload)));
      }
    }
    if (turn !== this.turn || this.isDisposed) {
      this.clear();
    }
  }

  dispose(): void {
    if (!this.isDisposed) {
      this.clear();
    }
    super.dispose();
  }

  /** What a front end without this extension shows. */
  private async drawStill(model: IRenderMime.IMimeModel): Promise<HTMLElement | null> {
    const others = Object.fromEntries(Object.entries(model.data).filter(([mime]) => !MIMES.includes(mime)));
    const mimeType = this.registry.preferredMimeType(others, model.trusted ? 'any' : 'prefer');
    const factory = mimeType ? this.registry.getFactory(mimeType) : undefined;
    if (mimeType === undefined || factory === undefined) {
      return null;
    }
    const renderer = factory.createRenderer({ ...this.options, mimeType });
    this.addWidget(renderer);
    await renderer.renderModel(model);
    return renderer.node;
  }

  private clear(): void {
    this.pictures.splice(0).forEach(picture => picture.destroy());
    for (const widget of [...this.widgets]) {
      widget.dispose();
    }
    this.node.replaceChildren();
  }
}

export const outputsPlugin: JupyterFrontEndPlugin<void> = {
  id: 'cl-magic:outputs',
  description: 'Positions of build reports as links, live pictures in saved outputs.',
  autoStart: true,
  requires: [Base, IRenderMimeRegistry],
  activate: (_app, _base: Base, registry: IRenderMimeRegistry) => {
    registry.addFactory(
      { safe: true, mimeTypes: MIMES, defaultRank: RANK, createRenderer: options => new Output(options, registry) },
      RANK
    );
  }
};
