/** What a kernel says of its OpenCL session, read without trust. */

export interface DeviceFacts {
  id: string;
  name: string;
  device: string;
  platform: string;
  units: number;
  memory: number;
  simulator: boolean;
  available: boolean;
  chosen: boolean;
}

export interface ProgramFacts {
  source: string;
  kernels: { name: string; variables: string[] }[];
  variables: string[];
  device: string;
  language: string;
  options: string;
  warnings: number;
  outdated: boolean;
}

export interface ArrayFacts {
  name: string;
  shape: number[];
  dtype: string;
  bytes: number;
  device: string;
  state: string;
}

export interface RunFacts {
  id: string;
  kernel: string;
  device: string;
  global: number[];
  duration: number;
  created: string;
  failed: boolean;
}

export interface Facts {
  searched: boolean;
  trouble: string;
  devices: DeviceFacts[];
  troubles: { driver: string; trouble: string; remedy: string }[];
  programs: ProgramFacts[];
  arrays: ArrayFacts[];
  runs: RunFacts[];
}

const VERSION = 1;

type Loose = Record<string, unknown>;
/** For each key, a value of the type that is expected; what the kernel sent takes its place where it has this type. */
type Shape = Record<string, unknown>;

const DEVICE: DeviceFacts = { id: '', name: '', device: '', platform: '', units: 0, memory: 0, simulator: false, available: true, chosen: false };
const KERNEL = { name: '', variables: [''] };
const PROGRAM: ProgramFacts = { source: '', kernels: [KERNEL], variables: [''], device: '', language: '', options: '', warnings: 0, outdated: false };
const ARRAY: ArrayFacts = { name: '', shape: [0], dtype: '', bytes: 0, device: '', state: '' };
const RUN: RunFacts = { id: '', kernel: '', device: '', global: [0], duration: 0, created: '', failed: false };
const TROUBLE = { driver: '', trouble: '', remedy: '' };
const FACTS: Facts = { searched: false, trouble: '', devices: [DEVICE], troubles: [TROUBLE], programs: [PROGRAM], arrays: [ARRAY], runs: [RUN] };

function like(model: unknown, value: unknown): unknown {
  if (Array.isArray(model)) {
    const all = Array.isArray(value) ? value.slice(0, 1000) : [];
    return all.filter(one => typeof one === typeof model[0] && one !== null).map(one => like(model[0], one));
  }
  if (typeof model === 'object' && model !== null) {
    const loose = (typeof value === 'object' && value !== null ? value : {}) as Loose;
    return Object.fromEntries(Object.entries(model as Shape).map(([key, one]) => [key, like(one, loose[key])]));
  }
  return typeof value === typeof model ? value : model;
}

/** The facts in a kernel's answer; a sentence where there are none. */
export function readFacts(text: string): Facts | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'the kernel gave no facts';
  }
  const version = (value as Loose | null)?.version;
  if (version !== VERSION) {
    return 'the cl_magic of this kernel is of another version than this panel';
  }
  return like(FACTS, value) as Facts;
}

const NARROW = '\u202f';

/** `307 200` */
export function counted(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+(?!\d))/g, NARROW);
}

function three(value: number): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(value)));
  return digits === 0 ? counted(Number(value.toPrecision(3))) : value.toFixed(Math.min(digits, 2));
}

/** Nanoseconds: `1.24 ms` */
export function duration(ns: number): string {
  if (ns <= 0) {
    return '';
  }
  const [factor, unit] = ns >= 1e9 ? [1e9, 's'] : ns >= 1e6 ? [1e6, 'ms'] : ns >= 1e3 ? [1e3, 'µs'] : [1, 'ns'];
  return `${unit === 'ns' ? counted(ns) : three(ns / (factor as number))}${NARROW}${unit}`;
}

/** Bytes of memory: `4.00 KiB` */
export function memory(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let step = 0;
  let value = bytes;
  while (value >= 1024 && step < units.length - 1) {
    value /= 1024;
    step += 1;
  }
  return `${step === 0 ? counted(value) : three(value)}${NARROW}${units[step]}`;
}
