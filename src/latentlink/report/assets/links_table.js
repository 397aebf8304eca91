// The ranked links: sorted, searched, filtered and shown page by page.
const PER_PAGE = 20;
const PRINTED = 100;
const COLUMNS = [
  { name: "rank", label: "rank", number: true, spare: true },
  { name: "source", end: 0, named: true },
  { name: "target", end: 1, named: true },
  { name: "score", label: "score", number: true },
  { name: "decision_probability", label: "probability", number: true },
  { name: "probability", label: "probability", number: true },
  { name: "spread", label: "spread", number: true, spare: true },
  { name: "low", label: "interval from", number: true, spare: true },
  { name: "high", label: "to", number: true, spare: true },
  { name: "decision", label: "decision" },
];

/** Return the columns there are. Spare ones are in a second line of a row on a phone. */
function shownColumns(table) {
  const supposes = DATA.facts.links.supposes || {};
  const labelOf = (column) => {
    if (column.named) return DATA.facts.links.ends[column.end];
    // Two probabilities differ by the share of links that they suppose; the second is the lesser one.
    if (!table.decision_probability || !supposes[column.name]) return column.label;
    return (column.name === "probability" ? "at " : column.label + " at ") + supposes[column.name].replace(" ", "\u00a0") + " links";
  };
  // A probability says more than the score that it is made of, and that of the decisions more than the other.
  const isSpare = { score: table.probability, probability: table.decision_probability };
  return COLUMNS.filter((column) => table[column.name])
    .map((column) => Object.assign({}, column, { label: labelOf(column), spare: Boolean(column.spare || isSpare[column.name]) }));
}

