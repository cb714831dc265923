/** The side panel as elements: sections of facts, with buttons. Everything from the kernel is text. */

import { ArrayFacts, DeviceFacts, Facts, ProgramFacts, RunFacts, counted, duration, memory } from './facts.js';
import { plural, text } from './translation.js';

/** What a click asks for. */
export interface PanelActions {
  findDevices(): void;
  chooseDevice(id: string): void;
  showCell(program: ProgramFacts): void;
  showRun(run: RunFacts): void;
}

type Child = Node | string | null | false;

function h(tag: string, attributes: Record<string, string | number | boolean>, ...children: Child[]): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== false));
  return element;
}

function button(className: string, act: () => void, label: string, ...children: Child[]): HTMLElement {
  const element = h('button', { type: 'button', class: className, ...(label ? { 'aria-label': label, title: label } : {}) }, ...children);
  element.addEventListener('click', act);
  return element;
}

const dim = (...children: Child[]): HTMLElement => h('span', { class: 'cl-dim' }, ...children);
const note = (words: string): HTMLElement => h('p', { class: 'cl-panel-note' }, words);

/** Facts parted by ` · `; empty ones are left out. */
function parts(...words: string[]): string {
  return words.filter(Boolean).join(' · ');
}

function section(title: string, count: number | null, ...children: Child[]): HTMLElement {
  const number = count === null ? null : dim(` ${counted(count)}`);
  return h('section', { 'aria-label': title }, h('h3', {}, title, number), ...children);
}

function device(one: DeviceFacts, actions: PanelActions): HTMLElement {
  const radio = h('input', { type: 'radio', name: 'cl-device', value: one.id, checked: one.chosen, disabled: !one.available });
  radio.addEventListener('change', () => actions.chooseDevice(one.id));
  const units = one.units > 0 ? plural('%1 unit', '%1 units', one.units) : '';
  const facts = parts(one.id, units, one.memory > 0 ? memory(one.memory) : '');
  const badge = one.simulator ? h('span', { class: 'cl-badge' }, text('simulator')) : null;
  const name = h('b', {}, one.simulator ? one.name.replace(/ simulator$/, '') : one.name);
  return h('label', { class: one.chosen ? 'cl-row cl-chosen' : 'cl-row', title: `${one.device}, ${one.platform}` }, radio, h('span', {}, name, badge && ' ', badge, h('br', {}), dim(facts)));
}

function devices(facts: Facts, actions: PanelActions): HTMLElement {
  const find = button('cl-button', () => actions.findDevices(), '', facts.searched ? text('Search again') : text('Find devices'));
  if (!facts.searched) {
    return section(text('Devices'), null, note(text('No search was made yet; the first cell makes one.')), find);
  }
  const rows = h('div', { role: 'radiogroup', 'aria-label': text('Device of later cells') }, ...facts.devices.map(one => device(one, actions)));
  const troubles = facts.troubles.map(one => h('p', { class: 'cl-panel-note' }, h('b', { class: 'cl-is-warning' }, one.driver), ` ${one.trouble}`, one.remedy ? h('code', {}, one.remedy) : null));
  return section(text('Devices'), facts.devices.length, rows, ...troubles, find);
}

function stateOf(program: ProgramFacts): HTMLElement {
  if (program.outdated) {
    return h('span', { class: 'cl-is-warning' }, text('header edited'));
  }
  const held = program.variables.length > 0 || program.kernels.some(kernel => kernel.variables.length > 0);
  const words = held ? text('bound') : text('not bound');
  return program.warnings > 0 ? h('span', { class: 'cl-is-warning' }, plural('%1 warning', '%1 warnings', program.warnings)) : dim(words);
}

function program(one: ProgramFacts, actions: PanelActions): HTMLElement {
  const names = one.kernels.map(kernel => kernel.name).join(', ') || text('no kernel');
  const facts = parts(one.source, one.device, one.language);
  // An option is one word: a line does not end behind its hyphen.
  const words = one.options.split(' ').filter(word => word !== '');
  const options = words.flatMap((word, index) => [index === 0 ? ' · ' : ' ', h('span', { class: 'cl-word' }, word)]);
  return h('li', {}, button('cl-row', () => actions.showCell(one), text('Go to the cell of %1', names), h('span', {}, h('b', { class: 'cl-mono' }, names), ' ', stateOf(one), h('br', {}), h('span', { class: 'cl-dim' }, facts, ...options))));
}

