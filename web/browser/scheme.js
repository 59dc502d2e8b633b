// Light or dark: as the system has it, until the reader says otherwise; then for every visit.

import { element } from "./elements.js";
import { noteScheme } from "./memory.js";

const { dataset } = document.documentElement;
const CHOICES = {
  "": {
    next: "light",
    label: "Colours: as the system has them. Switch to light",
    drawing: "M12 3a9 9 0 0 0 0 18a9 9 0 0 0 0-18zm0 2a7 7 0 0 0 0 14z",
  },
  light: {
    next: "dark",
    label: "Colours: light. Switch to dark",
    drawing:
      "M12 7a5 5 0 0 0 0 10a5 5 0 0 0 0-10zM11 1h2v3h-2zM11 20h2v3h-2zM1 11h3v2H1zM20 11h3v2h-3z" +
      "M4.9 3.5l2.1 2.1l-1.4 1.4l-2.1-2.1zM19.1 3.5l1.4 1.4l-2.1 2.1l-1.4-1.4zM5.6 17l1.4 1.4l-2.1 2.1l-1.4-1.4zM18.4 17l2.1 2.1l-1.4 1.4l-2.1-2.1z",
  },
  dark: {
    next: "",
    label: "Colours: dark. Follow the system",
    drawing: "M20.5 14.5A9 9 0 0 1 9.5 3.5A9 9 0 1 0 20.5 14.5z",
  },
};

const current = () => CHOICES[dataset.scheme] ?? CHOICES[""];

// The button stands beside search, in the header that stays through a visit.
export function offerScheme() {
  const button = element("button", { type: "button", className: "md-header__button md-icon rl-scheme" });
  button.addEventListener("click", () => choose(current().next, button));
  show(button);
  document.querySelector(".md-header label[for=__search]")?.before(button);
}

function choose(scheme, button) {
  if (scheme) dataset.scheme = scheme;
  else delete dataset.scheme;
  noteScheme(scheme);
  show(button);
}

function show(button) {
  const { label, drawing } = current();
  button.title = label;
  button.setAttribute("aria-label", label);
  button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path fill-rule="evenodd" d="${drawing}"/></svg>`;
}
