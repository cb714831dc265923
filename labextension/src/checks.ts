/** Running a cell with checks: on the simulator, which names bad indices, races and uninitialised reads. */

import { magicLine } from './magic.js';

const DEVICE = /(\s)--device(?:=|\s+)(?:'[^']*'|"[^"]*"|\S+)/;
const CHECKED = '--device=oclgrind';

/** What to change in a cell so that it runs on the simulator: the new magic line; null where nothing is to change. */
export function checkedLine(source: string): { from: number; to: number; text: string } | null {
  const line = magicLine(source);
  if (line === null) {
    return null;
  }
  const text = DEVICE.test(line.text) ? line.text.replace(DEVICE, `$1${CHECKED}`) : `${line.text.trimEnd()} ${CHECKED}`;
  return text === line.text ? null : { from: line.from, to: line.to, text };
}