function table(label: string, heads: [string, boolean][], rows: Child[][]): HTMLElement {
  const cell = (tag: string, content: Child, right: boolean) => h(tag, { ...(right ? { class: 'cl-num' } : {}), ...(tag === 'th' ? { scope: 'col' } : {}) }, content);
  const head = h('thead', {}, h('tr', {}, ...heads.map(([name, right]) => cell('th', name, right))));
  const body = h('tbody', {}, ...rows.map(row => h('tr', {}, ...row.map((content, index) => cell('td', content, heads[index][1])))));
  return h('div', { class: 'cl-scroll', tabindex: 0, role: 'region', 'aria-label': label }, h('table', {}, head, body));
}

function arrays(list: ArrayFacts[]): HTMLElement {
  const title = text('Device arrays');
  if (list.length === 0) {
    return section(title, 0, note(text('clm.zeros, clm.array, … make arrays that stay on the device.')));
  }
  const total = list.reduce((sum, one) => sum + one.bytes, 0);
  const rows = list.map(one => [
    h('b', { class: 'cl-mono' }, one.name),
    h('span', {}, `${one.dtype} (${one.shape.map(counted).join(', ')}${one.shape.length === 1 ? ',' : ''})`, h('br', {}), dim(one.state || one.device)),
    one.state === 'freed' ? '' : memory(one.bytes)
  ]);
  const heads: [string, boolean][] = [[text('name'), false], [text('elements, device'), false], [text('%1 in all', memory(total)), true]];
  return section(title, list.length, table(title, heads, rows));
}

function clock(created: string): string {
  const time = new Date(created);
  return Number.isNaN(time.getTime()) ? '' : time.toLocaleTimeString(undefined, { hour12: false });
}

function runs(list: RunFacts[], actions: PanelActions): HTMLElement {
  const title = text('Last runs');
  if (list.length === 0) {
    return section(title, 0, note(text('Call a kernel: its time and its pictures come here.')));
  }
  const rows = list.map(one => [
    button('cl-link', () => actions.showRun(one), text('Show the run of %1', one.kernel), one.kernel),
    one.global.map(counted).join(' × '),
    one.failed ? h('span', { class: 'cl-is-error' }, text('failed')) : duration(one.duration),
    dim(clock(one.created))
  ]);
  const heads: [string, boolean][] = [[text('kernel'), false], [text('work-items'), true], [text('time'), true], [text('at'), true]];
  return section(title, list.length, table(title, heads, rows));
}

/** Draw the facts in place of what was there; keeps the focus on the control that had it, and where one had scrolled. */
export function drawFacts(host: HTMLElement, facts: Facts, actions: PanelActions): void {
  const list = facts.programs.length > 0 ? h('ul', {}, ...facts.programs.map(one => program(one, actions))) : note(text('A %1 cell that builds is listed here.', '%%opencl'));
  const trouble = facts.trouble ? h('p', { class: 'cl-panel-note', role: 'alert' }, h('b', { class: 'cl-is-error' }, text('error')), ` ${facts.trouble}`) : null;
  const made = [devices(facts, actions), section(text('Programs'), facts.programs.length, list), arrays(facts.arrays), runs(facts.runs, actions)];
  const controls = () => Array.from(host.querySelectorAll<HTMLElement>('button, input, [tabindex]'));
  const at = controls().indexOf(document.activeElement as HTMLElement);
  host.replaceChildren(...(trouble ? [trouble] : []), ...made);
  if (at >= 0) {
    controls()[at]?.focus({ preventScroll: true });
  }
}

/** One sentence in place of facts, and a button where something can be done. */
export function drawHint(host: HTMLElement, words: string, act?: { label: string; run: () => void }): void {
  const children = act ? [note(words), button('cl-button', act.run, '', act.label)] : [note(words)];
  host.replaceChildren(...children);
}
