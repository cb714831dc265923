// Rules of the buffer view, under those of all live views.

export const BUF_STYLE = `
.clm-live:not(#_) {
  .buf [hidden] { display: none; } .buf .bar:empty { display: none; }
  .buf-panes { display: flex; flex-wrap: wrap; gap: 12px 16px; align-items: flex-start; padding: 4px 0; }
  .buf-panes figure { min-width: 0; } .buf-wide { width: 100%; }
  .buf-panes figcaption { line-height: 20px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; } .buf-panes figcaption .mono { font-weight: 600; }
  .buf-pane { position: relative; } .buf-canvas { cursor: crosshair; touch-action: none; border: 0; }
  .buf-pane .tip { font-variant-numeric: tabular-nums; }
  .buf-seg { display: inline-flex; } .buf-seg button { border-radius: 0; margin-left: -1px; min-width: 24px; } .buf-seg button:first-child { border-radius: 2px 0 0 2px; margin-left: 0; }
  .buf-seg button:last-child { border-radius: 0 2px 2px 0; } .buf-seg button:only-child { border-radius: 2px; } .buf-seg button[aria-pressed="true"] { position: relative; z-index: 1; font-weight: 600; }
  .buf-group { display: inline-flex; align-items: center; gap: 4px; } .buf-group > span { color: var(--clm-ink2); font-size: 11px; }
  input[type="range"] { accent-color: var(--clm-link); padding: 0; min-height: 22px; width: 140px; border: 0; background: none; }
  .buf-picked { display: flex; flex-wrap: wrap; gap: 0 16px; min-height: 22px; padding: 2px 0; } .buf-picked span { white-space: nowrap; } .buf-picked .dim { font-size: 11px; }
  .buf-bad { color: var(--clm-error-ink); } .buf-tall { max-height: 328px; overflow: auto; } .buf-plain { border: 0; min-height: 0; padding: 0; background: none; text-align: left; } .buf-jump { border: 0; padding: 0 2px; min-height: 22px; background: none; text-decoration: underline; }
  .buf-plain[aria-pressed="true"] { background: var(--clm-select); color: #000; outline: 1px solid var(--clm-select-line); }
  .buf caption { white-space: nowrap; } .buf-hex { white-space: pre; } .buf-mine { background: var(--clm-select); color: #000; outline: 1px solid #000; }
  .buf-key { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: center; color: var(--clm-ink2); font-size: 11px; line-height: 16px; } .buf-key span { display: inline-flex; gap: 4px; align-items: center; }
  .buf-line { display: inline-block; width: 22px; height: 0; border-top: 2px solid; } .buf-value { font-size: 13px; }
}
`;
