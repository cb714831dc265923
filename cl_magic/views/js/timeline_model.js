// Commands of a timeline as sorted columns: what is between two times is found by halving, whatever their number.

export const TL_CATEGORIES = ["run", "k2", "k3", "remainder", "transfer", "dep", "warm"];
export const TL_WARM = 1;
export const TL_CLAMPED = 2;
const TL_REMAINDER = 4;
export const TL_UNTIMED = 8;
const TL_MOVES = new Set(["write", "read", "map", "unmap"]);

/** How many entries of a sorted array are below a value. */
export function tlBelow(sorted, value) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] < value) low = middle + 1; else high = middle;
  }
  return low;
}

/** How many entries of a sorted array are at most a value. */
export function tlUpTo(sorted, value) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] <= value) low = middle + 1; else high = middle;
  }
  return low;
}

/** Time busy from the beginning to `at`, of disjoint stretches in order: `{begin, stop, before}`. */
export function tlBusyUntil({ begin, stop, before }, at) {
  const last = tlUpTo(begin, at) - 1;
  return last < 0 ? 0 : before[last] + Math.min(at, stop[last]) - begin[last];
}

const TL_COLUMN_NAMES = ["start_step", "duration", "wait", "pending", "bytes", "kind", "name", "lane", "flags", "run", "part"];

/** A payload is data from anywhere: all columns must be there, of one length, and their codes stand for something. */
function tlCheck(head, columns) {
  const count = columns.duration?.length;
  const missing = TL_COLUMN_NAMES.find((name) => columns[name]?.length !== count || count === undefined);
  if (missing) throw new Error(`the column ${missing} is missing or too short`);
  if (columns.index && columns.index.length !== count) throw new Error("the column index is too short");
  for (const [name, size] of [["kind", head.kinds.length], ["name", head.names.length], ["lane", head.lanes.length]]) {
    if (columns[name].some((code) => !(code >= 0 && code < size))) throw new Error(`the column ${name} holds a code that means nothing`);
  }
  if (columns.edges?.some((id) => !(id >= 0 && id < count))) throw new Error("an arrow leads to no command");
  if (head.lanes.some((lane) => !head.runs[lane.run])) throw new Error("a lane is of no run");
}

export class TlModel {
  constructor(data) {
    const { head, columns } = data;
    tlCheck(head, columns);
    Object.assign(this, { head, columns, record: data.record, kind: columns.kind, name: columns.name, lane: columns.lane, bytes: columns.bytes,
      run: columns.run, part: columns.part, flags: columns.flags, duration: columns.duration, index: columns.index ?? null });
    this.count = columns.duration.length;
    this.times();
    this.category = this.categories();
    this.matching = null;
    this.lanes = head.lanes.map((lane, number) => ({ ...lane, number }));
    this.sort();
    this.density = columns.density ? { cells: columns.density, shape: data.shapes.density } : null;
    this.edges = columns.edges ?? null;
  }

  times() {
    const { count, columns } = this;
    this.start = new Float64Array(count);
    this.end = new Float64Array(count);
    let at = 0;
    for (let i = 0; i < count; i += 1) {
      at += columns.start_step[i];
      this.start[i] = at;
      this.end[i] = at + columns.duration[i];
    }
  }

  submitted(i) { return this.start[i] - this.columns.wait[i]; }

  queued(i) { return this.start[i] - this.columns.wait[i] - this.columns.pending[i]; }

  is(i, flag) { return (this.flags[i] & flag) !== 0; }

  kindOf(i) { return this.head.kinds[this.kind[i]]; }

  nameOf(i) { return this.head.names[this.name[i]]; }

  runOf(i) { return this.lanes[this.lane[i]].run; }

  /** Place of a command in its record's events, and back. */
  recordIndex(i) { return (this.index ? this.index[i] : i) - this.head.runs[this.runOf(i)].first; }

