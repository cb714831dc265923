// Rules of the timeline view, under those of all live views.

export const TL_STYLE = `
.clm-live:not(#_) {
  .tl-view [hidden] { display: none; } .tl-canvas:focus-visible { outline-offset: -2px; } .tl-canvas { cursor: grab; touch-action: pan-y; } .tl-canvas.tl-measure { cursor: col-resize; } .tl-canvas:active { cursor: grabbing; }
  .tl-place { position: relative; min-height: 60px; } .tl-tall { max-height: 640px; overflow: hidden auto; }
  .tl-group { display: inline-flex; gap: 4px; align-items: center; }
  .tl-search { width: 150px; } .tl-view .bar .tl-search { color: var(--clm-ink); } .tl-tables { display: flex; flex-wrap: wrap; gap: 8px 32px; padding: 4px 0; align-items: flex-start; } .tl-tables > * { min-width: 0; }
  .tl-facts { display: grid; grid-template-columns: max-content auto; gap: 0 12px; padding: 4px 0; } .tl-facts dt { color: var(--clm-ink2); font-size: 11px; font-weight: 400; }
  .tl-facts dd { float: none; min-width: 0; } .tl-facts:empty { display: none; }
  .tl-link { border: 0; padding: 0; min-height: 0; background: none; text-align: left; color: var(--clm-link); }
  .tl-link[aria-pressed="true"] { background: var(--clm-select); color: #000; outline: 1px solid var(--clm-select-line); }
  .tl-key { display: flex; flex-wrap: wrap; gap: 2px 16px; color: var(--clm-ink2); font-size: 11px; line-height: 16px; padding: 2px 0; } .tl-key span { display: inline-flex; gap: 6px; align-items: center; }
  .tl-key i { display: inline-block; width: 20px; height: 12px; } .tl-key i.tl-line { height: 2px; } .tl-key i.tl-half { height: 7px; border: 1px solid var(--clm-queue); }
  .tl-key i.tl-hatch { background-image: repeating-linear-gradient(135deg, transparent 0 3px, var(--clm-paper) 3px 4px); }
  .tl-view details > summary { cursor: pointer; padding: 4px 0; border-top: 1px solid var(--clm-rule); } .tl-view details > summary b { margin-right: 12px; }
  .tl-bad { color: var(--clm-error-ink); }
}
`;
