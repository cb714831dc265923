// Rules of the kernel panel.

export const PANEL_STYLE = `
.clm-live:not(#_) {
  .kp { display: grid; grid-template-columns: 288px minmax(0, 1fr); border: 1px solid var(--clm-rule); }
  .kp.compact { grid-template-columns: minmax(0, 1fr); }
  .kp > .ctl { padding: 4px 12px 12px; border-right: 1px solid var(--clm-rule); min-width: 0; } .kp.compact > .ctl { border-right: 0; border-bottom: 1px solid var(--clm-rule); } .kp.compact > .ctl > * { max-width: 520px; }
  .kp > .out { padding: 0 12px 12px; min-width: 0; } .kp .nd { display: block; padding-bottom: 8px; border-bottom: 1px solid var(--clm-rule); }
  .ctl fieldset { border: 0; border-bottom: 1px solid var(--clm-rule); margin: 0; padding: 0 0 8px; min-width: 0; } .ctl legend { padding: 6px 0 2px; margin: 0; font-weight: 600; font-size: 13px; color: inherit; border: 0; width: auto; }
  .ctl fieldset:empty { display: none; }
  .ctl select { width: 100%; min-width: 0; height: 22px; padding: 0 4px; font: 12px/18px var(--jp-ui-font-family, system-ui, sans-serif); } .ctl .arg { display: grid; grid-template-columns: minmax(0, 1fr) 72px; gap: 0 6px; align-items: center; padding: 2px 0 4px; }
  .ctl .arg > .nm { grid-column: 1 / -1; overflow-wrap: anywhere; } .ctl .arg > .wide { grid-column: 1 / -1; } .ctl .arg input[type=text] { width: 100%; min-width: 0; text-align: right; font-variant-numeric: tabular-nums; }
  .ctl .many .arg { grid-template-columns: 72px minmax(0, 1fr) 64px; padding: 0; min-height: 26px; } .ctl .many .arg > .nm { grid-column: 1; } .ctl .many .arg > .nm .dim { display: none; } .ctl .many .arg > .wide { grid-column: 2 / -1; }
  .ctl .arg > .nm b { font-family: var(--clm-code); font-size: 12px; } .ctl .note { grid-column: 1 / -1; } .ctl .bad { color: var(--clm-error-ink); }
  .ctl input[aria-invalid=true] { border-color: var(--clm-error); }
  .ctl .arg input[type=range] { appearance: none; -webkit-appearance: none; background: transparent; border: 0; padding: 0; margin: 0; width: 100%; height: 22px; min-height: 0; cursor: pointer; }
  .ctl .arg input[type=range]::-webkit-slider-runnable-track { height: 1px; background: var(--clm-ink2); } .ctl .arg input[type=range]::-moz-range-track { height: 1px; background: var(--clm-ink2); }
  .ctl .arg input[type=range]::-webkit-slider-thumb { -webkit-appearance: none; width: 12px; height: 12px; margin-top: -6px; border-radius: 6px; background: var(--clm-paper); border: 2px solid var(--clm-link); } .ctl .arg input[type=range]::-moz-range-thumb { width: 8px; height: 8px; border-radius: 6px; background: var(--clm-paper); border: 2px solid var(--clm-link); }
  .ctl .pick { display: flex; flex-wrap: wrap; } .ctl .pick label { position: relative; display: inline-block; min-width: 32px; text-align: center; border: 1px solid var(--clm-edge); margin: 0 0 0 -1px; line-height: 20px; padding: 0 6px; cursor: pointer; } .ctl .pick label:first-child { margin-left: 0; }
  .ctl .pick input { position: absolute; inset: 0; opacity: 0; width: 100%; height: 100%; min-height: 0; margin: 0; cursor: pointer; } .ctl .pick label:has(:checked) { background: var(--clm-link); border-color: var(--clm-link); color: var(--jp-ui-inverse-font-color1, #fff); z-index: 1; } .ctl .pick label:has(:focus-visible) { outline: 2px solid var(--clm-link); outline-offset: 1px; z-index: 2; }
  .act { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; padding-top: 10px; } .act > .count { margin-left: auto; } .act .go { background: var(--clm-link); border-color: var(--clm-link); color: var(--jp-ui-inverse-font-color1, #fff); font-weight: 600; min-width: 56px; }
  .act label { display: inline-flex; align-items: center; gap: 4px; min-height: 22px; } .act label input { width: 14px; height: 14px; min-height: 0; margin: 0; padding: 0; accent-color: var(--clm-link); }
  .out > .tabs { flex-wrap: wrap; } .out > .tabs button { height: 30px; color: var(--clm-ink2); margin-bottom: -1px; }
  .out > .tabs button[aria-selected="true"] { color: var(--clm-ink); }
  .out > .said { padding: 4px 0; } .out .oops { padding: 4px 0; } .out .oops > .ic { margin-right: 8px; } .out .oops b { overflow-wrap: anywhere; }
  .out pre { margin: 0; padding: 4px 0; font: 12px/18px var(--clm-code); color: inherit; background: none; border: 0; white-space: pre; max-height: 460px; overflow: auto; }
  .out .oops pre { max-height: 220px; } .out pre.wrap { white-space: pre-wrap; overflow-wrap: anywhere; word-break: normal; }
  .out > .of { display: inline-flex; align-items: center; gap: 8px; padding: 4px 0; } .out > .of[hidden] { display: none; } .out .old { opacity: .45; } .out > .was { padding: 2px 0; }
  .out .waits { min-height: 120px; color: var(--clm-ink2); padding: 8px 0; }
  @container (max-width: 820px) { .kp { grid-template-columns: minmax(0, 1fr); } .kp > .ctl { border-right: 0; border-bottom: 1px solid var(--clm-rule); display: grid; grid-template-columns: 1fr 1fr; gap: 0 24px; } .kp.compact > .ctl { display: block; } .kp > .ctl > .act { grid-column: 1 / -1; } .kp > .ctl .nd { border-bottom: 0; } }
  @container (max-width: 520px) { .kp > .ctl { display: block; } }
  @media (forced-colors: active) { .ctl .pick label:has(:checked), .act .go { forced-color-adjust: none; background: Highlight; color: HighlightText; } }
}
`;
