// A payload in, what the timeline view makes of it out, as JSON: `node timeline_truth.mjs FILE` with
// {payload, brushes: [[from, to]], clock: whether on the host's clock}.

import { readFileSync } from "node:fs";

import { decode } from "../../cl_magic/views/js/base.js";
import { TlAxis } from "../../cl_magic/views/js/timeline_axis.js";
import { tlCsv, tlTrace } from "../../cl_magic/views/js/timeline_export.js";
import { TlModel } from "../../cl_magic/views/js/timeline_model.js";
import { TlStatistics } from "../../cl_magic/views/js/timeline_statistics.js";

const { payload, brushes, clock } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const model = new TlModel(await decode(payload));
const shifts = clock ? model.head.axes.clock.shifts_ns : model.head.runs.map(() => 0);
const statistics = new TlStatistics(model);
statistics.shifts = model.lanes.map((lane) => shifts[lane.run]);
const axis = new TlAxis(model.head.axes.start);
const ids = Array.from({ length: model.count }, (_, id) => id);
process.stdout.write(JSON.stringify({
  commands: ids.map((id) => [model.kindOf(id), model.nameOf(id), model.lanes[model.lane[id]].queue, model.run[id], model.part[id], model.bytes[id],
    model.queued(id), model.submitted(id), model.start[id], model.end[id], model.flags[id], model.runOf(id), model.recordIndex(id)]),
  back: ids.every((id) => model.commandAt(model.runOf(id), model.recordIndex(id)) === id),
  rows: brushes.map(([from, to]) => statistics.rows(from, to)),
  busy: brushes.map(([from, to]) => statistics.lanes(from, to).map(({ busy }) => busy)),
  places: brushes.map(([from]) => [axis.place(from), axis.invert(axis.place(from))]),
  trace: JSON.parse([...tlTrace(model, shifts)].join("")),
  csv: [...tlCsv(model)].join(""),
}));
