// Rules and small parts that the pickers share; colours are the tokens of every output.

import { s } from "../../views/js/base.js";

export const PICKER_STYLE = `
.clm-live:not(#_) {
  .sp { flex: 1; } .sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .ic { width: 12px; height: 12px; flex: none; display: inline-block; vertical-align: -1px; fill: none; stroke: currentColor; stroke-width: 1.4; }
  .is-error { color: var(--clm-error-ink); } .is-warn { color: var(--clm-warn-ink); } .is-ok { color: var(--clm-ok-ink); } .is-note { color: var(--clm-note-ink); }
  .badge, .sim { display: inline-block; font-size: 11px; line-height: 16px; border: 1px solid var(--clm-edge); border-radius: 2px; padding: 0 4px; margin-right: 4px; }
  .sim { border-style: dashed; border-color: currentColor; color: var(--clm-note-ink); margin: 0 0 0 4px; }
  .cmd { display: inline-block; line-height: 16px; border: 1px solid var(--clm-rule); padding: 2px 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
  button:disabled { color: var(--clm-ink2); border-color: var(--clm-rule); cursor: default; }
  .say { padding: 4px 0; overflow-wrap: anywhere; } .say.long { padding-left: 20px; white-space: pre-line; } .say.long > .ic { margin-left: -20px; } .say .ic { margin-right: 8px; }
  input { font: 12px/18px var(--jp-ui-font-family, system-ui, sans-serif); height: 22px; padding: 0 6px; margin: 0; color: var(--clm-ink); background: transparent; }
  input::placeholder { color: var(--clm-ink2); opacity: 1; }
  summary { cursor: pointer; list-style: none; min-height: 22px; } summary::-webkit-details-marker { display: none; }
  summary::before { content: "▸"; content: "▸" / ""; color: var(--clm-ink2); font-size: 11px; } details[open] > summary::before { content: "▾"; content: "▾" / ""; }
  .sec { border-top: 1px solid var(--clm-rule); border-bottom: 1px solid var(--clm-rule); }
  .sec > summary { display: grid; grid-template-columns: 16px 92px minmax(0, 1fr); padding: 4px 0; } .sec > summary > b + span { color: var(--clm-ink2); }
  dl.kv { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 12px; padding: 4px 0 12px 16px; } .kv dt { color: var(--clm-ink2); } .kv dd { overflow-wrap: anywhere; }
  /* devices */
  .dev { width: 100%; margin-top: 4px; } .dev tbody tr { border-bottom: 1px solid var(--clm-rule); cursor: pointer; } .dev tr.gone { cursor: default; }
  .dev tbody :is(th, td) { padding: 6px 12px 6px 0; vertical-align: top; } .dev thead th { padding-right: 12px; } .dev :is(th, td):last-child { padding-right: 0; }
  .dev tbody th { white-space: normal; border-left: 2px solid transparent; min-width: 240px; } .dev label { display: flex; gap: 8px; min-height: 22px; cursor: inherit; }
  .dev input { margin: 4px 0 0 4px; width: 12px; height: 12px; min-height: 0; padding: 0; accent-color: var(--clm-link); flex: none; }
  .dev tbody tr:hover { background: color-mix(in srgb, var(--clm-ink) 4%, transparent); } .dev tr.gone:hover { background: none; }
  .dev tbody tr.on { background: color-mix(in srgb, var(--clm-link) 7%, transparent); } .dev tr.on th { border-left-color: var(--clm-link); }
  .dev tbody td:last-child { white-space: normal; } .dev .badge { white-space: nowrap; } .dev td[data-l]::before { display: none; content: attr(data-l) " "; color: var(--clm-ink2); font-size: 11px; }
  .un { display: grid; grid-template-columns: 24px minmax(0, 1fr); padding: 8px 0; border-bottom: 1px solid var(--clm-rule); } .un > .ic { margin: 4px 0 0 6px; }
  div:not(:empty) + div > .sec:first-child { border-top: 0; } .says { display: grid; grid-template-columns: 56px minmax(0, 1fr); overflow-wrap: anywhere; } .says > :nth-child(odd) { color: var(--clm-ink2); }
  @container (max-width: 820px) {
    .bar > .head { min-width: 0; } .bar > .head > span { white-space: normal; } .dev, .dev tbody { display: block; } .dev thead { display: none; } .dev tbody tr { display: flex; flex-wrap: wrap; align-content: flex-start; padding: 6px 0 6px 24px; border-left: 2px solid transparent; } .dev tbody tr.on { border-left-color: var(--clm-link); }
    .dev tbody th { flex: 0 0 100%; padding: 0; margin-left: -24px; border: 0; } .dev tbody td { padding: 0 12px 0 0; text-align: left; } .dev td[data-l]::before { display: inline; } .dev tbody td:last-child { flex: 0 0 100%; }
  }
  @media (forced-colors: active) { .dev tr.on th { border-left-color: Highlight; } }
}
`;

/** For radio buttons and sliders: in command mode JupyterLab would take the arrow keys for its cells. */
export const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" };

const MARKS = {
  error: ["M6 0a6 6 0 1 0 0 12a6 6 0 1 0 0-12z", "M3.8 3.8l4.4 4.4M8.2 3.8L3.8 8.2"],
  warn: [null, "M6 1.2 11.2 11H.8zM6 4.6v3M6 8.6v1.2"],
  ok: [null, "M1.5 6.5 4.6 9.6 10.6 2.4"],
  note: [null, "M6 1a5 5 0 1 0 0 10a5 5 0 1 0 0-10zM6 5v4M6 2.6v1.2"],
};

/** Mark of a status, 12 px; the word beside it says the same. */
export function pickerMark(status) {
  const [filled, line] = MARKS[status];
  const over = filled ? { style: "stroke: var(--clm-paper)" } : {};
  return s("svg", { class: `ic is-${status}`, viewBox: "0 0 12 12", "aria-hidden": "true" },
    filled ? s("path", { d: filled, fill: "currentColor", stroke: "none" }) : null, s("path", { d: line, ...over }));
}
