// Whoever comes back to a page is put where they were, by counting from its top: so it is laid out whole. That done, what
// is far from the screen can be left out again (docs/stylesheets/figures.css); the browser remembers how tall it was.

const RESTORED = 1000; // milliseconds after which the browser, and the theme, have put the reader back
const { dataset } = document.documentElement;

export class Whole {
  constructor() {
    this.path = location.pathname;
    window.addEventListener("popstate", () => location.pathname !== this.path && this.begin());
  }

  // The head of a page does the same when the page is loaded once more. Until a page has come that is slow to come, the
  // theme scrolls the one before, and takes that for the place on the new one.
  begin() {
    clearTimeout(this.timer);
    dataset.whole = "";
    this.place = history.state?.y;
  }

  // There is a page to attach to.
  arrived() {
    const { place } = this;
    this.path = location.pathname;
    this.place = undefined;
    if (place !== undefined) requestAnimationFrame(() => window.scrollTo(0, place));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => delete dataset.whole, RESTORED);
  }
}
