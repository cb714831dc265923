// A run's report made interactive: the HTML report stays as it is, and a section that is opened gets its live view.

import { IRenderMime, IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { PanelLayout, Widget } from '@lumino/widgets';

import { fault, Handle, partOf, Payload, render } from '../../cl_magic/views/js/index.js';

export const RUN_MIME = 'application/vnd.cl-magic.run.v1+json';


/** Renderer of a bundle that holds a run: its HTML by JupyterLab's own renderer, with live views in the sections. */
export class RunReport extends Widget implements IRenderMime.IRenderer {
  constructor(private registry: IRenderMimeRegistry) {
    super();
    this.layout = new PanelLayout();
    this.addClass('clm-run-report');
  }

  async renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    this.clear();
    const payload = model.data[RUN_MIME] as unknown;
    if (model.data['text/html'] === undefined) {
      this.views.push(render(this.node, payload));
      return;
    }
    const report = this.registry.createRenderer('text/html');
    (this.layout as PanelLayout).addWidget(report);
    await report.renderModel(model);
    if (!fault(payload)) {
      this.upgrade(report.node, payload as Payload);
    }
  }

  dispose(): void {
    this.clear();
    super.dispose();
  }

  /** Sections keep their conclusion; what they unfold to is drawn when they are opened for the first time. */
  private upgrade(root: HTMLElement, payload: Payload): void {
    for (const section of root.querySelectorAll<HTMLDetailsElement>('details[data-clm-view]')) {
      const name = section.dataset.clmView ?? '';
      const body = section.querySelector<HTMLElement>('.body');
      if (body === null || !payload.head[name]) {
        continue;
      }
      const draw = () => {
        if (section.open && !section.classList.contains('clm-drawn')) {
          section.classList.add('clm-drawn');
          const host = document.createElement('div');
          body.replaceChildren(host);
          this.views.push(render(host, partOf(payload, name)));
        }
      };
      section.addEventListener('toggle', draw);
      draw();
    }
  }

  private clear(): void {
    for (const view of this.views.splice(0)) {
      view.destroy();
    }
    for (const child of [...(this.layout as PanelLayout).widgets]) {
      child.dispose();
    }
  }

  private views: Handle[] = [];
}
