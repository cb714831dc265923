// Where things are on a timeline's canvas: rows of lanes, pixels to times and back.

const TL_TOP = 22;
const TL_BOTTOM = 28;
const TL_MANY = 12;

/** Rows from the top: headings of runs, host, lanes; and the sizes they take. */
export function tlLayout(model, width) {
  const several = model.head.runs.length > 1;
  const lane = model.lanes.length > TL_MANY ? 22 : 30;
  const gutter = width < 480 ? 60 : 84;
  const rows = [];
  let y = TL_TOP;
  model.head.runs.forEach((run, index) => {
    if (several) { rows.push({ type: "heading", run: index, y, height: 18 }); y += 18; }
    if (run.host) { rows.push({ type: "host", run: index, y, height: 22 }); y += 22; }
    for (const one of model.lanes) {
      if (one.run !== index) continue;
      rows.push({ type: "lane", run: index, lane: one, y, height: lane });
      y += lane;
    }
    if (several) y += 4;
  });
  return { rows, gutter, width, plot: Math.max(40, width - gutter - 4), top: TL_TOP, bottom: y + 2, height: y + 2 + TL_BOTTOM, bar: lane < 30 ? 14 : 18 };
}

/** Pixels and times of a view: `x(at)`, `at(x)`, both of the axis, clipped to a little beyond the plot. */
export function tlScale(layout, axis, view) {
  const across = layout.plot / (view.right - view.left);
  const clip = (x) => Math.min(layout.gutter + layout.plot + 4, Math.max(layout.gutter - 4, x));
  return {
    x: (at) => clip(layout.gutter + (axis.place(at) - view.left) * across),
    at: (x) => axis.invert(view.left + (x - layout.gutter) / across),
    share: (x) => view.left + (x - layout.gutter) / across,
    from: axis.invert(view.left),
    to: axis.invert(view.right),
  };
}

/** The row under a y, or null. */
export function tlRowAt(layout, y) {
  return layout.rows.find((row) => y >= row.y && y < row.y + row.height) ?? null;
}