  commandAt(run, recordIndex) {
    const facts = this.head.runs[run];
    if (!facts || !Number.isInteger(recordIndex) || recordIndex < 0 || recordIndex >= facts.commands) return null;
    const wanted = facts.first + recordIndex;
    if (!this.index) return wanted;
    const at = tlBelow(this.index, wanted);
    return this.index[at] === wanted ? at : null;
  }

  /** Index in the record of the command that a selection names, or that ran its work-item; null where none is known. */
  commandOf(run, { command, item }) {
    if (command !== null && command !== undefined) return command;
    const launches = this.head.runs[run]?.launches;
    if (!Array.isArray(item) || !Array.isArray(launches)) return null;
    const within = (launch) => Array.isArray(launch?.[0]) && Array.isArray(launch[1])
      && launch[1].every((n, axis) => item[axis] >= (launch[0][axis] ?? 0) && item[axis] < (launch[0][axis] ?? 0) + n);
    return launches.find(within)?.[2] ?? null;
  }

  categories() {
    const { head, count } = this;
    const slots = new Uint8Array(head.names.length + 1);
    head.kernels.forEach((name, slot) => { slots[name] = slot; });
    const moves = head.kinds.map((kind) => TL_MOVES.has(kind));
    const found = new Uint8Array(count);
    for (let i = 0; i < count; i += 1) {
      if (this.kind[i] !== 0) found[i] = moves[this.kind[i]] ? 4 : 5;
      else if (this.flags[i] & TL_WARM) found[i] = 6;
      else found[i] = this.flags[i] & TL_REMAINDER ? 3 : slots[this.name[i]];
    }
    return found;
  }

  /** Each lane's commands in order of their start, and the times the lane was busy as disjoint stretches. */
  sort() {
    const counts = new Uint32Array(this.lanes.length);
    for (let i = 0; i < this.count; i += 1) if (!(this.flags[i] & TL_UNTIMED)) counts[this.lane[i]] += 1;
    for (const lane of this.lanes) lane.order = new Uint32Array(counts[lane.number]);
    counts.fill(0);
    for (let i = 0; i < this.count; i += 1) {
      if (this.flags[i] & TL_UNTIMED) continue;
      const lane = this.lane[i];
      this.lanes[lane].order[counts[lane]] = i;
      counts[lane] += 1;
    }
    for (const lane of this.lanes) this.sortLane(lane);
  }

  sortLane(lane) {
    const { start, end } = this;
    const { order } = lane;
    if (order.some((id, i) => i > 0 && start[order[i - 1]] > start[id])) order.sort((a, b) => start[a] - start[b] || a - b);
    const size = order.length;
    Object.assign(lane, { starts: new Float64Array(size), reached: new Float64Array(size), begin: new Float64Array(size), stop: new Float64Array(size), before: new Float64Array(size) });
    let reached = -Infinity;
    let busy = 0;
    for (let i = 0; i < size; i += 1) {
      const id = order[i];
      lane.starts[i] = start[id];
      lane.begin[i] = Math.max(start[id], reached);
      reached = Math.max(reached, end[id]);
      lane.reached[i] = reached;
      lane.stop[i] = Math.max(lane.begin[i], end[id]);
      lane.before[i] = busy;
      busy += lane.stop[i] - lane.begin[i];
    }
    lane.groups = null;
  }

  /** Positions in the lane's order of what runs between two times: `[first, end)`. */
  between(lane, from, to) {
    return [tlBelow(lane.reached, from), tlUpTo(lane.starts, to)];
  }

  busy(lane, from, to) { return tlBusyUntil(lane, to) - tlBusyUntil(lane, from); }

