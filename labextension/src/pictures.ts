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

function split(body: Element): [Element[], Element[]] {
  const all = Array.from(body.children);
  return [all.filter(child => child.tagName === 'SUMMARY'), all.filter(child => child.tagName !== 'SUMMARY')];
}

/** One section of a report: drawn when it is first opened. */
function sectionPicture(section: HTMLDetailsElement, payload: Payload, part: Part, drawing: Views): Picture {
  let handle: Handle | null = null;
  let restore = (): void => undefined;
  const body = section.querySelector<HTMLElement>(':scope > .body') ?? section;
  const open = (): void => {
    if (!section.open || handle !== null) {
      return;
    }
    const host = document.createElement('div');
    // The still picture goes while the live one is there: both at once would say everything twice.
    const [summary, rest] = split(body);
    body.replaceChildren(...summary, host);
    handle = drawing.render(host, drawing.partOf(payload, part));
    restore = () => body.replaceChildren(...summary, ...rest);
  };
  section.addEventListener('toggle', open);
  open();
  return {
    destroy: () => {
      section.removeEventListener('toggle', open);
      handle?.destroy();
      restore();
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
