// Rules of the live views; colours are the tokens of every output.

export const STYLE = `
.clm-live { position: relative; padding: 4px 0; }
.clm-live:not(#_) {
  *, *::before { box-sizing: border-box; }
  :is(p, ol, ul, dl, dt, dd, figure, h3) { margin: 0; padding: 0; list-style: none; font-size: inherit; }
  b { font-weight: 600; } .dim { color: var(--clm-ink2); } .sm { font-size: 11px; line-height: 16px; } .nw { white-space: nowrap; }
  :is(code, .mono) { font-family: var(--clm-code); font-size: 12px; background: none; color: inherit; padding: 0; }
  :focus-visible { outline: 2px solid var(--clm-link); outline-offset: 1px; }
  canvas { display: block; } svg { overflow: visible; }
  .head { padding: 4px 0; } .head > span { white-space: nowrap; }
  .scroll { overflow-x: auto; }
  table { border-collapse: collapse; border: 0; margin: 0; font-size: inherit; line-height: 20px; color: inherit; table-layout: auto; }
  tr { background: none; } :is(th, td) { text-align: left; vertical-align: baseline; padding: 1px 16px 1px 0; border: 0; font-weight: 400; max-width: none; white-space: nowrap; }
  :is(th, td):last-child { padding-right: 0; } thead :is(th, td) { color: var(--clm-ink2); font-size: 11px; line-height: 16px; border-bottom: 1px solid var(--clm-rule); }
  .num { text-align: right; }
  caption { text-align: left; color: var(--clm-ink2); font-size: 11px; line-height: 16px; padding: 0 0 2px; caption-side: top; }
  button, select, input { font: inherit; color: inherit; background: var(--clm-paper); border: 1px solid var(--clm-edge); border-radius: 2px; padding: 0 8px; min-height: 22px; }
  button:not(:disabled) { cursor: pointer; } button[aria-pressed="true"], button[aria-selected="true"] { border-color: var(--clm-link); color: var(--clm-link); }
  .bar { display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: center; padding: 4px 0; } .bar label { color: var(--clm-ink2); }
  .tip { position: absolute; z-index: 3; pointer-events: none; background: var(--clm-paper); border: 1px solid var(--clm-edge); padding: 4px 8px; font-size: 11px; line-height: 16px; white-space: pre; }
  .tabs { display: flex; gap: 0 16px; border-bottom: 1px solid var(--clm-rule); } .tabs button { border: 0; border-bottom: 2px solid transparent; border-radius: 0; padding: 2px 0; background: none; }
  .tabs button[aria-selected="true"] { border-bottom-color: var(--clm-link); color: var(--clm-ink); font-weight: 600; }
}
.clm-hint { color: var(--clm-ink2); }
`;
