// One link: what its score is made of, and what connects both ends.
/** Show why a link has its score; the button that asked for it gets the focus back when this is closed. */
function showDetail(number, table, asked) {
  const detail = byId("detail");
  const value = (name) => (table[name] ? table[name][number] : null);
  const labels = Object.fromEntries(shownColumns(table).map((column) => [column.name, column.label]));
  // First what the decision was made by; the probability at another share of links is a detail.
  const lines = [];
  if (table.decision) lines.push(["decision", value("decision") || "–"]);
  if (table.decision_probability) lines.push([labels.decision_probability, asProbability(value("decision_probability"))]);
  else if (table.probability) lines.push([labels.probability, asProbability(value("probability"))]);
  if (table.low) lines.push(["interval", asNumber(value("low"), 2) + " to " + asNumber(value("high"), 2)]);
  lines.push(["score", asNumber(value("score"), 3)], ["spread", asNumber(value("spread"), 3)]);
  if (table.decision_probability && table.probability) lines.push(["probability " + labels.probability, asProbability(value("probability")), "lesser"]);
  const bars = make("div", { class: "chart" });
  const graph = make("div", { class: "chart" });
  const title = make("h3", { id: "detail-title" }, nameElement(table.source[number], true), " – ", nameElement(table.target[number], true));
  detail.replaceChildren(
    title,
    make("dl", { class: "figures" }, ...lines.map(([label, text, kind]) => make("div", { class: kind }, make("dt", {}, label), make("dd", {}, text)))),
    make("div", { class: "beside" },
      make("figure", {}, bars, make("figcaption", {}, DATA.facts.links.adds_up), ...partsOf(number)),
      make("figure", {}, graph, make("figcaption", {}, graphSentence(number)))),
  );
  const close = make("button", { type: "button" }, "Close");
  const leave = () => {
    detail.hidden = true;
    document.querySelectorAll("tr.chosen").forEach((row) => row.classList.remove("chosen"));
    asked.focus();
  };
  close.addEventListener("click", leave);
  detail.onkeydown = (event) => { if (event.key === "Escape") leave(); };
  detail.append(close);
  detail.hidden = false;
  drawExplanation(bars, number);
  drawNeighbourhood(graph, number);
  detail.focus({ preventScroll: true });
  detail.scrollIntoView({ block: "nearest" });
}

function drawExplanation(container, number) {
  const leaders = leadersOf();
  const rows = rowsOf(DATA.tables.explanations)
    .filter((row) => row.link === number)
    .map((row, order) => Object.assign({ order, label: row.part + (leaders[row.part] ? " (" + leaders[row.part] + ")" : ""), low: row.contribution - (row.spread || 0), high: row.contribution + (row.spread || 0) }, row));
  const y = { field: "label", type: "nominal", title: null, sort: null, axis: { labelLimit: container.clientWidth < 420 ? 185 : 230, domain: false, ticks: false, labelColor: "var(--ink)" } };
  drawChart(container, (width) => ({
    width, height: 26 * rows.length + 45, autosize: { type: "fit", contains: "padding" }, data: { values: rows },
    layer: [
      { mark: { type: "bar", cornerRadius: 2, height: 14 }, encoding: {
        y, x: { field: "contribution", type: "quantitative", title: "contribution", axis: { tickCount: 5 } },
        color: { condition: { test: "datum.contribution < 0", value: "var(--second)" }, value: "var(--accent)" },
        tooltip: [{ field: "part" }, { field: "contribution", format: ".3f" }, { field: "spread", format: ".3f" }],
      } },
      { mark: { type: "rule", strokeWidth: 1.5, color: "var(--ink)" }, encoding: { y, x: { field: "low", type: "quantitative" }, x2: { field: "high" } } },
      { data: { values: [{ zero: 0 }] }, mark: { type: "rule", color: "var(--muted)" }, encoding: { x: { field: "zero", type: "quantitative" } } },
    ],
  }), "Contributions to the score: " + rows.map((row) => row.part + " " + asNumber(row.contribution)).join(", ") + ".");
}

/** Return a folded table of all parts under their technical names, where the bars are sums of them. */
function partsOf(number) {
  if (!DATA.tables.explanation_parts) return [];
  const rows = rowsOf(DATA.tables.explanation_parts).filter((row) => row.link === number);
  if (!rows.length) return [];
  const cells = (row) => [make("td", {}, DATA.parts[row.part]), make("td", { class: "num" }, asSigned(row.contribution))];
  return [make("details", { class: "parts" },
    make("summary", {}, "The " + rows.length + " parts by their technical names"),
    make("table", {}, make("tbody", {}, ...rows.map((row) => make("tr", {}, ...cells(row))))))];
}

/** Return the first member of each component, to make its number mean something. */
function leadersOf() {
  if (!DATA.tables.members) return {};
  const found = {};
  for (const row of rowsOf(DATA.tables.members)) {
    const part = "component " + row.component;
    if (!(part in found)) found[part] = shortName(row.node, 14) + ", …";
  }
  return found;
}

function graphSentence(number) {
  const graph = DATA.neighbourhoods[number];
  if (!DATA.facts.links.binary) return valueGraphSentence(graph);
  const common = graph.nodes.filter((node) => node[1] === "both").length;
  const closing = graph.edges.filter(([a, b]) => [graph.nodes[a][1], graph.nodes[b][1]].sort().join() === "of source,of target").length;
  if (graph.nodes.length === 2) return "No known link of either end, so nothing connects them in the data.";
  const found = common ? common + (common === 1 ? " common neighbour is" : " common neighbours are") + " shown in the middle"
    : closing ? closing + (closing === 1 ? " known link closes" : " known links close") + " a path between the two"
    : "no short path connects the two";
  const line = DATA.facts.links.directed ? "the dashed arrow" : "the dashed line";
  const back = DATA.facts.links.directed && graph.edges.some(([a, b]) => a === 1 && b === 0) ? " The opposite link is known." : "";
  return "Known links near the pair; " + line + " is the predicted one. Of the strongest links, " + found + "." + back;
}

function valueGraphSentence(graph) {
  if (graph.nodes.length === 2) return "Nothing is known of this row and this column.";
  const sides = DATA.facts.links.ends[0] === "row" ? "of this row and of this column" : "of either node";
  return "Lines are known values " + sides + ", and those where their other ends meet. The dashed line is the predicted value.";
}
