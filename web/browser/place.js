// A reader who comes to a place on a page, or comes back to one, is kept there while typefaces and late scripts move what
// stands above it. Browsers keep places too: Firefox gives up after a few moves, and all begin after some.

import { content } from "./content.js";
import { notePlace } from "./memory.js";

const ACTS = ["wheel", "touchstart", "pointerdown", "keydown"];
const CAME_BACK = performance.getEntriesByType("navigation")[0]?.type !== "navigate";
const NUDGE = 2; // pixels
// The text as it was built, without the words above it that follow from the reader's settings, and come later.
const partsOf = (text) => [...text.querySelectorAll(":scope > :not(.rl-notices)")];
const topOf = (element) => element.getBoundingClientRect().top;

export class Place {
  constructor() {
    this.moved = new ResizeObserver(() => this.put());
    for (const act of ACTS) window.addEventListener(act, () => this.release(), { capture: true, passive: true });
    window.addEventListener("scroll", () => this.height && this.scrolled(), { passive: true });
    window.addEventListener("pagehide", () => this.note());
  }

  // A page has been loaded: the reader goes on where its last loading ended, or begins at the place that the address names.
  loaded() {
    this.restoring = true;
    const { part, below } = window.rooflinesPlace ?? {};
    if (CAME_BACK && part >= 0) this.keep(partsOf(content())[part], below);
    else this.named();
  }

  named() {
    this.keep(document.getElementById(location.hash.slice(1)));
  }

  // Keeps an element so far below the top of the window, without a number where a link to it leads, until the reader acts.
  keep(element, below) {
    this.release();
    if (!element) return;
    Object.assign(this, { element, below });
    this.moved.observe(content());
  }

  put() {
    const { element, below } = this;
    if (!element?.getClientRects().length) return;
    if (below === undefined) element.scrollIntoView();
    else window.scrollBy(0, topOf(element) - below);
    Object.assign(this, { top: topOf(element), height: content().offsetHeight });
  }

  // Nothing has moved but the page. While it loads, that is the browser, which puts the reader where an earlier layout had
  // them; afterwards the reader scrolls, by means that are no act of the page's.
  scrolled() {
    if (this.height !== content().offsetHeight || Math.abs(topOf(this.element) - this.top) <= NUDGE) return;
    if (this.restoring) this.put();
    else this.release();
  }

  restored() {
    this.restoring = false;
  }

  release() {
    this.moved.disconnect();
    this.element = this.height = undefined;
  }

  // The part at which the reader is kept, or the one at the top of the window, beside the place that the theme notes. A kept
  // part is not measured again: a page that is left while it is being laid out may show another layout than it had. For a
  // page that is loaded again Chromium has taken the state before, so the place is noted for the visit, too.
  note() {
    const parts = partsOf(content());
    const kept = this.height === undefined ? -1 : parts.indexOf(this.element);
    const part = kept < 0 ? parts.findIndex((each) => each.getBoundingClientRect().bottom > 0) : kept;
    const below = kept < 0 ? parts[part] && topOf(parts[part]) : this.top;
    history.replaceState({ ...history.state, x: scrollX, y: scrollY, part, below }, "");
    notePlace({ address: location.href, part, below });
  }
}
