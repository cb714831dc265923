// The tokens of cl_magic/display/clm.css, taken over word for word (a test compares them).

export const TOKENS = `
.clm {
--clm-queue: #7f8993; --clm-submit: #cfe2ef; --clm-run: #0072b2; --clm-k2: #16585c; --clm-k3: #5d0091; --clm-transfer: #a36000; --clm-host: #1d2a34; --clm-dep: #5f6b76;
--clm-group-a: #dde8f0; --clm-group-b: #f2f6f9; --clm-group-line: #a9b8c4; --clm-remainder: #e06c8c; --clm-pad: #7f8993;
--clm-select: #ffd400; --clm-select-line: #000; --clm-neg: #1f86c7; --clm-pos: #cf6f12;
--clm-paper: var(--jp-layout-color0, #fff); --clm-ink: var(--jp-ui-font-color1, rgba(0, 0, 0, .87));
--clm-ink2: var(--jp-ui-font-color2, rgba(0, 0, 0, .54)); --clm-rule: var(--jp-border-color2, #e0e0e0);
--clm-edge: var(--jp-border-color1, #bdbdbd); --clm-link: var(--jp-brand-color1, #1976d2);
--clm-error: var(--jp-error-color1, #d32f2f); --clm-warn: var(--jp-warn-color1, #f57c00);
--clm-ok: var(--jp-success-color1, #388e3c); --clm-note: var(--jp-info-color1, #0097a7);
--clm-mix: var(--jp-ui-font-color0, #000);
--clm-error-ink: color-mix(in srgb, var(--clm-error) 82%, var(--clm-mix)); --clm-warn-ink: color-mix(in srgb, var(--clm-warn) 58%, var(--clm-mix));
--clm-ok-ink: color-mix(in srgb, var(--clm-ok) 82%, var(--clm-mix)); --clm-note-ink: color-mix(in srgb, var(--clm-note) 70%, var(--clm-mix));
--clm-code: var(--jp-code-font-family, Menlo, Consolas, "DejaVu Sans Mono", monospace);
container-type: inline-size; color-scheme: light; max-width: 1100px; color: var(--clm-ink); background: var(--clm-paper);
font: 13px/20px var(--jp-ui-font-family, system-ui, sans-serif); font-size: var(--jp-ui-font-size1, 13px); font-variant-numeric: tabular-nums lining-nums;
}
[data-jp-theme-light="false"] .clm {
--clm-queue: #8a949e; --clm-submit: #1d3a4e; --clm-run: #56b4e9; --clm-k2: #3c9a45; --clm-k3: #a45fe8; --clm-transfer: #f7b45f; --clm-host: #dbe4ea; --clm-dep: #9aa5af;
--clm-group-a: #253642; --clm-group-b: #18222a; --clm-group-line: #4a5b68; --clm-remainder: #f9709c; --clm-pad: #8a949e;
color-scheme: dark; --clm-select-line: #fff;
}
`;