function startLinks() {
  const table = DATA.tables.links;
  if (!table || !byId("links-table")) return;
  const columns = shownColumns(table);
  const all = table.score.map((_, row) => row);
  const unit = DATA.facts.links.binary ? " pairs" : " entries";
  const state = { sort: table.rank ? "rank" : "score", ascending: true, page: 0, rows: all };
  const plain = (text) => text.toLocaleLowerCase().replace(/\s+/g, " ").trim();
  const lower = NAMES.map(plain);
  const order = naturalOrder(lower);

  const head = make("tr", {});
  for (const column of columns) {
    const button = make("button", { type: "button" }, column.label);
    button.addEventListener("click", () => {
      state.ascending = state.sort === column.name ? !state.ascending : !column.number || column.name === "rank";
      state.sort = column.name;
      state.page = 0;
      render();
    });
    head.append(make("th", { scope: "col", class: classOf(column), "data-column": column.name, "data-label": column.label }, button));
  }
  head.append(make("th", { scope: "col" }, make("span", { class: "unseen" }, "explanation")));
  byId("links-table").tHead.append(head);

  function matching() {
    const wanted = plain(byId("search").value);
    const node = plain(byId("node").value);
    // A whole name is that node, whatever begins with it; what is no name may become one.
    const isNode = lower.includes(node) ? (end) => lower[end] === node : (end) => lower[end].startsWith(node);
    const decision = byId("decision") ? byId("decision").value : "";
    return all.filter((row) => {
      const ends = [table.source[row], table.target[row]];
      return (!wanted || ends.some((end) => lower[end].includes(wanted)))
        && (!node || ends.some(isNode))
        && (!decision || table.decision[row] === decision);
    });
  }

  function sorted(rows) {
    const column = columns.find((each) => each.name === state.sort);
    const values = table[column.name];
    const sign = state.ascending ? 1 : -1;
    const key = column.named ? (row) => order[values[row]] : (row) => values[row];
    return rows.sort((a, b) => {
      const left = key(a);
      const right = key(b);
      if (left === right) return a - b;
      if (left === null) return 1;
      if (right === null) return -1;
      return left < right ? -sign : sign;
    });
  }

  function render() {
    const rows = sorted(matching());
    const size = state.printed ? PRINTED : PER_PAGE;
    const pages = Math.max(1, Math.ceil(rows.length / size));
    state.page = Math.min(state.page, pages - 1);
    const first = state.printed ? 0 : state.page * size;
    const shown = rows.slice(first, first + size);
    byId("links-table").tBodies[0].replaceChildren(...shown.map(lineOf));
    head.querySelectorAll("th[data-column]").forEach((cell) => {
      const own = cell.dataset.column === state.sort;
      cell.setAttribute("aria-sort", own ? (state.ascending ? "ascending" : "descending") : "none");
    });
    byId("links-count").textContent = rows.length === all.length
      ? asNumber(all.length) + unit : asNumber(rows.length) + " of " + asNumber(all.length) + unit + " match";
    byId("page").textContent = state.printed
      ? (rows.length > size ? "The first " + size + " are printed." : "")
      : "Page " + (state.page + 1) + " of " + pages;
    byId("previous").disabled = state.page === 0;
    byId("next").disabled = state.page === pages - 1;
  }

  function lineOf(row) {
    const line = make("tr", { "data-link": row });
    for (const column of columns) line.append(make("td", { class: classOf(column), "data-label": column.label }, cellOf(column, row)));
    const why = make("td", {});
    if (row < DATA.neighbourhoods.length && DATA.tables.explanations) {
      const label = "Why? Explain " + shortName(table.source[row], 60) + " and " + shortName(table.target[row], 60);
      const button = make("button", { type: "button", class: "why", "aria-label": label }, "Why?");
      button.addEventListener("click", () => {
        document.querySelectorAll("tr.chosen").forEach((other) => other.classList.remove("chosen"));
        line.classList.add("chosen");
        showDetail(row, table, button);
      });
      why.append(button);
    }
    line.append(why);
    return line;
  }

  function cellOf(column, row) {
    const value = table[column.name][row];
    if (column.named) return nameElement(value);
    if (column.name === "decision") return value ? make("span", { class: "tag " + tagOf(value) }, value) : "–";
    if (column.name.endsWith("probability")) return asProbability(value);
    return asNumber(value, column.name === "rank" ? undefined : 3);
  }

  const again = () => { state.page = 0; render(); };
  for (const id of ["search", "node", "decision"]) {
    for (const kind of ["input", "change"]) if (byId(id)) byId(id).addEventListener(kind, again);
  }
  if (byId("decision")) countDecisions(byId("decision"), table.decision || []);
  byId("links-table").classList.toggle("decided", Boolean(table.decision));
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("filters").addEventListener("reset", () => setTimeout(again));
  addEventListener("beforeprint", () => { state.printed = true; render(); });
  addEventListener("afterprint", () => { state.printed = false; render(); });
  byId("previous").addEventListener("click", () => { state.page -= 1; render(); });
  byId("next").addEventListener("click", () => { state.page += 1; render(); });
  const ends = [...new Set([...table.source, ...table.target])].filter((end) => NAMES[end].length <= 80).sort((a, b) => order[a] - order[b]).slice(0, 500);
  byId("nodes").append(...ends.map((end) => make("option", { value: NAMES[end] })));
  render();
}

/** Return the place of each name in an order by numbers within names: n2 before n11. */
function naturalOrder(names) {
  const collator = new Intl.Collator("en", { numeric: true });
  const places = names.map((_, index) => index).sort((a, b) => collator.compare(names[a], names[b]));
  const order = [];
  places.forEach((index, place) => {
    const before = places[place - 1];
    order[index] = place && names[before] === names[index] ? order[before] : place;
  });
  return order;
}

/** Say how many of the links shown have each decision; what none has cannot be chosen. */
function countDecisions(select, decisions) {
  for (const option of select.options) {
    if (!option.value) continue;
    const count = decisions.filter((decision) => decision === option.value).length;
    option.textContent = option.value + " (" + asNumber(count) + ")";
    option.disabled = count === 0;
  }
}

function classOf(column) {
  return [column.number ? "num" : "", column.spare ? "spare" : "", column.named ? "end" : ""].join(" ").trim() || null;
}

function tagOf(decision) {
  return decision === "link" ? "link" : decision === "abstain" ? "abstain" : "other";
}
