// Components as images where nodes are pixels: SVG in the colours of the theme, so that paper has its own.
const SHADES = 20;
const SVG = "http://www.w3.org/2000/svg";

function makeSvg(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function drawImages(container) {
  const images = DATA.components.images;
  container.setAttribute("role", "group");
  container.setAttribute("aria-label", "Each component as an image of " + images.height + " by " + images.width + " pixels.");
  images.pixels.forEach((pixels, component) => {
    const name = "Component " + component;
    container.append(make("figure", {}, make("figcaption", {}, name), imageOf(pixels, images, name)));
  });
  container.setAttribute("data-drawn", "true");
}

/** Return an image of loadings in percent: one path for each shade, of the squares that have it. */
function imageOf(pixels, images, name) {
  const svg = makeSvg("svg", { viewBox: "0 0 " + images.width + " " + images.height, role: "img", "aria-label": name, "shape-rendering": "crispEdges" });
  svg.append(makeSvg("rect", { class: "ground", width: images.width, height: images.height }));
  const paths = new Map();
  pixels.forEach((loading, place) => {
    const shade = Math.round((SHADES * loading) / 100);
    if (!shade) return;
    const square = "M" + (place % images.width) + " " + Math.floor(place / images.width) + "h1v1h-1z";
    paths.set(shade, (paths.get(shade) || "") + square);
  });
  for (const [shade, path] of paths) {
    svg.append(makeSvg("path", { d: path, class: shade < 0 ? "minus" : "plus", "fill-opacity": Math.abs(shade) / SHADES }));
  }
  return svg;
}
