// Puts an answer where the reader sees it: the finding, the chart, the numbers wherever they stand, notes and table.

import { Chart } from "./chart.js";
import { addTable, fillTable } from "./data_table.js";
import { element, setBeside, setText } from "./elements.js";

const NO_BREAK = "\u00a0";
const NONE = "–"; // where the answer has no such number

export class Figure {
  constructor(holder, declaration) {
    this.element = holder;
    this.declaration = declaration;
    this.find = (selector) => holder.querySelector(selector);
    this.drawing = this.find(".rl-chart");
    this.chart = declaration.vega && this.drawing ? new Chart(this.drawing, declaration.vega, this.title) : undefined;
    this.find("details.rl-table")?.addEventListener("toggle", () => this.showTable());
    this.find("details.rl-derived")?.addEventListener("toggle", () => this.showDerived());
  }

  get title() {
    return this.find(".rl-number")?.textContent ?? "";
  }

  get finding() {
    return this.find("[data-role=finding]").textContent;
  }

  // The finding for those who listen: beside it that of the scenario which is pinned as A.
  get told() {
    const { finding, was } = this;
    return was && was.finding !== finding ? `B: ${finding} A was: ${was.finding}` : finding;
  }

  async show(answer) {
    this.answer = answer;
    await this.renew();
  }

  // `was`: the answer of the scenario that is pinned as A, or nothing.
  async compare(was) {
    this.was = was;
    if (this.answer) await this.renew();
  }

  async renew() {
    const { answer, was } = this;
    const finding = this.find("[data-role=finding]");
    setText(finding, answer.finding);
    setBeside(finding, was && was.finding !== answer.finding ? was.finding : "");
    this.drawing?.setAttribute("aria-label", answer.description + (was ? ` A, pinned: ${was.description}` : ""));
    this.showNotes([...answer.notes, ...(was ? was.notes.filter((note) => !answer.notes.includes(note)).map((note) => `A: ${note}`) : [])]);
    this.showTable();
    this.showDerived();
    await this.chart?.update(answer.tables, was?.tables);
  }

  showNotes(notes) {
    const list = this.find("[data-role=notes]");
    if (!list || same(notes, [...list.children].map((item) => item.textContent))) return;
    list.replaceChildren(...notes.map((note) => element("li", {}, note)));
  }

  // Rows that nobody looks at are not written.
  showTable() {
    const details = this.find("details.rl-table");
    if (!details?.open || !this.answer || this.isIn("tabled")) return;
    const table = details.querySelector("table");
    fillTable(table, this.answer.tables);
    addTable(table, this.was?.tables);
  }

  // A number that has no derivation now, for lack of a seller for example, has no row. On paper every fold is open.
  showDerived(printed = false) {
    const details = this.find("details.rl-derived");
    if (!details || !(details.open || printed) || !this.answer || this.isIn("derived")) return;
    for (const row of details.querySelectorAll("[data-derived]")) {
      const numbers = this.answer.derived[row.dataset.derived];
      row.hidden = numbers === undefined;
      if (!numbers) continue;
      const place = row.querySelector("[data-role=numbers]");
      setText(place, numbers);
      const before = this.was?.derived?.[row.dataset.derived];
      setBeside(place, before === numbers ? "" : before);
    }
  }

  // Whether a fold has these answers; from now on it has.
  isIn(fold) {
    const [answer, was] = this[fold] ?? [];
    this[fold] = [this.answer, this.was];
    return answer === this.answer && was === this.was;
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
      const text = said(values[key], prose);
      if (row) row.hidden = values[key] === undefined;
      if (row && values[key]) setText(row.firstElementChild, values[key].label); // it may name the reader's choice
      setText(place, text);
      place.toggleAttribute("data-changed", text !== built);
    }
  }

  // Beside each number that of the scenario which is pinned as A, where it is another.
  compare(values) {
    for (const { element: place, key, prose } of this.places) {
      const before = values && said(values[key], prose);
      setBeside(place, before === place.textContent ? "" : before);
    }
  }

  mark(stale) {
    for (const { element: place } of this.places) place.classList.toggle("rl-stale", stale);
  }
}

const said = (value, prose) => (prose ? (value?.text ?? NONE).replaceAll(" ", NO_BREAK) : (value?.text ?? NONE));
const same = (one, other) => one.length === other.length && one.every((item, at) => item === other[at]);
