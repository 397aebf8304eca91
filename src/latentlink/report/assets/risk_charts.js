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
  const handle = drawChart(container, (width) => ({
    width, height: Math.min(300, width * 0.7), autosize: { type: "fit", contains: "padding" },
    params: [{ name: "chosen", value: 1 }],
    layer: [
      { data: { values: rows }, mark: { type: "area", color: "var(--accent)", opacity: 0.12, line: { color: "var(--accent)" } },
        encoding: {
          x: { field: "coverage", type: "quantitative", title: "coverage: share of held-out " + unit + " answered", axis: { format: ".0%" }, scale: { domain: [0, 1] } },
          y: { field: "risk", type: "quantitative", title: "risk: " + facts.unit, axis: { tickCount: 5, format: binary ? "~%" : ".4~" } },
          tooltip: [{ field: "coverage", format: ".1%" }, { field: "risk", format: binary ? ".2%" : ".3f" }, { field: "links", title: "ranked that remain", format: "," }],
        } },
      { data: { values: [{}] }, mark: { type: "rule", color: "var(--second)", strokeWidth: 2 }, encoding: { x: { datum: { expr: "chosen" }, type: "quantitative" } } },
    ],
  }), "The " + facts.unit + " among the " + unit + " answered, over the share of " + unit + " that are answered.");
  startRiskSlider(rowsOf(DATA.tables.risk_levels), (row) => handle.set("chosen", row.coverage));
}

/** Let the reader choose among risks at which something changes; it starts at the risk of the decisions. */
function startRiskSlider(levels, show) {
  const facts = DATA.facts.risk;
  const binary = facts.unit.startsWith("share");
  const unit = binary ? "pairs" : "entries";
  // Risks are round numbers, which are shown with the digits that they have.
  const format = (risk) => (binary ? Number((100 * risk).toPrecision(6)) + "\u00a0%" : String(risk));
  const slider = byId("risk");
  const update = () => {
    const row = levels[slider ? Number(slider.value) : 0];
    byId("risk-result").textContent = (binary ? "At a risk of at most " : "With a mean error of at most ") + format(row.risk) +
      " the model answers " + asPercent(row.coverage) + " of the held-out " + unit +
      (binary && facts.share_of_links ? ", of which " + noBreak(facts.share_of_links) + " are links" : "") + ". " +
      remaining(row);
    if (slider) {
      byId("risk-chosen").textContent = format(row.risk);
      slider.setAttribute("aria-valuetext", format(row.risk));
    }
    show(row);
  };
  const remaining = (row) => {
    const count = asNumber(row.links) + " of " + asNumber(facts.links);
    if (!binary) return count + " predicted values remain.";
    if (facts.supposed) return "If " + noBreak(facts.supposed) + " of the unknown pairs are links, as the decisions suppose, " + count + " ranked pairs remain as links.";
    return count + " ranked pairs remain as links" + (facts.share_of_links ? ", if as large a share of them are links." : ".");
  };
  if (slider) {
    const accepted = levels.findIndex((row) => row.accepted);
    slider.value = accepted < 0 ? Math.floor((levels.length - 1) / 2) : accepted;
    for (const kind of ["input", "change"]) slider.addEventListener(kind, update);
  }
  update();
}
