// A figure with the reader's inputs as lines to run elsewhere, with the installed package, and as data.

import { keyOf, toQuery } from "./scenario.js";

export function python(name, inputs) {
  const given = Object.entries(inputs).map(([key, value]) => `    ${key}=${JSON.stringify(value)},\n`);
  return `from calc.figure import registry

found = registry.find("${name}").answer(
${given.join("")})
print(found.finding)
for name, value in found.values.items():
    print(f"{name:16} {value.text}")
`;
}

export function commandLine(name, inputs) {
  const words = Object.entries(inputs).map(([key, value]) => quoted(`${key}=${value}`));
  return ["rooflines figure", name, ...words].join(" ");
}

// With what was answered, where it is the answer to these inputs.
export function json(name, inputs, answer) {
  const numbers = answer && Object.entries(answer.values).map(([key, { number, unit }]) => [key, { number, unit: based(unit) }]);
  const said = answer ? { finding: answer.finding, values: Object.fromEntries(numbers) } : {};
  return JSON.stringify({ figure: name, inputs, ...said }, null, 2);
}

// The tables of a figure and two more: its numbers, and the inputs that they are of, with the address that opens them.
export function data({ name, inputs: declared }, { tables, values, inputs = {} }, place) {
  const slug = name.slice(name.indexOf("/") + 1);
  const meant = declared.filter(({ kind, name: key }) => kind !== "text" || key in inputs);
  const given = meant.map(({ name: key, label, unit, default: first }) => ({ name: key, label, ...cell(inputs[key] ?? first), unit }));
  const query = toQuery(Object.entries(inputs).map(([key, value]) => [keyOf(slug, key), value]));
  const address = { name: "address", label: "Address", text: `${place}${query && `?${query}`}#${slug}` };
  const numbers = Object.entries(values).map(([key, { label, number, unit }]) => ({ name: key, label, number, unit: based(unit) }));
  return { ...tables, inputs: inColumns([...given, address]), values: inColumns(numbers) };
}

const cell = (value) => ({ [typeof value === "number" ? "number" : "text"]: value });
const inColumns = (rows) => Object.fromEntries(["name", "label", "number", "unit", "text"].map((key) => [key, rows.map((row) => row[key])]));

// Numbers are in base units, so a share is a fraction of one, which has no unit.
export const based = (unit) => (unit === "%" ? "" : unit);

const quoted = (word) => (/^[\w./=~:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
