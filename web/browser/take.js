// Things that a reader takes away from a figure: its link, its citation, its data.

import { bibtex, plainText } from "./citation.js";
import { titleIn } from "./content.js";
import { copy } from "./copy.js";
import { element } from "./elements.js";
import { csv } from "./data_table.js";
import { commandLine, data, json, python } from "./elsewhere.js";
import { inWords } from "./input.js";

// To be copied by hand.
export const showLink = (address) => openDialog("Link to this figure", [["Link", address]]);

export function cite({ figure, fields, name }, root, address) {
  const settings = fields.filter(({ differs }) => differs).map(({ declared, value }) => [declared.label, inWords(declared, value)]);
  const page = titleIn(root);
  const site = document.querySelector(".md-logo, [data-site-name]")?.title || location.host;
  const author = document.querySelector("meta[name=author]")?.content ?? `The ${site} contributors`;
  const day = new Date().toISOString().slice(0, 10);
  const about = { author, figure: figure.title, finding: figure.finding, page, site, address, settings, day, name };
  openDialog(`Cite ${about.figure}`, [["Text", plainText(about)], ["BibTeX", bibtex(about)]]);
}

// Inputs by name, and the answer to them where there is one.
export function takeAlong(subject) {
  const { name, figure: { title } } = subject;
  const given = subject.declaration.inputs.map((declared, at) => [declared, subject.scenario.valueOf(subject.keys[at], declared)]);
  const meant = given.filter(([{ kind, default: first }, value]) => kind !== "text" || value !== first);
  const inputs = Object.fromEntries(meant.map(([declared, value]) => [declared.name, value]));
  const answer = subject.behind || subject.refused ? undefined : subject.figure.answer;
  const texts = [["Python", python(name, inputs)], ["Command line", commandLine(name, inputs)], ["JSON", json(name, inputs, answer)]];
  openDialog(`Compute ${title} elsewhere`, texts);
}

export function download({ name, declaration, figure: { answer } }) {
  const text = csv(data(declaration, answer, location.origin + location.pathname));
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  element("a", { href: address, download: `rooflines-${name.replace("/", "-")}.csv` }).click();
  setTimeout(() => URL.revokeObjectURL(address));
}

function openDialog(title, texts) {
  const heading = element("h2", { className: "rl-dialog-title", id: "rl-dialog-title" }, title);
  const close = element("button", { type: "button", className: "rl-dialog-close", onclick: () => dialog.close() }, "Close");
  const dialog = element("dialog", { className: "rl-dialog" }, heading, ...texts.map(part), close);
  dialog.setAttribute("aria-labelledby", "rl-dialog-title");
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}

function part([label, text]) {
  const words = element("pre", { className: "rl-dialog-text", tabIndex: 0 }, text);
  words.setAttribute("aria-label", label);
  words.setAttribute("role", "group");
  const button = element("button", { type: "button", className: "rl-dialog-copy" }, `Copy ${inSentence(label)}`);
  const said = element("span", { className: "rl-unseen", role: "status" }); // the page's voice is silent behind a dialog
  button.addEventListener("click", async () => {
    said.textContent = "";
    if (await copy(text, button)) said.textContent = "Copied.";
    else getSelection().selectAllChildren(words);
  });
  return element("div", { className: "rl-dialog-part" }, words, button, said);
}

const inSentence = (label) => (/^(BibTeX|Python|JSON)$/.test(label) ? label : label.toLowerCase());
