// The data table of a figure, written as the build writes it (web/figure_html.py), and the same data as CSV.

import { element } from "./elements.js";
import { lettered, plain } from "./number.js";
import { sort } from "./sorted.js";

const MOST = 35; // rows of a curve that are read
const ORDINALS = { 2: "second", 3: "third", 5: "fifth" };

// A longer curve has every second row shown, or third: `stride` of web/figure_html.py.
export function stride(column) {
  const way = Math.sign(column.at(-1) - column[0]);
  const curve = column.every((cell, at) => typeof cell === "number" && (at === 0 || way * (cell - column[at - 1]) > 0));
  return curve ? Math.ceil(column.length / MOST) || 1 : 1;
}

export function fillTable(table, tables) {
  const columns = tables[table.dataset.table];
  const headings = [...table.querySelectorAll("th[data-column]")];
  const keys = headings.map((heading) => heading.dataset.column);
  const length = keys.length ? columns[keys[0]].length : 0;
  const body = document.createElement("tbody");
  const step = keys.length ? stride(columns[keys[0]]) : 1;
  for (let at = 0; at < length; at += step) {
    const row = body.insertRow();
    for (const { dataset, textContent } of headings) row.insertCell().textContent = cellText(columns[dataset.column][at], textContent);
  }
  table.tBodies[0].replaceWith(body);
  if (step > 1) table.createCaption().textContent = `Every ${ORDINALS[step] ?? `${step}th`} row; the data as CSV have all.`;
  else table.deleteCaption();
  sort(table);
}

// The rows of the scenario that is pinned as A, below those that are there.
export function addTable(table, tables) {
  table.querySelector(".rl-was")?.remove();
  if (!tables) return;
  const [present] = table.tBodies;
  fillTable(table, tables);
  const body = table.tBodies[0];
  body.className = "rl-was";
  const heading = element("th", { colSpan: table.tHead.rows[0].cells.length, scope: "rowgroup" }, "A, pinned");
  body.prepend(element("tr", {}, heading));
  body.before(present);
}

const WHOLE = 5; // digits of a whole number: batches and contexts are powers of two
const LETTERED = /tokens|parameters/i; // headings; of bytes, 6B would be six

export function cellText(cell, heading) {
  if (cell === null) return "–";
  if (typeof cell === "boolean") return cell ? "yes" : "no";
  if (typeof cell !== "number") return String(cell);
  const write = LETTERED.test(heading) ? lettered : plain;
  return write(cell, Number.isInteger(cell) && Math.abs(cell) < 10 ** WHOLE ? WHOLE : 4);
}

// All tables in one file; where there are several, the first column says which.
export function csv(tables) {
  const names = Object.keys(tables);
  const keys = [...new Set(names.flatMap((name) => Object.keys(tables[name])))];
  const several = names.length > 1;
  const lines = [several ? ["table", ...keys] : keys];
  for (const name of names) lines.push(...lineUp(name, tables[name], keys, several));
  return lines.map((line) => line.map(quoted).join(",")).join("\r\n") + "\r\n";
}

function lineUp(name, columns, keys, several) {
  const length = Math.max(0, ...Object.values(columns).map((column) => column.length));
  return Array.from({ length }, (_, at) => {
    const cells = keys.map((key) => columns[key]?.[at] ?? "");
    return several ? [name, ...cells] : cells;
  });
}

const quoted = (cell) => (/[",\r\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell));
