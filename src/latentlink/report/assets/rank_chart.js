// Stability and held-out error over the number of components; both panels share the axis below.
function drawRanks(container) {
  const model = container.dataset.model;
  const rows = rowsOf(DATA.tables.ranks).filter((row) => row.model === model);
  const chosen = DATA.ranks[model];
  const x = { field: "rank", type: "quantitative", axis: { tickMinStep: 1, format: "d", title: "number of components" }, scale: { zero: false, padding: 12, nice: false } };
  const rule = { data: { values: [{ rank: chosen }] }, mark: { type: "rule", strokeDash: [5, 4] }, encoding: { x: { field: "rank", type: "quantitative" } } };
  const label = {
    data: rule.data,
    mark: { type: "text", text: "chosen: " + chosen, fontWeight: "bold", color: "var(--ink)" },
    encoding: { x, y: { value: -14 } },
  };
  const series = (field, title, color, domain, extra) => ({
    height: 150,
    layer: [
      rule,
      ...extra,
      {
        mark: { type: "line", color, point: { color, size: 55 } },
        encoding: {
          x, y: { field, type: "quantitative", title, scale: domain ? { domain } : { zero: false } },
          tooltip: [{ field: "rank", title: "components" }, { field, title, format: ".3f" }],
        },
      },
      {
        transform: [{ filter: "datum.rank === " + Number(chosen) }],
        mark: { type: "point", shape: "diamond", filled: true, color, size: 200, opacity: 1, stroke: "var(--ink)", strokeWidth: 1.5 },
        encoding: { x, y: { field, type: "quantitative" } },
      },
      label,
    ],
  });
  const known = rows.filter((row) => row.stability !== null);
  const low = Math.min(0, ...known.map((row) => row.stability));
  const errors = rows.filter((row) => row.held_out_error !== null)
    .map((row) => Object.assign({ low: row.held_out_error - row.standard_error, high: row.held_out_error + row.standard_error }, row));
  const bars = [{ mark: { type: "rule", color: "var(--second)", opacity: 0.5, strokeWidth: 2 }, encoding: { x, y: { field: "low", type: "quantitative" }, y2: { field: "high" } } }];
  const panels = [];
  if (known.length) panels.push(Object.assign({ data: { values: known } }, series("stability", "stability", "var(--accent)", [low, 1], [])));
  if (errors.length) panels.push(Object.assign({ data: { values: errors } }, series("held_out_error", "held-out error", "var(--second)", null, bars)));
  if (!panels.length) return;
  const tried = rows.map((row) => row.rank);
  drawChart(container, (width) => ({
    spacing: 18,
    vconcat: panels.map((panel) => Object.assign({ width: width - 70 }, panel)),
    resolve: { scale: { x: "shared" } },
  }), "Stability and held-out error for " + Math.min(...tried) + " to " + Math.max(...tried) + " components; " + chosen + " is chosen.");
}
