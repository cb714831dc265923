// Colours of the buffer view: tables of 256 colours, and cells to pixels. The points are those of display/colour.py.

const BUF_CIVIDIS = [
  [0, 34, 78], [0, 46, 106], [26, 56, 111], [50, 67, 109], [67, 78, 108], [83, 90, 109], [97, 101, 111], [111, 112, 115], [125, 124, 120],
  [140, 136, 120], [155, 148, 118], [171, 160, 114], [188, 174, 108], [205, 187, 99], [222, 201, 88], [240, 216, 70], [254, 232, 56],
];
const BUF_BELOW = [31, 134, 199];
const BUF_ABOVE = [207, 111, 18];
const BUF_TOP = 255;

/** Colours [r, g, b, a] of a table at a share from 0 to 1: "gray", "cividis" or "signs" (paper at the middle). */
export function bufColour(table, share) {
  if (table === "gray") return [...new Array(3).fill(Math.round(share * BUF_TOP)), BUF_TOP];
  if (table === "signs") {
    const signed = 2 * share - 1;
    return [...(signed < 0 ? BUF_BELOW : BUF_ABOVE), Math.round(Math.abs(signed) * BUF_TOP)];
  }
  const at = share * (BUF_CIVIDIS.length - 1);
  const from = Math.min(Math.floor(at), BUF_CIVIDIS.length - 2);
  return [...BUF_CIVIDIS[from].map((low, i) => Math.round(low + (at - from) * (BUF_CIVIDIS[from + 1][i] - low))), BUF_TOP];
}

/** The 256 colours of a table as one number each, in the byte order of a canvas on little-endian machines. */
export function bufTable(table) {
  const colours = new Uint32Array(256);
  for (let i = 0; i < 256; i += 1) colours[i] = bufPacked(bufColour(table, i / BUF_TOP));
  return colours;
}

export function bufPacked([r, g, b, a]) {
  return ((a << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

/**
 * Pixels of a plane of numbers. `plane`: {rows, columns, offset, down, right}: where its cells lie among the picture's.
 * Not finite: `bad`.
 */
export function bufPaint(picture, plane, scale, table, bad) {
  const { rows, columns, offset, down, right } = plane;
  const pixels = new Uint32Array(rows * columns);
  const colours = bufTable(table);
  const { cells, read } = picture;
  // Few codes: one colour for each, so that a moving picture costs a look-up a cell.
  const known = picture.codes > 0 && cells.BYTES_PER_ELEMENT === 1 ? bufCodeColours(picture, scale, colours, bad) : null;
  let out = 0;
  for (let row = 0; row < rows; row += 1) {
    let place = offset + row * down;
    for (let column = 0; column < columns; column += 1, place += right, out += 1) {
      if (known) { pixels[out] = known[cells[place]]; continue; }
      const value = read(place);
      pixels[out] = Number.isFinite(value) ? colours[Math.round(scale.share(Number(value)) * BUF_TOP)] : bad;
    }
  }
  return new Uint8ClampedArray(pixels.buffer);
}

function bufCodeColours(picture, scale, colours, bad) {
  const known = new Uint32Array(256);
  for (let code = 0; code < 256; code += 1) {
    const share = picture.codes > 1 ? code / (picture.codes - 1) : 0;
    const value = picture.low * (1 - share) + picture.high * share;
    known[code] = code < picture.codes ? colours[Math.round(scale.share(value) * BUF_TOP)] : bad;
  }
  return known;
}

/** Pixels of a colour image; `step` is the stride from one component to the next, `count` 2 to 4 of them. */
export function bufPaintColours(picture, plane, scale, count, step, bad) {
  const { rows, columns, offset, down, right } = plane;
  const pixels = new Uint32Array(rows * columns);
  let out = 0;
  for (let row = 0; row < rows; row += 1) {
    let place = offset + row * down;
    for (let column = 0; column < columns; column += 1, place += right, out += 1) {
      const parts = [0, 0, 0, 1];
      let finite = true;
      for (let i = 0; i < count; i += 1) {
        const value = picture.read(place + i * step);
        finite &&= Number.isFinite(value);
        parts[i] = scale.share(value);
      }
      pixels[out] = finite ? bufPacked(parts.map((share) => Math.round(share * BUF_TOP))) : bad;
    }
  }
  return new Uint8ClampedArray(pixels.buffer);
}

/** Ink that can be read on a colour: dark or light. */
export function bufInkOn([r, g, b, a], paperIsDark) {
  const paper = paperIsDark ? 17 : 255;
  const mixed = [r, g, b].map((part) => (part * a + paper * (BUF_TOP - a)) / BUF_TOP);
  return 0.299 * mixed[0] + 0.587 * mixed[1] + 0.114 * mixed[2] > 140 ? "#000" : "#fff";
}

/** "#d32f2f" or "rgb(211, 47, 47)" as [r, g, b, a]; red where it is neither. */
export function bufParsed(text) {
  const hex = /^#([0-9a-f]{6})$/i.exec(text.trim());
  if (hex) return [0, 2, 4].map((at) => parseInt(hex[1].slice(at, at + 2), 16)).concat(BUF_TOP);
  const numbers = text.match(/[\d.]+/g)?.map(Number) ?? [];
  return numbers.length >= 3 ? [...numbers.slice(0, 3), BUF_TOP] : [211, 47, 47, BUF_TOP];
}
