// Where the reader's values come from and where they are kept: the address first, then the memory of the visit. The address
// is rewritten in place, and only on the page on which something was changed.

import { recall, remember } from "./memory.js";
import { changed, fromQuery, isPinned, pinnedEntries, pinnedFrom, sharedOnly, toQuery } from "./scenario.js";

const PAUSE = 250; // browsers refuse an address that changes too often

export class Trail {
  constructor(scenario) {
    Object.assign(this, { scenario, known: scenario.known, lost: new Map(), path: location.pathname });
  }

  // The values to begin with, and those of them that this page cannot use. An address that speaks is complete in
  // itself.
  arrive() {
    const asked = fromQuery(location.search, this.known);
    if (asked.speaks) return asked;
    const kept = recall();
    this.lost = new Map([...kept].filter(([key, value]) => this.known.has(key) && !this.takes(key, value)));
    const lost = [...this.lost].map(([key, value]) => ({ key, text: String(value), known: true }));
    const values = changed(kept, this.known);
    const pinned = pinnedFrom(kept, this.known);
    if (values.size || pinned) this.later();
    return { values, pinned, ignored: [...asked.ignored, ...lost] };
  }

  takes(key, value) {
    return changed(new Map([[key, value]]), this.known).size > 0 || this.known.get(key).some((d) => d.default === value);
  }

  // From now on; what another page had for an input that is set here is over.
  begin() {
    this.scenario.onChange(({ keys, moved }) => {
      for (const key of keys) this.lost.delete(key);
      if (keys.length || moved) this.later();
    });
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settle(), PAUSE);
  }

  // Now, because the reader is about to leave.
  settle() {
    clearTimeout(this.timer);
    if (!this.here) return;
    this.write((url) => history.replaceState(history.state, "", url)); // the theme keeps its place in the state
    const { values, pinned } = this.scenario;
    const elsewhere = [...recall()].filter(([key]) => !this.known.has(key) && !isPinned(key));
    remember(new Map([...elsewhere, ...this.lost, ...sharedOnly(values), ...pinnedEntries(pinned && sharedOnly(pinned))]));
  }

  // A new entry, so that the way back is the browser's own.
  push() {
    this.write((url) => history.pushState(null, "", url));
  }

  write(note) {
    const { query } = this;
    if (this.here && !this.agrees) note(location.pathname + (query && `?${query}`) + location.hash);
  }

  get here() {
    return location.pathname === this.path;
  }

  get query() {
    const { values, pinned } = this.scenario;
    return toQuery([...values, ...pinnedEntries(pinned)]);
  }

  // True where the address says what the form says.
  get agrees() {
    return location.search.slice(1) === this.query;
  }

  // After the reader went back or forward: what the address says, or undefined where nothing has changed.
  gone() {
    if (!this.here || this.agrees) return undefined;
    return fromQuery(location.search, this.known);
  }

  // The values that a link would make of the present ones.
  following(query) {
    const given = new Set(new URLSearchParams(query).keys());
    const kept = [...this.scenario.values].filter(([key]) => !given.has(key));
    return new Map([...kept, ...fromQuery(query, this.known).values]);
  }

  close() {
    clearTimeout(this.timer);
  }
}
