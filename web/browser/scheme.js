// Light or dark: as the system has it, until the reader says otherwise; then for every visit.

import { element } from "./elements.js";
import { noteScheme } from "./memory.js";

const SYSTEM = "";
const WORDS = { [SYSTEM]: "as the system has them", light: "light", dark: "dark" };
const MOON = "M20.5 14.5a9 9 0 0 1-11-11a9 9 0 1 0 11 11z";
const HALF = "M12 3a9 9 0 0 0 0 18a9 9 0 0 0 0-18zm0 2a7 7 0 0 0 0 14z";
const RAY = '<path d="M11 1h2v3h-2z"/>';
const rays = [0, 45, 90, 135, 180, 225, 270, 315].map((angle) => `<g transform="rotate(${angle} 12 12)">${RAY}</g>`);
const DRAWINGS = {
  [SYSTEM]: `<path fill-rule="evenodd" d="${HALF}"/>`,
  light: `<circle cx="12" cy="12" r="5"/>${rays.join("")}`,
  dark: `<path d="${MOON}"/>`,
};
const { dataset } = document.documentElement;
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
const current = () => (dataset.scheme in WORDS ? dataset.scheme : SYSTEM);

// The button stands beside search, in the header that stays through a visit.
export function offerScheme() {
  const button = element("button", { type: "button", className: "md-header__button md-icon" });
  button.addEventListener("click", () => choose(next(), button));
  systemIsDark.addEventListener("change", () => show(button));
  show(button);
  document.querySelector(".md-header label[for=__search]")?.before(button);
}

// The first press changes what is seen.
function next() {
  const order = systemIsDark.matches ? [SYSTEM, "light", "dark"] : [SYSTEM, "dark", "light"];
  return order[(order.indexOf(current()) + 1) % order.length];
}

function choose(scheme, button) {
  if (scheme) dataset.scheme = scheme;
  else delete dataset.scheme;
  noteScheme(scheme);
  show(button);
}

function show(button) {
  const label = `Colours: ${WORDS[current()]}. ${next() ? `Switch to ${WORDS[next()]}` : "Follow the system"}`;
  button.title = label;
  button.setAttribute("aria-label", label);
  button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true">${DRAWINGS[current()]}</svg>`;
}
