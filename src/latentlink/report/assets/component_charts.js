// The components: cards of their members, and heat maps of small data.
const FIRST_CARDS = 12;
const FIRST_UNCLEAR = 3; // of components that are not to be read
const SIDE_NAMES = { rows: "Rows", columns: "Columns" };

function startComponents() {
  const facts = DATA.components;
  const place = byId("component-cards");
  if (!place || !DATA.tables.members) return;
  const members = rowsOf(DATA.tables.members);
  const unclear = "unclear" in place.dataset;
  const first = unclear ? FIRST_UNCLEAR : FIRST_CARDS;
  for (let component = 0; component < facts.shown; component += 1) {
    const stability = facts.stability[component];
    const note = asPercent(facts.shares[component]) + (stability === null ? "" : " · stability " + asNumber(stability, 2));
    const card = make("article", { class: "card" }, make("h3", {}, make("span", {}, "Component " + component), make("span", {}, note)));
    for (const side of facts.sides) {
      const own = members.filter((row) => row.component === component && row.side === side);
      if (!own.length) continue;
      if (!facts.one_side) card.append(make("h4", {}, SIDE_NAMES[side]));
      card.append(make("ol", {}, ...own.map(memberLine)));
      const size = facts.sizes ? facts.sizes[side][component] : own.length;
      if (size > own.length) card.append(make("p", { class: "more" }, "The " + own.length + " most typical of " + size + " members"));
    }
    card.hidden = component >= first;
    place.append(card);
  }
  if (facts.shown <= first) return;
  const more = make("button", { type: "button" }, facts.shown < facts.count
    ? "Show the first " + facts.shown + " of " + facts.count + " components" : "Show all " + facts.shown + " components");
  more.addEventListener("click", () => {
    place.querySelectorAll("[hidden]").forEach((card) => { card.hidden = false; });
    more.remove();
  });
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = unclear ? [] : [...place.querySelectorAll("[hidden]")];
    folded.forEach((card) => { card.hidden = false; });
    more.hidden = true;
  });
  addEventListener("afterprint", () => {
    folded.forEach((card) => { card.hidden = true; });
    more.hidden = false;
  });
  place.after(more);
}

function memberLine(row) {
  const fill = make("i", { class: row.loading < 0 ? "minus" : null });
  fill.style.width = 100 * Math.min(1, Math.abs(row.loading)) + "%";
  const bar = make("span", { class: "bar", role: "img", "aria-label": (DATA.components.boolean ? "share " : "loading ") + asNumber(row.loading, 2) }, fill);
  return make("li", {}, nameElement(row.node), bar);
}

function drawLoadings(container) {
  const rows = rowsOf(DATA.tables.loadings).map((row) => Object.assign(row, { label: row.node + " " + shortName(row.node, 18), strength: Math.max(0.04, Math.abs(row.loading)) }));
  const sides = [...new Set(rows.map((row) => row.side))];
  drawChart(container, (width) => ({
    spacing: 24,
    hconcat: sides.map((side) => {
      const own = rows.filter((row) => row.side === side);
      const components = DATA.components.shown;
      const step = Math.max(6, Math.min(34, Math.floor((width / sides.length - 130) / components)));
      return {
        title: DATA.components.one_side ? undefined : { text: SIDE_NAMES[side], anchor: "start", fontSize: 12, color: "var(--muted)", fontWeight: 500 },
        data: { values: own }, width: { step }, height: { step: 14 },
        mark: { type: "rect", color: { expr: "datum.loading < 0 ? 'var(--second)' : 'var(--heat-high)'" } },
        encoding: {
          x: { field: "component", type: "ordinal", title: "component", axis: { labelAngle: 0, orient: "top", ticks: false, domain: false } },
          y: { field: "label", type: "nominal", sort: null, title: null, axis: { labelExpr: "slice(datum.label, indexof(datum.label, ' ') + 1)", labelLimit: 110, ticks: false, domain: false, labelFontSize: 10 } },
          // Colours of the theme, which paper changes: only their opacity is data.
          fillOpacity: { field: "strength", type: "quantitative", scale: { domain: [0, 1], range: [0, 1] }, legend: null },
          tooltip: [{ field: "component" }, { field: "loading", format: ".2f" }],
        },
      };
    }),
  }), "Loadings of every node in every component.");
}
