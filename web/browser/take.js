// Things that a reader takes away from a figure: its link, its citation, its data, its drawing.

import { bibtex, plainText } from "./citation.js";
import { titleIn } from "./content.js";
import { copy } from "./copy.js";
import { element } from "./elements.js";
import { csv } from "./data_table.js";
import { commandLine, data, json, python } from "./elsewhere.js";
import { inWords } from "./input.js";
import { pictured } from "./picture.js";

const DRAWINGS = ".rl-chart svg";
const EARLIER = "Drawn before the last change of its inputs";

// To be copied by hand.
export const showLink = (address) => openDialog("Link to this figure", [["Link", address]]);

export function cite({ figure, fields, name }, root, address) {
  const settings = fields.filter(({ differs }) => differs).map(({ declared, value }) => [declared.label, inWords(declared, value)]);
  const page = titleIn(root);
  const author = document.querySelector("meta[name=author]")?.content ?? `The ${site()} contributors`;
  const day = new Date().toISOString().slice(0, 10);
  const about = { author, figure: figure.title, finding: figure.finding, page, site: site(), address, settings, day, name };
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
  save(csv(data(declaration, answer, location.origin + location.pathname)), "text/csv", fileOf(name, "csv"));
}

// The drawing that is shown, of the two. It may be that of an answer before the last change.
export function drawing({ name, behind, refused, undrawn, figure: { element: figure, title, finding } }, link) {
  const drawn = [...figure.querySelectorAll(DRAWINGS)].find((each) => each.getClientRects().length);
  const address = behind || refused || undrawn ? EARLIER : link;
  save(pictured(drawn, { title, finding, site: site(), address }), "image/svg+xml", fileOf(name, "svg"));
}

const site = () => document.querySelector(".md-logo, [data-site-name]")?.title || location.host;
const fileOf = (name, ending) => `rooflines-${name.replace("/", "-")}.${ending}`;

function save(text, type, name) {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  element("a", { href: address, download: name }).click();
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
