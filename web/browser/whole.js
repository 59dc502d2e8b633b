// Whoever goes to a place on a page, named by a link or left before, is put there by counting from its top: so the page is
// laid out whole at once. Otherwise the parts far from the screen (docs/stylesheets/figures.css) are laid out one by one
// when the browser has nothing else to do, and stay so: a picture of the whole page lacks none. A telephone lays out what it
// comes to, because its processor is slow and takes its picture by scrolling; so does a reader whose bytes are dear,
// because formulas fetch their typefaces.

import { content } from "./content.js";
import { dataAreDear } from "./intent.js";
import { Place } from "./place.js";

const RESTORED = 1000; // milliseconds after which the browser, and the theme, have put the reader there
const PARTS = "article > *, .rl-figure, .rl-display, .rl-ledger";
const SPARE = 10; // milliseconds that are left of an idle moment in which one more is begun
const { dataset } = document.documentElement;

export class Whole {
  constructor() {
    this.path = location.pathname;
    this.keeper = new Place();
    window.addEventListener("popstate", () => location.pathname !== this.path && this.goBack());
    document.addEventListener("click", ({ target }) => this.lead(target.closest("a[href*='#']")), true);
    window.addEventListener("scroll", () => this.scrolled(), { passive: true });
    window.addEventListener("hashchange", () => location.href === this.led && this.keeper.named());
  }

  lead(link) {
    this.led = link?.href;
    if (link) this.begin();
  }

  // The head of a page does the same when the page is loaded once more, or with a place in its address.
  begin() {
    clearTimeout(this.timer);
    dataset.whole = "";
  }

  // Until a page has come that is slow to come, the theme scrolls the one before, and takes that for the place on the new
  // one.
  goBack() {
    this.begin();
    this.place = history.state?.y;
  }

  // There is a page to attach to.
  arrived() {
    const { place } = this;
    this.path = location.pathname;
    this.place = undefined;
    if (place !== undefined) requestAnimationFrame(() => window.scrollTo(0, place));
    else if (this.shown) this.keeper.named();
    else this.keeper.loaded();
    this.shown = true;
    const few = dataAreDear() || matchMedia("(pointer: coarse)").matches;
    this.far = few ? undefined : content().querySelectorAll(PARTS).values();
    if (document.readyState === "complete") this.loaded();
    else window.addEventListener("load", () => this.loaded(), { once: true });
  }

  loaded() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => delete dataset.whole, RESTORED);
    setTimeout(() => this.settled(), RESTORED);
  }

  // A jump past parts that are still to be laid out brings the page whole, before the reader sees where it led: to lay out
  // later what stands above would move what they read.
  scrolled() {
    const jumped = Math.abs(scrollY - (this.seen ?? 0)) > innerHeight;
    this.seen = scrollY;
    if (jumped && this.far) dataset.whole = "";
  }

  // The reader's first answer has had its turn, too.
  settled() {
    this.keeper.restored();
    if (this.far) this.rest();
  }

  // A browser without idle moments leaves nothing out.
  rest() {
    window.cancelIdleCallback?.(this.idle);
    this.idle = window.requestIdleCallback?.((moment) => this.layOut(moment));
  }

  layOut(moment) {
    while (moment.timeRemaining() > SPARE) {
      const { value: part } = this.far?.next() ?? {};
      if (!part) {
        this.far = undefined;
        return;
      }
      part.dataset.near = "";
      part.getBoundingClientRect(); // has it laid out now, so that the time is counted
    }
    this.rest();
  }
}
