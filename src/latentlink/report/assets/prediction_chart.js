// The main metric of the model and of the baselines, with intervals where there are repeats.
function drawMetrics(container) {
  const facts = DATA.facts.prediction;
  const [metric, title, lower] = facts.metrics[0];
  const labels = Object.fromEntries(facts.kinds);
  const rows = rowsOf(DATA.tables.metrics)
    .filter((row) => row.metric === metric && row.mean !== null)
    .map((row) => Object.assign({ kind: labels[row.negatives], who: row.baseline ? "baseline" : "model" }, row));
  rows.sort((a, b) => (lower ? a.mean - b.mean : b.mean - a.mean));
  const methods = [...new Set(rows.map((row) => row.model))];
  const kinds = [...new Set(rows.map((row) => row.kind))];
  const y = { field: "model", type: "nominal", title: null, axis: { labelLimit: 150, grid: true, domain: false, ticks: false, labelColor: "var(--ink)" }, sort: null };
  const color = { field: "who", type: "nominal", legend: null, scale: { domain: ["model", "baseline"], range: ["var(--accent)", "var(--muted)"] } };
  const x = { type: "quantitative", title, axis: { tickCount: 5 }, scale: { zero: false, padding: 14, nice: true } };
  const panel = (values, width) => ({
    width, height: 26 * new Set(values.map((row) => row.model)).size, data: { values },
    layer: [
      { transform: [{ filter: "isValid(datum.low)" }], mark: { type: "rule", strokeWidth: 2 }, encoding: { x: Object.assign({ field: "low" }, x), x2: { field: "high" }, y, color } },
      { mark: { type: "point", size: 90 }, encoding: {
        x: Object.assign({ field: "mean" }, x), y, color,
        shape: { field: "who", type: "nominal", legend: null, scale: { domain: ["model", "baseline"], range: ["diamond", "circle"] } },
        tooltip: [{ field: "model" }, { field: "mean", format: ".3f" }, { field: "low", format: ".3f" }, { field: "high", format: ".3f" }],
      } },
    ],
  });
  drawChart(container, (width) => (
    kinds.length === 1
      ? Object.assign({ autosize: { type: "fit", contains: "padding" } }, panel(rows, width), { height: 26 * methods.length + 45 })
      : { spacing: 24, vconcat: kinds.map((kind) => Object.assign({ title: { text: kind, anchor: "start", fontSize: 12, fontWeight: 500, color: "var(--muted)" } }, panel(rows.filter((row) => row.kind === kind), width - 165))) }
  ), title + " of " + methods.length + " methods; the numbers are in the table below.");
}
