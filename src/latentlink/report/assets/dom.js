"use strict";
// Names are data: they reach the page as text nodes only, never as markup.
const DATA = JSON.parse(document.getElementById("report-data").textContent);
const NAMES = DATA.names;
const SHORT = 40;

function byId(id) {
  return document.getElementById(id);
}

/** Return an element with attributes and children; strings become text. */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

/** Return a name in isolation, so that its direction of writing does not affect its neighbours. */
function nameElement(index, whole) {
  const text = NAMES[index];
  const element = make("bdi", { class: whole ? "whole" : "name", title: whole ? null : shortName(index, 300) }, text);
  return element;
}

/** Return a name for charts and lists, in a few characters; never half of a surrogate pair. */
function shortName(index, most) {
  const characters = Array.from(NAMES[index]);
  return characters.length <= most ? NAMES[index] : characters.slice(0, most - 1).join("") + "…";
}

function asNumber(value, digits) {
  if (value === null || value === undefined) return "–";
  if (value !== 0 && Math.abs(value) < 0.0005) return value < 0 ? "> −0.001" : "< 0.001";
  if (Number.isInteger(value) && !digits) return value.toLocaleString("en");
  return value.toFixed(digits === undefined ? 3 : digits);
}

function asSigned(value) {
  return (value > 0 ? "+" : value < 0 ? "\u2212" : "") + Math.abs(value).toFixed(3);
}

/** Return a probability, which never looks certain. */
function asProbability(value) {
  if (value === null || value === undefined) return "–";
  return value >= 0.9995 ? "> 0.999" : value < 0.0005 ? "< 0.001" : value.toFixed(3);
}

/** Return text in which no line ends between a number and its percent sign. */
function noBreak(text) {
  return text.replaceAll(" %", "\u00a0%");
}

function asPercent(value) {
  const digits = value === 0 || value >= 0.0995 ? 0 : value >= 0.001 ? 1 : 3;
  return (100 * value).toFixed(digits) + "\u00a0%";
}

/** Return the rows of a table of columns as objects. */
function rowsOf(table) {
  const names = Object.keys(table);
  return table[names[0]].map((_, row) => Object.fromEntries(names.map((name) => [name, table[name][row]])));
}
