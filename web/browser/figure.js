// Puts an answer where the reader sees it: the finding, the chart, the numbers wherever they stand, notes and table.

import { Chart } from "./chart.js";
import { fillTable } from "./data_table.js";
import { element, setText } from "./elements.js";

const NO_BREAK = "\u00a0";
const NONE = "–"; // where the answer has no such number

export class Figure {
  constructor(holder, declaration) {
    this.element = holder;
    this.declaration = declaration;
    this.find = (selector) => holder.querySelector(selector);
    this.drawing = this.find(".rl-chart");
    this.chart = declaration.vega && this.drawing ? new Chart(this.drawing, declaration.vega) : undefined;
    this.find("details.rl-table")?.addEventListener("toggle", () => this.showTable());
    this.find("details.rl-derived")?.addEventListener("toggle", () => this.showDerived());
  }

  get title() {
    return this.find(".rl-number")?.textContent ?? "";
  }

  get finding() {
    return this.find("[data-role=finding]").textContent;
  }

  async show(answer) {
    this.answer = answer;
    setText(this.find("[data-role=finding]"), answer.finding);
    this.drawing?.setAttribute("aria-label", answer.description);
    this.showNotes(answer.notes);
    this.showTable();
    this.showDerived();
    await this.chart?.update(answer.tables);
  }

  showNotes(notes) {
    const list = this.find("[data-role=notes]");
    if (!list || same(notes, [...list.children].map((item) => item.textContent))) return;
    list.replaceChildren(...notes.map((note) => element("li", {}, note)));
  }

  // Rows that nobody looks at are not written.
  showTable() {
    const details = this.find("details.rl-table");
    if (!details?.open || !this.answer || this.tabled === this.answer) return;
    this.tabled = this.answer;
    fillTable(details.querySelector("table"), this.answer.tables);
  }

  // A number that has no derivation now, for lack of a seller for example, has no row.
  showDerived() {
    const details = this.find("details.rl-derived");
    if (!details?.open || !this.answer || this.derived === this.answer) return;
    this.derived = this.answer;
    for (const row of details.querySelectorAll("[data-derived]")) {
      const numbers = this.answer.derived[row.dataset.derived];
      row.hidden = numbers === undefined;
      if (numbers) setText(row.querySelector("[data-role=numbers]"), numbers);
    }
  }

  close() {
    this.chart?.close();
  }
}

// The numbers of one figure, wherever on the page they stand.
export class Outputs {
  constructor(name, elements) {
    this.places = elements.map((place) => {
      const key = place.dataset.value.slice(name.length + 1);
      const row = place.closest(".rl-values > div");
      return { element: place, row, key, built: place.textContent, prose: place.classList.contains("rl-value") };
    });
  }

  // A dense model has no experts' intensity: a number that an answer lacks leaves the list, and a sentence has a dash.
  show(values) {
    for (const { element: place, row, key, built, prose } of this.places) {
      const told = values[key]?.text ?? NONE;
      const text = prose ? told.replaceAll(" ", NO_BREAK) : told;
      if (row) row.hidden = values[key] === undefined;
      setText(place, text);
      place.toggleAttribute("data-changed", text !== built);
    }
  }

  mark(stale) {
    for (const { element: place } of this.places) place.classList.toggle("rl-stale", stale);
  }
}

const same = (one, other) => one.length === other.length && one.every((item, at) => item === other[at]);
