// What connects both ends of a link: nodes near it, and the known links among them.
const PLACES = { source: 0, "of source": 0.3, both: 0.5, "of target": 0.7, target: 1 };
const ROLES = ["source", "of source", "both", "of target", "target"];
const GRAPH_HEIGHT = 280;
const ACROSS = [-0.12, 1.12];
const UPWARDS = [-0.08, 1.08];

function placedNodes(number, width) {
  const graph = DATA.neighbourhoods[number];
  const counts = {};
  const most = width < 420 ? 8 : 13;
  const nodes = graph.nodes.map(([name, role]) => {
    counts[role] = (counts[role] || 0) + 1;
    return { name: shortName(name, most), whole: shortName(name, 80), role, side: sideOf(role), turn: counts[role], x: PLACES[role] };
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

/** Return whether a node of a table is a row or a column: neighbours of a row are columns. */
function sideOf(role) {
  return role === "source" || role === "of target" ? DATA.facts.links.ends[0] : DATA.facts.links.ends[1];
}

/** Return the heads of arrows: where each line reaches its second node, and its direction in degrees. */
function arrowHeads(lines, width) {
  const perX = width / (ACROSS[1] - ACROSS[0]);
  const perY = GRAPH_HEIGHT / (UPWARDS[1] - UPWARDS[0]);
  return lines.map(({ x, y, x2, y2 }) => {
    const [right, up] = [(x2 - x) * perX, (y2 - y) * perY];
    const length = Math.hypot(right, up) || 1;
    const back = Math.min(0.5, 11 / length); // as far as the radius of a node
    return { x: x2 - back * (x2 - x), y: y2 - back * (y2 - y), angle: (Math.atan2(right, up) * 180) / Math.PI };
  });
}

/** Return how nodes look: by their role or, in a table, rows and columns by colour and shape. */
function nodeLook() {
  if (DATA.facts.links.ends[0] !== "row") {
    return { color: { field: "role", type: "nominal", legend: null, scale: { domain: ROLES, range: ["var(--accent)", "var(--muted)", "var(--second)", "var(--muted)", "var(--accent)"] } } };
  }
  const domain = DATA.facts.links.ends;
  return {
    color: { field: "side", type: "nominal", scale: { domain, range: ["var(--accent)", "var(--second)"] }, legend: { symbolSize: 120 } },
    shape: { field: "side", type: "nominal", scale: { domain, range: ["circle", "square"] } },
  };
}

function drawNeighbourhood(container, number) {
  const graph = DATA.neighbourhoods[number];
  const directed = DATA.facts.links.directed;
  drawChart(container, (width) => {
    const nodes = placedNodes(number, width);
    const predicted = [{ x: 0, y: 0.5, x2: 1, y2: 0.5 }];
    const known = graph.edges.map(([a, b]) => {
      const beside = a + b === 1 ? 0.035 : 0; // the opposite of the predicted link runs beside it
      return { x: nodes[a].x, y: nodes[a].y - beside, x2: nodes[b].x, y2: nodes[b].y - beside };
    });
    const axis = (field) => ({ field, type: "quantitative", axis: null, scale: { domain: field === "x" ? ACROSS : UPWARDS, nice: false, zero: false } });
    const at = { x: axis("x"), y: axis("y") };
    const line = (values, mark) => ({ data: { values }, mark: Object.assign({ type: "rule" }, mark), encoding: Object.assign({ x2: { field: "x2" }, y2: { field: "y2" } }, at) });
    const heads = (values, color) => ({ data: { values: arrowHeads(values, width) }, mark: { type: "point", shape: "triangle", size: 55, color, opacity: 1 },
      encoding: Object.assign({ angle: { field: "angle", type: "quantitative", scale: null } }, at) });
    const label = (mark) => ({ data: { values: nodes }, mark: Object.assign({ type: "text", dy: -13, fontSize: 11 }, mark), encoding: Object.assign({ text: { field: "name" } }, at) });
    return {
      width, height: GRAPH_HEIGHT, autosize: { type: "fit", contains: "padding" },
      layer: [
        line(known, { color: "var(--muted)", opacity: 0.45, strokeWidth: 1.5 }),
        line(predicted, { color: "var(--accent)", strokeDash: [6, 4], strokeWidth: 2.5 }),
        { data: { values: nodes }, mark: { type: "point", size: 150 }, encoding: Object.assign({ tooltip: [{ field: "whole", title: "name" }] }, at, nodeLook()) },
        label({ stroke: "var(--raised)", strokeWidth: 4, strokeJoin: "round" }),
        ...(directed ? [heads(known, "var(--muted)"), heads(predicted, "var(--accent)")] : []),
        label({}),
      ],
    };
  }, "A graph of " + graph.nodes.length + " nodes near the pair and " + graph.edges.length + " known " + (DATA.facts.links.binary ? "links" : "values") + " among them" + (directed ? ", with arrows" : "") + ".");
}
