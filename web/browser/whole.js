// Whoever goes to a place on a page, named by a link or left before, is put there by counting from its top: so the page is
// laid out whole. The part far from the screen can be left out again (docs/stylesheets/figures.css) when the next page
// comes, or a while after coming to this one; the browser remembers how tall it was.

const RESTORED = 1000; // milliseconds after which the browser, and the theme, have put the reader there
const { dataset } = document.documentElement;

export class Whole {
  constructor() {
    this.path = location.pathname;
    window.addEventListener("popstate", () => location.pathname !== this.path && this.goBack());
    document.addEventListener("click", ({ target }) => target.closest("a[href*='#']") && this.begin(), true);
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
    clearTimeout(this.timer);
    this.timer = setTimeout(() => delete dataset.whole, RESTORED);
  }
}
