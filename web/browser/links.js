// Links inside the site take the reader's scenario along, also into a new tab, and in-page links keep the address.

import { recall } from "./memory.js";
import { toQuery } from "./scenario.js";

const originals = new WeakMap();

// `before` is called first, so that the address and the memory say what the form says.
export function carryScenario(before) {
  for (const type of ["click", "auxclick", "contextmenu"]) {
    document.addEventListener(type, (event) => {
      const link = event.target instanceof Element && event.target.closest("a[href]");
      if (!link || link.origin !== location.origin) return;
      before();
      carry(link);
    }, { capture: true });
  }
}

function carry(link) {
  if (link.matches(".rl-suggestion")) return;
  const original = originals.get(link) ?? link.href;
  originals.set(link, original);
  const url = new URL(original);
  if (url.pathname === location.pathname) link.search = location.search;
  else if (/(\/|\.html)$/.test(url.pathname)) link.search = joined(url.search, toQuery(recall()));
}

// The link's own values stay as they are.
function joined(own, scenario) {
  const query = new URLSearchParams(own);
  for (const [key, value] of new URLSearchParams(scenario)) if (!query.has(key)) query.set(key, value);
  return String(query);
}
