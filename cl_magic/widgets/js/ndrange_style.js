// Rules of the NDRange picker.

export const NDRANGE_PICKER_STYLE = `
.clm-live:not(#_) {
  .nd { display: grid; grid-template-columns: 288px minmax(0, 1fr); gap: 0 24px; align-items: start; }
  .nd fieldset { border: 0; border-bottom: 1px solid var(--clm-rule); margin: 0; padding: 0 0 8px; min-width: 0; } .nd legend { padding: 6px 0 2px; margin: 0; font-weight: 600; font-size: 13px; color: inherit; border: 0; width: auto; }
  .nd .g { display: grid; gap: 4px 6px; align-items: center; } .nd .g .ax { text-align: right; padding-right: 6px; } .nd input[type=text] { width: 100%; min-width: 0; text-align: right; font-variant-numeric: tabular-nums; }
  .nd input:is([readonly], :disabled) { color: var(--clm-ink2); border-color: var(--clm-rule); } .nd input[aria-invalid=true] { border-color: var(--clm-error); }
  .nd .loc { display: grid; grid-template-columns: 46px minmax(0, 1fr) 56px; gap: 6px; align-items: center; margin-top: 4px; } .nd .tk { position: relative; height: 22px; }
  .nd .tk svg { position: absolute; left: 5px; top: 0; width: calc(100% - 10px); height: 22px; } .nd .tk line { stroke: var(--clm-ink2); } .nd .tk .axis { stroke: var(--clm-edge); } .nd .tk .far { stroke: var(--clm-rule); } .nd .tk .part { stroke-dasharray: 2 1.5; }
  .nd input[type=range] { position: absolute; inset: 0; appearance: none; -webkit-appearance: none; background: transparent; border: 0; padding: 0; width: 100%; height: 22px; min-height: 0; cursor: pointer; }
  .nd input[type=range]::-webkit-slider-runnable-track { height: 22px; background: transparent; } .nd input[type=range]::-moz-range-track { background: transparent; }
  .nd input[type=range]::-webkit-slider-thumb { -webkit-appearance: none; width: 10px; height: 10px; margin-top: 11px; border-radius: 5px; background: var(--clm-paper); border: 2px solid var(--clm-link); } .nd input[type=range]::-moz-range-thumb { width: 6px; height: 6px; border-radius: 5px; background: var(--clm-paper); border: 2px solid var(--clm-link); transform: translateY(5px); }
  .nd input[type=range]:disabled { cursor: default; } .nd input[type=range]:disabled::-webkit-slider-thumb { border-color: var(--clm-edge); }
  .nd .auto { display: inline-flex; align-items: center; gap: 4px; min-height: 22px; font-weight: 400; cursor: pointer; } .nd .auto input { width: 12px; height: 12px; min-height: 0; margin: 0; padding: 0; accent-color: var(--clm-link); }
  .nd .lg { display: flex; align-items: center; gap: 12px; width: 100%; } .nd .seg { display: inline-flex; margin-left: auto; } .nd .seg label { position: relative; display: inline-block; min-width: 28px; text-align: center; border: 1px solid var(--clm-edge); margin-left: -1px; line-height: 20px; padding: 0 6px; font-weight: 400; cursor: pointer; }
  .nd .seg input { position: absolute; inset: 0; opacity: 0; width: 100%; height: 100%; min-height: 0; cursor: pointer; } .nd .seg label:has(:checked) { background: var(--clm-link); border-color: var(--clm-link); color: var(--jp-ui-inverse-font-color1, #fff); z-index: 1; } .nd .seg label:has(:focus-visible) { outline: 2px solid var(--clm-link); outline-offset: 1px; z-index: 2; }
  .nd .lim { display: grid; grid-template-columns: 1fr auto; gap: 0 8px; margin-top: 4px; } .nd .lim > .bar2 { grid-column: 1 / -1; height: 3px; background: var(--clm-rule); } .nd .bar2 > span { display: block; height: 3px; background: var(--clm-dep); } .nd .bar2 > .over { background: var(--clm-error); } .nd .lim > .sm { grid-column: 1 / -1; }
  .nd .old { opacity: .45; } .nd .fault { padding: 4px 0; } .nd .fault > .ic { margin-right: 8px; } .nd .ways { display: flex; flex-wrap: wrap; gap: 4px 8px; padding: 4px 0; }
  .nd .said { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 12px; margin-top: 8px; } .nd .said dt { color: var(--clm-ink2); } .nd .said dd { overflow-wrap: anywhere; }
  .nd .lay { display: block; margin: 8px 0 4px; fill: none; stroke: none; } .nd .lay text { font: 11px var(--jp-ui-font-family, system-ui, sans-serif); fill: var(--clm-ink2); font-variant-numeric: tabular-nums; } .nd .lay .end { text-anchor: end; } .nd .lay .mid { text-anchor: middle; }
  .nd .lay .a { fill: var(--clm-group-a); } .nd .lay .b { fill: var(--clm-group-b); } .nd .lay .rem { fill: var(--clm-paper); } .nd .lay .hatch { stroke: var(--clm-remainder); stroke-width: 1.5; } .nd .lay .dots { fill: var(--clm-pad); } .nd .lay .edge { stroke: var(--clm-edge); } .nd .lay .off { stroke: var(--clm-ink2); stroke-dasharray: 2 2; } .nd .lay .line { stroke: var(--clm-group-line); }
  @container (max-width: 600px) { .nd { grid-template-columns: minmax(0, 1fr); } .nd .nw { white-space: normal; } }
  @media (forced-colors: active) { .nd .lay { forced-color-adjust: none; background: Canvas; } .nd .bar2 { border: 1px solid CanvasText; } .nd .bar2 > span { background: Highlight; } }
}
`;
