// The words that were searched for, marked whole on the page that was found. The browser paints them: nothing in the page
// is changed, so no number or heading is cut in two.

import { content } from "./content.js";

const NAME = "rl-found";
const INSIDE_A_WORD = "[\\p{L}\\p{N}]";
const CLOSED = "svg, .katex, script, template, .rl-inputs";

let asked = "";

// A search result that is followed leads to another page, or to a place on this one.
export function markWhatIsFound() {
  if (!window.CSS?.highlights) return;
  document.addEventListener("click", ({ target }) => {
    const link = target instanceof Element && target.closest(".md-search-result__link");
    if (!link) return;
    asked = document.querySelector(".md-search__input")?.value ?? "";
    if (link.pathname === location.pathname) markFound();
  }, { capture: true });
}

// There is a page to mark; the next one has nothing marked unless it was searched for, too.
export function markFound() {
  if (!window.CSS?.highlights) return;
  const words = asked.split(/[\s"+*~^:]+/).filter((word) => word.length > 1).map(escaped);
  asked = "";
  CSS.highlights.delete(NAME);
  if (!words.length) return;
  const whole = new RegExp(`(?<!${INSIDE_A_WORD})(?:${words.join("|")})${INSIDE_A_WORD}*`, "giu");
  CSS.highlights.set(NAME, new Highlight(...ranges(whole)));
}

function* ranges(pattern) {
  const walker = document.createTreeWalker(content(), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest(CLOSED)) continue;
    for (const { 0: word, index } of node.data.matchAll(pattern)) {
      yield new StaticRange({ startContainer: node, startOffset: index, endContainer: node, endOffset: index + word.length });
    }
  }
}

const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
