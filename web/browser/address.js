// The address bar: rewritten in place, and only on the page on which something was changed.

export class Address {
  constructor(query) {
    this.path = location.pathname;
    this.query = query; // what the form says now, as a function
  }

  get here() {
    return location.pathname === this.path;
  }

  // True where the address says what the form says.
  get agrees() {
    return location.search.slice(1) === this.query();
  }

  // Material keeps the scroll position in the history's state: it stays as it is.
  now(write = (url) => history.replaceState(history.state, "", url)) {
    if (!this.here || this.agrees) return;
    write(this.href);
  }

  // A new entry, so that the way back is the browser's own.
  push() {
    this.now((url) => history.pushState(null, "", url));
  }

  get href() {
    const query = this.query();
    return location.pathname + (query && `?${query}`) + location.hash;
  }
}
