/** The settings of the extension, as they are now; schema/settings.json describes them. */

export interface Settings {
  /** Show the messages of builds as marks in the editor. */
  marks: boolean;
  /** Draw live pictures in the sections of a run's report. */
  pictures: boolean;
  /** Seconds between two questions of the open panel to a kernel that is busy. */
  panelSeconds: number;
  /** Show what is wrong in a cell while it is typed. */
  liveDiagnostics: boolean;
}

const DEFAULTS: Settings = { marks: true, pictures: true, panelSeconds: 2, liveDiagnostics: true };

let current: Settings = DEFAULTS;
const listeners = new Set<() => void>();

/** The settings of now. */
export function settings(): Settings {
  return current;
}

/** Take over what the registry has; a value of a wrong type is the default. */
export function readSettings(found: Readonly<Record<string, unknown>>): void {
  const bool = (name: 'marks' | 'pictures' | 'liveDiagnostics') => (typeof found[name] === 'boolean' ? (found[name] as boolean) : DEFAULTS[name]);
  const seconds = Number(found.panelSeconds);
  const panelSeconds = seconds >= 0.5 && seconds <= 3600 ? seconds : DEFAULTS.panelSeconds;
  current = { marks: bool('marks'), pictures: bool('pictures'), panelSeconds, liveDiagnostics: bool('liveDiagnostics') };
  listeners.forEach(listener => listener());
}

/** Have changes told; the function returned ends that. */
export function onSettings(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
