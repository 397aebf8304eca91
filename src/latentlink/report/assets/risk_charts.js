// How far predictions can be relied on.
function drawReliability(container) {
  const rows = rowsOf(DATA.tables.reliability);
  const axis = { format: ".0%" };
  drawChart(container, (width) => ({
    width, height: Math.min(340, width * 0.8), autosize: { type: "fit", contains: "padding" },
    layer: [
      {
        data: { values: [{ p: 0 }, { p: 1 }] },
        mark: { type: "line", strokeDash: [5, 4], strokeWidth: 1.5, color: "var(--muted)" },
        encoding: { x: { field: "p", type: "quantitative" }, y: { field: "p", type: "quantitative" } },
      },
      {
        data: { values: rows },
        mark: { type: "line", color: "var(--accent)", point: { color: "var(--accent)", size: 70 } },
        encoding: {
          x: { field: "predicted", type: "quantitative", title: "predicted probability", axis, scale: { domain: [0, 1] } },
          y: { field: "observed", type: "quantitative", title: "observed share of links", axis, scale: { domain: [0, 1] } },
          tooltip: [
            { field: "predicted", format: ".1%" }, { field: "observed", format: ".1%" }, { field: "count", title: "pairs", format: "," },
          ],
        },
      },
    ],
  }), "Observed share of links for " + rows.length + " groups of predicted probability, beside the diagonal of perfect agreement.");
}

function drawRisk(container) {
  const facts = DATA.facts.risk;
  const binary = facts.unit.startsWith("share");
  const rows = rowsOf(DATA.tables.risk_coverage);
  const unit = binary ? "pairs" : "entries";
  const format = (value) => (binary ? asPercent(value) : asNumber(value, 3));
  const handle = drawChart(container, (width) => ({
    width, height: Math.min(300, width * 0.7), autosize: { type: "fit", contains: "padding" },
    params: [{ name: "chosen", value: 1 }],
    layer: [
      { data: { values: rows }, mark: { type: "area", color: "var(--accent)", opacity: 0.12, line: { color: "var(--accent)" } },
        encoding: {
          x: { field: "coverage", type: "quantitative", title: "coverage: share of " + unit + " answered", axis: { format: ".0%" }, scale: { domain: [0, 1] } },
          y: { field: "risk", type: "quantitative", title: "risk: " + facts.unit, axis: { format: binary ? ".1~%" : ".2~f" } },
          tooltip: [{ field: "coverage", format: ".1%" }, { field: "risk", format: binary ? ".2%" : ".3f" }, { field: "links", title: "links that remain", format: "," }],
        } },
      { data: { values: [{}] }, mark: { type: "rule", color: "var(--second)", strokeWidth: 2 }, encoding: { x: { datum: { expr: "chosen" }, type: "quantitative" } } },
    ],
  }), "The " + facts.unit + " among the " + unit + " answered, over the share of " + unit + " that are answered.");
  const slider = byId("risk");
  const least = Math.min(...rows.map((row) => row.risk));
  const most = Math.max(...rows.map((row) => row.risk));
  const update = () => {
    const risk = least + ((most - least) * slider.value) / 100;
    const allowed = rows.filter((row) => row.risk <= risk + 1e-9);
    const row = allowed[allowed.length - 1];
    byId("risk-chosen").textContent = format(risk);
    slider.setAttribute("aria-valuetext", format(risk));
    const what = binary ? " ranked pairs remain as links." : " predicted values remain.";
    byId("risk-result").textContent =
      "The model answers " + asPercent(row.coverage) + " of the held-out " + unit + ", and " + asNumber(row.links) +
      " of " + asNumber(facts.links) + what;
    handle.set("chosen", row.coverage);
  };
  slider.value = 50;
  slider.addEventListener("input", update);
  update();
}
