/** The first line of a cell of OpenCL C: what IPython takes for one, read from the cell's text. */

export interface MagicLine {
  /** Number of the line, from 0. */
  index: number;
  /** Offset of the line's first character in the cell. */
  from: number;
  /** Offset after its last character. */
  to: number;
  /** The line, with its indent. */
  text: string;
}

const MAGIC = /^[ \t]*%%opencl(?![\w.-])/;
const BLANK = /^\s*$/;

/** The `%%opencl` line: the first that is not blank, indented or not; null in every other cell. */
export function magicLine(source: string): MagicLine | null {
  let from = 0;
  for (let index = 0; from <= source.length; index += 1) {
    const end = source.indexOf('\n', from);
    const to = end < 0 ? source.length : end;
    const text = source.slice(from, to);
    if (!BLANK.test(text)) {
      return MAGIC.test(text) ? { index, from, to, text } : null;
    }
    from = to + 1;
  }
  return null;
}

/** Whether a cell is one of OpenCL C. */
export function isOpenCL(source: string): boolean {
  return magicLine(source) !== null;
}

/** Name of the virtual header that a cell keeps (`--header=common.h`), else "". */
export function headerName(source: string): string {
  const found = /\s--header(?:=|\s+)(?:'([^']*)'|"([^"]*)"|(\S+))/.exec(magicLine(source)?.text ?? '');
  return found ? (found[1] ?? found[2] ?? found[3]) : '';
}
