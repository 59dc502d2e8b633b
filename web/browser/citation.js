// A figure as something to cite: who, what, where with which values, and when it was looked at.

export function plainText({ author, figure, finding, page, site, address, settings, day }) {
  const given = settings.length ? ` With ${spoken(settings)}.` : "";
  return `${author}. “${finding.replace(/\.$/, "")}”, ${figure} of “${page}”, ${site}.${given} ${address} (accessed ${day}).`;
}

export function bibtex({ author, figure, finding, page, site, address, settings, day, name }) {
  const note = [`${figure} of ${page}`, ...(settings.length ? [`computed with ${spoken(settings)}`] : []), `accessed ${day}`];
  const fields = {
    author: `{${escaped(author)}}`,
    title: `{${escaped(finding.replace(/\.$/, ""))}}`,
    howpublished: escaped(site),
    year: day.slice(0, 4),
    url: address, // as it is: \url takes every sign
    note: escaped(note.join("; ")),
  };
  const lines = Object.entries(fields).map(([key, value]) => `  ${key.padEnd(12)} = {${value}},`);
  return `@misc{rooflines-${name.replace("/", "-")},\n${lines.join("\n")}\n}`;
}

const spoken = (settings) => settings.map(([label, value]) => `${label} ${value}`).join(", ");

const SPECIAL = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" };
const escaped = (text) => text.replace(/[\\~^&%$#_{}]/g, (sign) => SPECIAL[sign] ?? `\\${sign}`);
