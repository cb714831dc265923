// Rules of the NDRange view, under those of all live views.

export const NDR_STYLE = `
.clm-live:not(#_) {
  .ndr [hidden] { display: none; }
  .ndr-row { display: flex; flex-wrap: wrap; gap: 8px 32px; align-items: flex-start; }
  .ndr-left { flex: 1 1 380px; min-width: 0; max-width: 720px; } .ndr-side { flex: 0 1 310px; min-width: 250px; }
  .ndr-one .ndr-left { flex-basis: 100%; max-width: none; } .ndr-one .ndr-side { flex: 1 1 100%; display: flex; flex-wrap: wrap; gap: 4px 48px; }
  .ndr-pane { position: relative; } .ndr-pane canvas { cursor: crosshair; touch-action: none; } .ndr-pane canvas:focus-visible { outline-offset: -2px; } .ndr-left > canvas { margin-bottom: 8px; }
  .ndr-layers { display: flex; flex-wrap: wrap; gap: 4px 8px; padding: 4px 0; } .ndr-layers button { border: 0; background: none; padding: 2px; text-align: left; font-size: 11px; line-height: 16px; color: var(--clm-ink2); }
  .ndr-layers button[aria-pressed="true"] { color: var(--clm-ink); font-weight: 600; } .ndr-layers canvas { outline: 1px solid var(--clm-edge); } .ndr-layers button[aria-pressed="true"] canvas { outline: 2px solid var(--clm-select-line); }
  .ndr-seg { display: inline-flex; } .ndr-seg button { border-radius: 0; margin-left: -1px; min-width: 26px; } .ndr-seg button:first-child { border-radius: 2px 0 0 2px; margin-left: 0; } .ndr-seg button:last-child { border-radius: 0 2px 2px 0; }
  .ndr-seg button:only-child { border-radius: 2px; } .ndr-seg button[aria-pressed="true"] { position: relative; z-index: 1; font-weight: 600; }
  .ndr-jump { margin: 0; } .ndr-jump input { width: 132px; } .ndr-bad { color: var(--clm-error-ink); }
  .ndr-key { display: flex; flex-direction: column; gap: 4px; padding: 8px 0; color: var(--clm-ink2); font-size: 11px; line-height: 16px; } .ndr-key span { display: grid; grid-template-columns: 20px 1fr; gap: 4px; align-items: start; max-width: 340px; }
  .ndr-key i { height: 12px; margin-top: 2px; display: block; overflow: hidden; } .ndr-key i canvas { width: 20px; height: 12px; }
  .ndr-one .ndr-key { flex-direction: row; flex-wrap: wrap; gap: 4px 16px; } .ndr-one .ndr-key span { max-width: none; }
  .ndr-pairs { display: grid; grid-template-columns: max-content 1fr; gap: 0 16px; padding: 4px 0; max-width: 720px; } .ndr-pairs dt { color: var(--clm-ink2); float: none; width: auto; font-weight: 400; white-space: nowrap; } .ndr-pairs dd { float: none; width: auto; margin: 0; overflow-wrap: anywhere; }
  .ndr-used { display: inline-block; width: 40px; height: 4px; background: var(--clm-rule); vertical-align: 3px; overflow: hidden; } .ndr-used i { display: block; height: 4px; background: var(--clm-dep); } .ndr-used.over i { background: var(--clm-error); }
  .ndr-scale { display: flex; gap: 8px; align-items: center; font-size: 11px; line-height: 16px; color: var(--clm-ink2); } .ndr-scale i { width: 120px; height: 8px; display: block; }
  .ndr-box text { fill: var(--clm-ink2); font-size: 11px; } .ndr-box .hi { fill: var(--clm-ink); } .ndr-box path { stroke-linejoin: round; }
  .ndr-side table { margin-bottom: 4px; } .ndr-side :is(th, td) { padding-right: 12px; } .ndr-side dl { margin: 0; } .ndr tr:last-child td:first-child.ndr-sum { font-weight: 600; }
  @media (forced-colors: active) { .ndr-used { border: 1px solid CanvasText; } .ndr-used i { background: CanvasText; forced-color-adjust: none; } }
}
`;
