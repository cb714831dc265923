// Statistics of the commands that ended in an interval: sums by prefix, the median and 95th percentile by selection.

import { tlBusyUntil, tlUpTo, TL_UNTIMED, TL_WARM } from "./timeline_model.js";

const TL_TABLE = 1 << 22;

/** The k-th smallest of `values[left…right]`, which it reorders (Floyd and Rivest's SELECT). */
export function tlSelect(values, k, left = 0, right = values.length - 1) {
  while (right > left) {
    if (right - left > 600) {
      const n = right - left + 1;
      const m = k - left + 1;
      const z = Math.log(n);
      const s = 0.5 * Math.exp((2 * z) / 3);
      const sd = 0.5 * Math.sqrt((z * s * (n - s)) / n) * (m < n / 2 ? -1 : 1);
      tlSelect(values, k, Math.max(left, Math.floor(k - (m * s) / n + sd)), Math.min(right, Math.floor(k + ((n - m) * s) / n + sd)));
    }
    const pivot = values[k];
    let i = left;
    let j = right;
    tlSwap(values, left, k);
    if (values[right] > pivot) tlSwap(values, left, right);
    while (i < j) {
      tlSwap(values, i, j);
      i += 1;
      j -= 1;
      while (values[i] < pivot) i += 1;
      while (values[j] > pivot) j -= 1;
    }
    if (values[left] === pivot) tlSwap(values, left, j);
    else { j += 1; tlSwap(values, j, right); }
    if (j <= k) left = j + 1;
    if (k <= j) right = j - 1;
  }
  return values[k];
}

function tlSwap(values, i, j) {
  const kept = values[i];
  values[i] = values[j];
  values[j] = kept;
}

/** Median (mean of the middle two) and 95th percentile (nearest rank) of values, which are reordered. */
export function tlQuantiles(values) {
  const count = values.length;
  const upper = count >> 1;
  let median = tlSelect(values, upper);
  if (count % 2 === 0) {
    let below = -Infinity;
    for (let i = 0; i < upper; i += 1) if (values[i] > below) below = values[i];
    median = (below + median) / 2;
  }
  const rank = Math.ceil((count * 95) / 100) - 1;
  return { median, p95: rank > upper ? tlSelect(values, rank, upper) : rank === upper ? values[rank] : tlSelect(values, rank) };
}

export class TlStatistics {
  constructor(model) {
    this.model = model;
    this.shifts = model.lanes.map(() => 0);
    this.parts = tlParts(model);
  }

  /** Rows of what ended after `from` and not after `to`, longest total first, warm-ups at the end. */
  rows(from, to) {
    const rows = new Map();
    for (const part of this.parts) {
      const shift = this.shifts[part.lane];
      const first = tlUpTo(part.ends, from - shift);
      const last = tlUpTo(part.ends, to - shift);
      if (last <= first) continue;
      if (!rows.has(part.row)) {
        const { run, kind, name, warmup, launch } = part;
        rows.set(part.row, { run, kind, name, warmup, launch, count: 0, total: 0, bytes: 0, pieces: [], runs: part.runs?.subarray(first, last) ?? null });
      }
      const row = rows.get(part.row);
      row.count += last - first;
      row.total += part.times[last] - part.times[first];
      row.bytes += part.moved[last] - part.moved[first];
      row.pieces.push(part.durations.subarray(first, last));
    }
    const found = [...rows.values()];
    return [...found, ...tlWholeRuns(found, this.model.head.runs)].map((row) => tlFinished(row, this.model.head.runs[row.run]))
      .sort((a, b) => a.warmup - b.warmup || b.total - a.total || (a.name < b.name ? -1 : 1));
  }

  /** What each lane did between two times: commands that ended, and time busy. */
  lanes(from, to) {
    return this.model.lanes.map((lane) => {
      const shift = this.shifts[lane.number];
      const [first, last] = [from - shift, to - shift];
      const busy = tlBusyUntil(lane, last) - tlBusyUntil(lane, first);
      return { lane, busy, share: to > from ? busy / (to - from) : 0 };
    });
  }
}

/** Of a kernel whose runs are several launches: a row of whole runs, where the interval holds every launch of them. */
function tlWholeRuns(rows, runs) {
  const together = new Map();
  for (const row of rows) {
    if (row.launch === null) continue;
    const key = `${row.run} ${Number(row.warmup)} ${row.name}`;
    together.set(key, [...(together.get(key) ?? []), row]);
  }
  const whole = [];
  for (const launches of together.values()) {
    const [first] = launches;
    const same = launches.every((row) => row.pieces.length === 1 && row.count === first.count && row.runs.every((run, i) => run === first.runs[i]));
    if (!same || launches.length !== runs[first.run].roles.length) continue;
    const sums = first.pieces[0].map((_, i) => launches.reduce((sum, row) => sum + row.pieces[0][i], 0));
    const total = launches.reduce((sum, row) => sum + row.total, 0);
    whole.push({ ...first, launch: "all", total, bytes: 0, pieces: [sums] });
  }
  return whole;
}