  /** A lane's stretches by colour, and by whether the search found them: `[{category, found, begin, stop, before}]`. */
  groups(lane) {
    if (lane.groups) return lane.groups;
    const { order } = lane;
    const keys = order.map((id) => this.category[id] * 2 + (!this.matching || this.matching[this.name[id]] ? 1 : 0));
    const counts = new Uint32Array(TL_CATEGORIES.length * 2);
    for (const key of keys) counts[key] += 1;
    const made = Array.from(counts, (size, key) => ({ category: key >> 1, found: (key & 1) === 1, size, busy: 0,
      begin: new Float64Array(size), stop: new Float64Array(size), before: new Float64Array(size) }));
    counts.fill(0);
    for (let i = 0; i < order.length; i += 1) {
      const group = made[keys[i]];
      const at = counts[keys[i]];
      counts[keys[i]] += 1;
      group.begin[at] = lane.begin[i];
      group.stop[at] = lane.stop[i];
      group.before[at] = group.busy;
      group.busy += lane.stop[i] - lane.begin[i];
    }
    lane.groups = made.filter((group) => group.size > 0);
    return lane.groups;
  }

  /** Times at which a lane's commands were queued, in order; made when first asked for. */
  queuedOf(lane) {
    lane.queuedTimes ??= Float64Array.from(lane.order, (id) => this.queued(id)).sort();
    return lane.queuedTimes;
  }

  /** How many of a lane's commands were queued and had not started. */
  waiting(lane, at) { return tlUpTo(this.queuedOf(lane), at) - tlUpTo(lane.starts, at); }

  /** The most that waited at any of so many moments between the first and the last start. */
  mostWaiting(lane, moments = 512) {
    if (lane.mostWaiting === undefined) {
      lane.mostWaiting = 0;
      for (let i = 0; i < lane.starts.length; i += Math.max(1, Math.floor(lane.starts.length / moments))) {
        lane.mostWaiting = Math.max(lane.mostWaiting, this.waiting(lane, lane.starts[i]));
      }
    }
    return lane.mostWaiting;
  }

  /** Names that hold a text, whatever its case; none searched for where it is empty. Returns how many commands have them. */
  search(text) {
    const wanted = text.trim().toLowerCase();
    this.matching = wanted ? Uint8Array.from(this.head.names, (name) => (name.toLowerCase().includes(wanted) ? 1 : 0)) : null;
    for (const lane of this.lanes) lane.groups = null;
    if (!this.matching) return 0;
    let found = 0;
    for (let i = 0; i < this.count; i += 1) found += this.matching[this.name[i]];
    return found;
  }

  matches(i) { return !this.matching || this.matching[this.name[i]] === 1; }

  /** The next command that was searched for, round the end; null where none is. */
  nextMatch(from, step) {
    if (!this.matching || !this.count) return null;
    let at = from ?? (step > 0 ? -1 : 0);
    for (let tried = 0; tried < this.count; tried += 1) {
      at = (at + step + this.count) % this.count;
      if (this.matching[this.name[at]] && !(this.flags[at] & TL_UNTIMED)) return at;
    }
    return null;
  }

  /** The command of a lane at a time, or the nearest within `reach` ns; null where there is none. */
  nearest(lane, at, reach) {
    const [first, last] = this.between(lane, at - reach, at + reach);
    let best = null;
    let least = Infinity;
    // Of many within reach, a look at a few hundred is as good as at all.
    for (let i = first; i < Math.min(last, first + 512); i += 1) {
      const id = lane.order[i];
      const off = Math.max(0, this.start[id] - at, at - this.end[id]);
      if (off < least || (off === least && best !== null && this.duration[id] < this.duration[best] && off === 0)) { best = id; least = off; }
    }
    return least <= reach ? best : null;
  }

  /** Commands that a command takes data from or waited for, and those that follow it. */
  linked(i) {
    const before = [];
    const after = [];
    const { edges } = this;
    for (let e = 0; edges && e < edges.length; e += 2) {
      if (edges[e] === i) before.push(edges[e + 1]);
      if (edges[e + 1] === i) after.push(edges[e]);
    }
    return { before, after };
  }
}
