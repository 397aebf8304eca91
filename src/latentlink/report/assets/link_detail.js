// One link: what its score is made of, and what connects both ends.
const PLACES = { source: 0, "of source": 0.3, both: 0.5, "of target": 0.7, target: 1 };
const ROLES = ["source", "of source", "both", "of target", "target"];

/** Show why a link has its score; the button that asked for it gets the focus back when this is closed. */
function showDetail(number, table, asked) {
  const detail = byId("detail");
  const value = (name) => (table[name] ? table[name][number] : null);
  const lines = [["score", asNumber(value("score"), 3)], ["spread", asNumber(value("spread"), 3)]];
  if (table.probability) lines.push(["probability", asProbability(value("probability"))]);
  if (table.low) lines.push(["interval", asNumber(value("low"), 2) + " to " + asNumber(value("high"), 2)]);
  if (table.decision) lines.push(["decision", value("decision") || "–"]);
  const bars = make("div", { class: "chart" });
  const graph = make("div", { class: "chart" });
  const title = make("h3", { id: "detail-title" }, nameElement(table.source[number], true), " – ", nameElement(table.target[number], true));
  detail.replaceChildren(
    title,
    make("dl", { class: "figures" }, ...lines.map(([label, text]) => make("div", {}, make("dt", {}, label), make("dd", {}, text)))),
    make("div", { class: "beside" },
      make("figure", {}, bars, make("figcaption", {}, DATA.facts.links.adds_up)),
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
  const y = { field: "label", type: "nominal", title: null, sort: null, axis: { labelLimit: container.clientWidth < 420 ? 150 : 230, domain: false, ticks: false, labelColor: "var(--ink)" } };
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

/** Return the first member of each component, to make its number mean something. */
function leadersOf() {
  if (!DATA.tables.members || !DATA.facts.links.named_parts) return {};
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
  return "Known links near the pair; the dashed line is the predicted one. Of the strongest links, " + found + ".";
}

function valueGraphSentence(graph) {
  if (graph.nodes.length === 2) return "Nothing is known of this row and this column.";
  const sides = DATA.facts.links.ends[0] === "row" ? "of this row and of this column" : "of either node";
  return "Lines are known values " + sides + ", and those where their other ends meet. The dashed line is the predicted value.";
}

function placedNodes(number, width) {
  const graph = DATA.neighbourhoods[number];
  const counts = {};
  const most = width < 420 ? 8 : 13;
  const nodes = graph.nodes.map(([name, role]) => {
    counts[role] = (counts[role] || 0) + 1;
    return { name: shortName(name, most), role, turn: counts[role], x: PLACES[role] };
  });
  for (const node of nodes) Object.assign(node, placeOf(node, counts[node.role]));
  for (const node of nodes) if (node.role === "source" || node.role === "target") Object.assign(node, { x: PLACES[node.role], y: 0.5 });
  return nodes;
}

/** Return where a node is: above or below the dashed line, alternately to the left and to the right. */
function placeOf(node, count) {
  const above = Math.ceil(count / 2);
  const place = node.turn - 1;
  const [rank, size, sign] = place < above ? [place, above, 1] : [place - above, count - above, -1];
  const shift = count > 2 ? (rank % 2 ? 0.05 : -0.05) : 0;
  return { x: node.x + shift, y: 0.5 + sign * (size === 1 ? 0.3 : 0.16 + (0.34 * rank) / (size - 1)) };
}

function drawNeighbourhood(container, number) {
  const graph = DATA.neighbourhoods[number];
  drawChart(container, (width) => {
    const nodes = placedNodes(number, width);
    const known = graph.edges.map(([a, b]) => ({ x: nodes[a].x, y: nodes[a].y, x2: nodes[b].x, y2: nodes[b].y }));
    const ends = { x2: { field: "x2" }, y2: { field: "y2" } };
    const axis = (field) => ({ field, type: "quantitative", axis: null, scale: { domain: field === "x" ? [-0.12, 1.12] : [-0.08, 1.08], nice: false, zero: false } });
    return {
      width, height: 280, autosize: { type: "fit", contains: "padding" },
      layer: [
        { data: { values: known }, mark: { type: "rule", color: "var(--muted)", opacity: 0.45, strokeWidth: 1.5 },
          encoding: Object.assign({ x: axis("x"), y: axis("y") }, ends) },
        { data: { values: [{ x: 0, y: 0.5, x2: 1, y2: 0.5 }] }, mark: { type: "rule", color: "var(--accent)", strokeDash: [6, 4], strokeWidth: 2.5 },
          encoding: Object.assign({ x: axis("x"), y: axis("y") }, ends) },
        { data: { values: nodes }, mark: { type: "point", size: 150 }, encoding: {
          x: axis("x"), y: axis("y"), tooltip: [{ field: "name" }],
          color: { field: "role", type: "nominal", legend: null, scale: { domain: ROLES, range: ["var(--accent)", "var(--muted)", "var(--second)", "var(--muted)", "var(--accent)"] } },
        } },
        { data: { values: nodes }, mark: { type: "text", dy: -13, fontSize: 11, stroke: "var(--raised)", strokeWidth: 4, strokeJoin: "round" }, encoding: { x: axis("x"), y: axis("y"), text: { field: "name" } } },
        { data: { values: nodes }, mark: { type: "text", dy: -13, fontSize: 11 }, encoding: { x: axis("x"), y: axis("y"), text: { field: "name" } } },
      ],
    };
  }, "A graph of " + graph.nodes.length + " nodes near the pair and " + graph.edges.length + " known " + (DATA.facts.links.binary ? "links" : "values") + " among them.");
}