function tlFinished(row, run) {
  const values = new Float64Array(row.count);
  let at = 0;
  for (const piece of row.pieces) { values.set(piece, at); at += piece.length; }
  const { median, p95 } = tlQuantiles(values);
  const { pieces, runs, ...facts } = row;
  const moved = tlMoved(row, run);
  // A run's rate is that of the median run, as the record's own summary has it.
  const rate = row.kind === "kernel" ? moved / row.count / median : moved / row.total;
  return { ...facts, median, p95, moved, rate: moved && Number.isFinite(rate) ? rate : 0 };
}

/** Bytes that the rate of a row counts: those of its transfers, or the arrays' of whole runs of the record's kernel. */
function tlMoved(row, run) {
  if (row.kind !== "kernel") return row.bytes;
  const whole = row.launch === null || row.launch === "all";
  return row.warmup || !whole || !run.run_bytes || row.name !== run.kernel ? 0 : run.run_bytes * row.count;
}

/** The commands of each lane by kind, name and role, in order of their ends, with running sums. */
function tlParts(model) {
  const { head, count } = model;
  const kinds = head.kinds.length;
  const launches = Math.max(1, ...head.runs.map((run) => run.roles?.length ?? 1));
  const split = model.lanes.map((lane) => (head.runs[lane.run].roles?.length ?? 1) > 1);
  const partOf = (i) => (split[model.lane[i]] && model.kind[i] === 0 ? Math.min(launches - 1, model.part[i]) : 0);
  const keyOf = (i) => (((model.lane[i] * launches + partOf(i)) * head.names.length + model.name[i]) * kinds + model.kind[i]) * 2 + (model.flags[i] & TL_WARM);
  const numbers = tlNumbers(2 * model.lanes.length * launches * head.names.length * kinds);
  const group = new Int32Array(count).fill(-1);
  const sizes = [];
  for (let i = 0; i < count; i += 1) {
    if (model.flags[i] & TL_UNTIMED) continue;
    const number = numbers(keyOf(i));
    group[i] = number;
    if (number === sizes.length) sizes.push(0);
    sizes[number] += 1;
  }
  const ids = sizes.map((size) => new Uint32Array(size));
  sizes.fill(0);
  for (let i = 0; i < count; i += 1) {
    if (group[i] < 0) continue;
    ids[group[i]][sizes[group[i]]] = i;
    sizes[group[i]] += 1;
  }
  return ids.map((own) => tlPart(model, own, split));
}

/** Numbers keys in the order they come: by a table where it is not too large, which is several times quicker. */
function tlNumbers(range) {
  const table = range <= TL_TABLE ? new Int32Array(range).fill(-1) : new Map();
  let given = 0;
  if (table instanceof Map) return (key) => table.get(key) ?? (table.set(key, given), (given += 1) - 1);
  return (key) => (table[key] >= 0 ? table[key] : (table[key] = (given += 1) - 1));
}

function tlPart(model, ids, split) {
  const { end, duration, bytes } = model;
  if (ids.some((id, i) => i > 0 && end[ids[i - 1]] > end[id])) ids.sort((a, b) => end[a] - end[b]);
  const size = ids.length;
  const first = ids[0];
  const lane = model.lane[first];
  const part = { lane, run: model.lanes[lane].run, kind: model.kindOf(first), name: model.nameOf(first), warmup: model.is(first, TL_WARM),
    ends: new Float64Array(size), durations: new Float64Array(size), times: new Float64Array(size + 1), moved: new Float64Array(size + 1) };
  part.launch = split[lane] && model.kind[first] === 0 ? model.part[first] : null;
  part.runs = part.launch === null ? null : Int32Array.from(ids, (id) => model.run[id]);
  part.row = `${part.run} ${part.kind} ${Number(part.warmup)} ${part.launch} ${part.name}`;
  for (let i = 0; i < size; i += 1) {
    part.ends[i] = end[ids[i]];
    part.durations[i] = duration[ids[i]];
    part.times[i + 1] = part.times[i] + duration[ids[i]];
    part.moved[i + 1] = part.moved[i] + bytes[ids[i]];
  }
  return part;
}
