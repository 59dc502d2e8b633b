// Whoever goes to a place on a page, named by a link or left before, is put there by counting from its top: so the page is
// laid out whole at once. Otherwise the parts far from the screen (docs/stylesheets/figures.css) are laid out one by one
// when the browser has nothing else to do, and stay so: a picture of the whole page lacks none. A telephone lays out what it
// comes to, because its processor is slow and takes its picture by scrolling; so does a reader whose bytes are dear,
// because formulas fetch their typefaces.

import { content, focusTitle } from "./content.js";
import { dataAreDear } from "./intent.js";
import { Place } from "./place.js";

const RESTORED = 1000; // milliseconds after which the browser, and the theme, have put the reader there
const PARTS = "article > *, .rl-figure, .rl-display, .rl-ledger";
const LATER = 200; // milliseconds until it is tried again, where Python is just starting: it needs the processor more
const SPARE = 10; // milliseconds that are left of an idle moment in which one more is begun
const { dataset } = document.documentElement;

export class Whole {
  // `busy()` says whether an answer is on its way.
  constructor(busy = () => false) {
    this.busy = busy;
    this.path = location.pathname;
    this.keeper = new Place();
    window.addEventListener("popstate", () => location.pathname !== this.path && this.goBack());
    document.addEventListener("click", ({ target }) => this.lead(target.closest("a[href*='#']")), true);
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
    else if (this.shown) this.follow();
    else this.keeper.loaded();
    this.shown = true;
    this.far = content().querySelectorAll(PARTS).values();
    if (document.readyState === "complete") this.loaded();
    else window.addEventListener("load", () => this.loaded(), { once: true });
  }

  // By a link to another page.
  follow() {
    this.keeper.named();
    if (!location.hash) focusTitle();
  }

  loaded() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.leaveOut(), RESTORED);
    setTimeout(() => this.settled(), RESTORED);
  }

  // A part that has grown since the last frame is again as tall as it was then. The page has not changed its height from
  // frame to frame, but Chromium does not take back by how much it has scrolled for that part.
  leaveOut() {
    delete dataset.whole;
    this.keeper.put();
  }

  // The reader's first answer has had its turn, too.
  settled() {
    this.keeper.restored();
    if (!dataAreDear() && !matchMedia("(pointer: coarse)").matches) this.rest();
  }

  // A browser without idle moments leaves nothing out.
  rest() {
    clearTimeout(this.later);
    window.cancelIdleCallback?.(this.idle);
    this.idle = window.requestIdleCallback?.((moment) => this.layOut(moment));
  }

  // Parts above a reader who has jumped are left as they are: to lay them out would move what they read.
  layOut(moment) {
    if (this.busy()) return void (this.later = setTimeout(() => this.rest(), LATER));
    while (moment.timeRemaining() > SPARE) {
      const { value: part, done } = this.far.next();
      if (done) return;
      if (part.getBoundingClientRect().top < innerHeight) continue;
      part.dataset.near = "";
      part.getBoundingClientRect(); // has it laid out now, so that the time is counted
    }
    this.rest();
  }
}
