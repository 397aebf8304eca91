// Charts are Vega-Lite specifications, drawn as SVG by an interpreter: nothing is evaluated as code.
const CONFIG = {
  background: null,
  font: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', sans-serif",
  view: { stroke: null },
  axis: {
    labelColor: "var(--muted)", titleColor: "var(--muted)", gridColor: "var(--line)", domainColor: "var(--line)",
    tickColor: "var(--line)", labelFontSize: 12, labelPadding: 5, titleFontSize: 12, titleFontWeight: 400, titlePadding: 8, gridOpacity: 0.7,
  },
  legend: { labelColor: "var(--ink)", titleColor: "var(--muted)", labelFontSize: 12, labelPadding: 5, orient: "top", title: null, labelLimit: 240 },
  header: { labelColor: "var(--muted)", labelFontSize: 12 },
  text: { color: "var(--ink)", fontSize: 12 },
  line: { strokeWidth: 2.5 },
  point: { size: 60, filled: true, opacity: 1 },
  rule: { color: "var(--muted)" },
};
const drawn = [];

/** Draw a chart into an element, and again whenever its width changes; return a handle with the latest view. */
function drawChart(container, specOf, description, renderer) {
  const handle = { view: null, width: 0, signals: {} };
  handle.draw = () => {
    const width = Math.floor(container.clientWidth);
    if (!width || width === handle.width) return;
    handle.width = width;
    if (handle.view) handle.view.finalize();
    const spec = Object.assign({ autosize: { type: "pad" } }, specOf(width), { description });
    const compiled = vegaLite.compile(spec, { config: CONFIG }).spec;
    container.replaceChildren();
    handle.view = new vega.View(vega.parse(compiled, null, { ast: true }), {
      expr: vegaInterpreter.expressionInterpreter,
      renderer: renderer || "svg",
      container,
      hover: true,
    });
    for (const [name, value] of Object.entries(handle.signals)) handle.view.signal(name, value);
    handle.view.runAsync().then(() => container.setAttribute("data-drawn", "true"));
  };
  handle.set = (name, value) => {
    handle.signals[name] = value;
    if (handle.view) handle.view.signal(name, value).runAsync();
  };
  container.setAttribute("role", "img");
  container.setAttribute("aria-label", description);
  new ResizeObserver(() => handle.draw()).observe(container);
  handle.draw();
  drawn.push(handle);
  return handle;
}

/** Call a function for each placeholder of a kind of chart. */
function eachChart(kind, draw) {
  document.querySelectorAll('[data-chart="' + kind + '"]').forEach(draw);
}
