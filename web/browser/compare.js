// The catalogue answers: rows that the reader chooses stand in columns, each figure beside that of the first.

import { element } from "./elements.js";
import { plain } from "./number.js";

const NAME = "compare";

export class Comparison {
  constructor(root, voice) {
    Object.assign(this, { root, voice });
    this.abort = new AbortController();
    this.table = root.querySelector(".rl-compare");
    this.labels = [...this.table.tHead.rows[0].cells].map((cell) => cell.textContent);
    this.rows = new Map([...this.table.tBodies[0].rows].map((row) => [row.querySelector("th a").hash.slice(1), row]));
    this.boxes = new Map([...this.rows].map(([id, row]) => [id, this.box(id, row)]));
    this.place();
    this.on(window, "popstate", () => this.read());
    this.read();
  }

  on(target, event, answer) {
    target.addEventListener(event, answer, { signal: this.abort.signal });
  }

  // A page that comes back from the browser's memory has its boxes already.
  box(id, row) {
    const [head] = row.cells;
    const box = head.querySelector("input") ?? element("input", { type: "checkbox", className: "rl-choose" });
    box.setAttribute("aria-label", `Compare ${head.querySelector("a").textContent}`);
    if (!box.parentNode) head.prepend(box);
    this.on(box, "change", () => this.choose(id, box.checked));
    return box;
  }

  place() {
    this.root.querySelector(".rl-chosen")?.remove();
    this.shown = element("div", { className: "rl-chosen" });
    this.table.closest(".rl-scroll").before(this.shown);
  }

  // The address says what is compared, so that it can be passed on.
  read() {
    const asked = new URLSearchParams(location.search).get(NAME)?.split(",") ?? [];
    this.chosen = [...new Set(asked)].filter((id) => this.rows.has(id));
    this.show();
  }

  choose(id, wanted) {
    this.chosen = wanted ? [...this.chosen, id] : this.chosen.filter((other) => other !== id);
    const rest = new URLSearchParams(location.search);
    rest.delete(NAME);
    const parts = [this.chosen.length && `${NAME}=${this.chosen.join(",")}`, rest.toString()].filter(Boolean);
    history.replaceState(history.state, "", location.pathname + (parts.length ? `?${parts.join("&")}` : ""));
    this.show();
    this.voice.say(this.chosen.length < 2 ? this.hint().textContent : `In columns: ${this.names().join(", ")}.`);
  }

  names() {
    return this.chosen.map((id) => this.rows.get(id).querySelector("th a").textContent);
  }

  show() {
    for (const [id, box] of this.boxes) box.checked = this.chosen.includes(id);
    this.shown.replaceChildren(this.chosen.length < 2 ? this.hint() : this.columns());
  }

  hint() {
    const said = this.chosen.length ? "Tick another row to compare the two." : "Tick rows to compare them in columns.";
    return element("p", { className: "rl-read", textContent: said });
  }

  columns() {
    const rows = this.chosen.map((id) => this.rows.get(id));
    const table = element("table", { className: "rl-columns" });
    const head = table.createTHead().insertRow();
    head.append(heading("col", ""), ...rows.map(named));
    const body = table.createTBody();
    for (const [place, label] of this.labels.entries()) {
      const cells = rows.map((row) => row.cells[place]);
      if (place === 0 || cells.every((cell) => cell.textContent === "–")) continue;
      const line = body.insertRow();
      line.append(heading("row", label), ...cells.map((cell) => beside(cell, cells[0])));
    }
    const scroll = element("div", { className: "rl-scroll", tabIndex: 0 });
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-label", "The rows that you chose, in columns");
    scroll.append(table);
    return scroll;
  }

  close() {
    this.abort.abort();
  }
}

// A figure, and how many times that of the first it is.
function beside(cell, first) {
  const shown = element("td", { textContent: cell.textContent });
  const times = Number(cell.dataset.number) / Number(first.dataset.number);
  if (cell !== first && Number.isFinite(times)) shown.append(" ", element("small", { textContent: `${plain(times)}×` }));
  return shown;
}

// The name of a row, and its standing where that is not the maker's own word.
function named(row) {
  const head = heading("col", row.querySelector("th a").textContent);
  const standing = row.querySelector("th .rl-standing");
  if (standing) head.append(" ", standing.cloneNode(true));
  return head;
}

const heading = (scope, textContent) => element("th", { scope, textContent });
