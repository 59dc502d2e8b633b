// A data table in the order of a column: a click on its heading sorts by it, a second one turns the order round.

import { element } from "./elements.js";
import { parse } from "./number.js";

const NONE = "–"; // stands last, whichever way the order goes

export function sortable(table) {
  if (table.querySelector(".rl-sort")) return; // a page to which the reader has come back
  for (const heading of table.querySelectorAll("th[data-column]")) {
    const button = element("button", { type: "button", className: "rl-sort" }, ...heading.childNodes);
    button.addEventListener("click", () => turn(table, heading));
    heading.replaceChildren(button);
  }
}

function turn(table, heading) {
  const next = heading.ariaSort === "ascending" ? "descending" : "ascending";
  for (const each of table.tHead.rows[0].cells) each.ariaSort = each === heading ? next : null;
  sort(table);
}

// Rows that were written anew come into the order that the reader has chosen.
export function sort(table) {
  const heading = table.tHead.querySelector("th[aria-sort]");
  if (!heading) return;
  const cell = (row) => row.cells[heading.cellIndex].textContent;
  for (const body of table.tBodies) {
    const rows = [...body.rows].filter((row) => row.querySelector("td"));
    const places = order(rows.map(cell), heading.ariaSort === "descending");
    body.append(...places.map((place) => rows[place]));
  }
}

// The places of cells in their order: numbers by size before words by alphabet, what is not known last.
export function order(cells, descending = false) {
  const sign = descending ? -1 : 1;
  const keys = cells.map((text) => ({ text, number: parse(text), none: text === NONE }));
  const compare = (one, other) => {
    if (one.none || other.none) return one.none - other.none;
    const [first, second] = [Number.isNaN(one.number), Number.isNaN(other.number)];
    if (first !== second) return first - second;
    return sign * (first ? one.text.localeCompare(other.text, "en", { numeric: true }) : one.number - other.number);
  };
  return [...keys.keys()].sort((one, other) => compare(keys[one], keys[other]));
}
