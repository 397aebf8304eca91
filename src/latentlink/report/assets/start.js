// Everything is drawn when the page is read; a part that fails says so and leaves the others alone.
function attempt(draw, container) {
  try {
    draw(container);
  } catch (error) {
    console.error(error);
    if (container instanceof Element) container.append(make("p", { class: "wrong" }, "This chart could not be drawn: " + error.message));
  }
}

function startTheme() {
  const button = byId("theme");
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const name = () => { button.textContent = isDark() ? "Light" : "Dark"; button.setAttribute("aria-label", isDark() ? "Light colours" : "Dark colours"); };
  const redraw = () => { name(); drawn.forEach((handle) => { handle.width = 0; handle.draw(); }); };
  button.hidden = false;
  button.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; redraw(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  name();
}

/** In a notebook the page has no address of its own, so that links to sections are followed here. */
function startAnchors() {
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
    const target = link && byId(link.getAttribute("href").slice(1));
    if (!target) return;
    event.preventDefault();
    target.scrollIntoView();
    target.setAttribute("tabindex", "-1");
    target.focus({ preventScroll: true });
  });
}

/** Paper has nothing to unfold: what is folded is printed, and folded again afterwards. */
function startPrinting() {
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    folded.forEach((each) => { each.open = true; });
  });
  addEventListener("afterprint", () => folded.forEach((each) => { each.open = false; }));
}

eachChart("ranks", (container) => attempt(drawRanks, container));
eachChart("metrics", (container) => attempt(drawMetrics, container));
eachChart("reliability", (container) => attempt(drawReliability, container));
eachChart("risk", (container) => attempt(drawRisk, container));
attempt(startLinks);
attempt(startComponents);
eachChart("images", (container) => attempt(drawImages, container));
eachChart("loadings", (container) => attempt(drawLoadings, container));
startTheme();
startAnchors();
startPrinting();
