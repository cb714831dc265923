/** From a position in a build report to the line of the cell. */

import { cellOfNode, headerCellIndex, moveTo } from './notebooks.js';
import { text } from './translation.js';

export interface Position {
  /** "" for the cell itself, else a header's name. */
  file: string;
  line: number;
  column: number;
}

const POSITION = /^(?:([^:]*[^:\d][^:]*):)?(\d{1,7})(?::(\d{1,7}))?$/;

/** `12:17`, `12`, or `common.h:3:5`; null for other text. */
export function parsePosition(words: string): Position | null {
  const found = POSITION.exec(words.trim());
  return found ? { file: found[1] ?? '', line: Number(found[2]), column: Number(found[3] ?? 1) } : null;
}

async function jump(element: Element, position: Position): Promise<void> {
  const place = cellOfNode(element);
  if (place === null) {
    return;
  }
  const index = position.file ? headerCellIndex(place.panel, position.file) : place.index;
  if (index >= 0) {
    await moveTo(place.panel, index, position.line, position.column);
  }
}

/** Make the positions of a build report links to their lines. */
export function linkPositions(host: Element): void {
  for (const element of host.querySelectorAll<HTMLElement>('.clm .diag .pos')) {
    const position = parsePosition(element.textContent ?? '');
    if (position === null) {
      continue;
    }
    element.classList.add('cl-jump');
    element.setAttribute('role', 'link');
    element.tabIndex = 0;
    element.title = text('Go to line %1', position.line);
    element.addEventListener('click', () => void jump(element, position));
    element.addEventListener('keydown', event => {
      if (event.key === 'Enter') {
        event.preventDefault();
        event.stopPropagation();
        void jump(element, position);
      }
    });
  }
}
