/** Live pictures in place of static ones: the views that the widgets draw with, over what a saved output holds. */

export type Part = 'ndrange' | 'timeline' | 'buffers';
export type Kind = 'run' | 'ndrange' | 'timeline' | 'buffer';

export const PICTURES: readonly Kind[] = ['run', 'ndrange', 'timeline', 'buffer'];
export const mimeOf = (kind: Kind): string => `application/vnd.cl-magic.${kind}.v1+json`;

type Views = typeof import('../../cl_magic/views/js/index.js');
type Payload = Parameters<Views['partOf']>[0];
type Handle = ReturnType<Views['render']>;

/** The views are loaded when the first picture is wanted. */
const views = (): Promise<Views> => import('../../cl_magic/views/js/index.js');

/** A live picture that can be put away. */
export interface Picture {
  destroy(): void;
}

function hint(host: HTMLElement, words: string): void {
  const line = document.createElement('p');
  line.className = 'cl-hint';
  line.textContent = words;
  host.append(line);
}

/** One section of a report: drawn when it is first opened. */
function sectionPicture(section: HTMLDetailsElement, payload: Payload, part: Part, drawing: Views): Picture {
  let handle: Handle | null = null;
  const body = section.querySelector<HTMLElement>(':scope > .body') ?? section;
  const open = (): void => {
    if (!section.open || handle !== null) {
      return;
    }
    const still = Array.from(body.children).filter((child): child is HTMLElement => child instanceof HTMLElement);
    const host = document.createElement('div');
    body.append(host);
    handle = drawing.render(host, drawing.partOf(payload, part));
    still.filter(child => child.tagName !== 'SUMMARY').forEach(child => (child.hidden = true));
  };
  section.addEventListener('toggle', open);
  open();
  return {
    destroy: () => {
      section.removeEventListener('toggle', open);
      handle?.destroy();
    }
  };
}

function hasPart(payload: unknown, part: string): boolean {
  const head = (payload as { head?: Record<string, unknown> }).head;
  return typeof head?.[part] === 'object' && head[part] !== null;
}

/**
 * Draw a payload beside what another renderer made of the same output: in the sections of its report where it has any,
 * else in its place. A payload that cannot be drawn leaves the other one as it is, with one line of why.
 */
export async function drawPictures(host: HTMLElement, still: HTMLElement | null, payload: unknown): Promise<Picture[]> {
  const drawing = await views();
  const wrong = drawing.fault(payload);
  if (wrong !== '') {
    hint(host, wrong);
    return [];
  }
  const sections = Array.from(still?.querySelectorAll<HTMLDetailsElement>('details[data-clm-view]') ?? []);
  if (sections.length > 0) {
    const parts = sections.map(section => ({ section, part: section.dataset.clmView as Part }));
    const drawn = parts.filter(({ part }) => hasPart(payload, part));
    return drawn.map(({ section, part }) => sectionPicture(section, payload as Payload, part, drawing));
  }
  const place = document.createElement('div');
  host.append(place);
  const handle = drawing.render(place, payload);
  still?.setAttribute('hidden', '');
  return [handle];
}
