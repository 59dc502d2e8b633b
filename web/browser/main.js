// The entry: one worker and one voice for the whole visit, one `Page` for each page of it.

import * as addresses from "./addresses.js";
import { Answers } from "./answers.js";
import { content } from "./content.js";
import { markFound, markWhatIsFound } from "./found.js";
import { Late } from "./late.js";
import { carryScenario } from "./links.js";
import { noteRun } from "./memory.js";
import { openByKey, openWhereThereIsAChoice } from "./menu.js";
import { Page } from "./page.js";
import { takeApart } from "./replaced.js";
import { returnFromSearch } from "./returns.js";
import { Runtime } from "./runtime.js";
import { offerScheme } from "./scheme.js";
import { sortable } from "./sorted.js";
import { Voice } from "./status.js";
import { Tips } from "./tips.js";
import { Whole } from "./whole.js";

const reference = new Late(addresses.reference, "The page stays as it was built.");
const NEAR = { rootMargin: "100%" };
const OPEN = ".rl-filters, .rl-compare"; // a page that is all about its table
const runtime = new Runtime();
const voice = new Voice();
const tips = new Tips();
const whole = new Whole(() => runtime.state.name === "starting");
let page;
let ledger;
let comparison;
let answers;

// The theme wraps wide tables in boxes that scroll; who has no pointer reaches them with the Tab key.
function reachScrolling() {
  for (const box of document.querySelectorAll(".md-content .md-typeset__scrollwrap")) box.tabIndex = 0;
}

// A number that is the link to a note is told as one.
function nameNotes() {
  for (const link of document.querySelectorAll(".footnote-ref")) link.role = "doc-noteref";
}

function attach() {
  setTimeout(reachScrolling);
  nameNotes();
  tips.hide();
  whole.arrived();
  const root = content();
  markFound();
  ledger = renewed(ledger, root, ".rl-claims", () => coming(root, ".rl-claims", ({ Ledger }) => new Ledger(root, voice)));
  comparison = renewed(comparison, root, ".rl-compare", () => coming(root, ".rl-compare", ({ Comparison }) => new Comparison(root, voice)));
  for (const table of root.querySelectorAll(".rl-table table")) sortable(table);
  answers = renewed(answers, root, ".rl-answer", () => new Answers(root, voice));
  page = renewed(page, root, ".rl-declaration", () => new Page(root, runtime, voice));
  takeApart();
}

// An object that stands on this root already stays; one that stood on another is closed before its successor is made.
function renewed(old, root, selector, make) {
  if (old?.root === root) return old;
  old?.close();
  return root.querySelector(selector) ? make() : undefined;
}

// An object with a script of its own, which comes with a page that is all about its table; elsewhere when the reader comes
// near the table, or to a place on the page. The page may have been left by then; what the script adds to is there without.
function coming(root, selector, make) {
  let left = false;
  let made;
  const begin = () => {
    near.disconnect();
    reference.forgetFailed();
    reference.load().then((module) => { if (!left) made = make(module); }, () => {});
  };
  const near = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && begin(), NEAR);
  if (location.hash || root.querySelector(OPEN)) begin();
  else near.observe(root.querySelector(selector));
  return { root, close: () => { left = true; near.disconnect(); made?.close(); } };
}

document.documentElement.dataset.scripted = ""; // the figures need not say that no script has come
offerScheme();
openWhereThereIsAChoice();
openByKey();
returnFromSearch();
markWhatIsFound();
carryScenario(() => page?.settle());
// A page that the browser kept speaks again; a little later, because the one that is left may still note its own.
window.addEventListener("pageshow", (event) => event.persisted && page?.later());
if (window.rooflines) runtime.adopt(window.rooflines.worker, window.rooflines.failed);
else window.rooflines = {}; // from now on the page sees what its reader does
runtime.addEventListener("change", () => runtime.live && noteRun(addresses.worker.href));

// The theme, whose script ran before this one, says when there is a page to attach to: the first and each that follows.
if (window.document$) window.document$.subscribe(attach);
else attach();
