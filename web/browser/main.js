// The entry: one worker and one voice for the whole visit, one `Page` for each page of it.

import { Ledger } from "./ledger.js";
import { carryScenario } from "./links.js";
import { Page } from "./page.js";
import { Runtime } from "./runtime.js";
import { Voice } from "./status.js";

const runtime = new Runtime();
const voice = new Voice();
let page;
let ledger;

function attach() {
  const root = document.querySelector("article") ?? document.body;
  if (ledger?.root !== root) {
    ledger?.close();
    ledger = root.querySelector(".rl-claims") ? new Ledger(root) : undefined;
  }
  if (page?.root === root) return;
  page?.close();
  page = root.querySelector(".rl-declaration") ? new Page(root, runtime, voice) : undefined;
}

carryScenario(() => page?.settle());
window.addEventListener("pageshow", (event) => event.persisted && page?.settle());
if (window.document$) window.document$.subscribe(attach);
else attach();
