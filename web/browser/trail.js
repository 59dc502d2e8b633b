// Where the reader's values come from and where they are kept: the address first, then the memory of the visit.

import { Address } from "./address.js";
import { recall, remember } from "./memory.js";
import { changed, fromQuery, sharedOnly, toQuery } from "./scenario.js";

const PAUSE = 250; // browsers refuse an address that changes too often

export class Trail {
  // `known` are the page's inputs by key, `values` gives what differs from the defaults now.
  constructor(known, values) {
    Object.assign(this, { known, values, lost: new Map() });
    this.address = new Address(() => toQuery(values()));
  }

  // What to begin with, and what of it this page cannot use. An address that speaks is complete in itself.
  arrive() {
    const asked = fromQuery(location.search, this.known);
    if (asked.speaks) return { values: asked.values, ignored: asked.ignored };
    const kept = recall();
    this.lost = new Map([...kept].filter(([key, value]) => this.known.has(key) && !this.takes(key, value)));
    const lost = [...this.lost].map(([key, value]) => ({ key, text: String(value), known: true }));
    const values = changed(kept, this.known);
    if (values.size) this.later();
    return { values, ignored: [...asked.ignored, ...lost] };
  }

  takes(key, value) {
    return changed(new Map([[key, value]]), this.known).size > 0 || this.known.get(key).some((d) => d.default === value);
  }

  // The reader has set this input here: what another page had for it is over.
  set(key) {
    this.lost.delete(key);
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settle(), PAUSE);
  }

  // Now, because the reader is about to leave.
  settle() {
    clearTimeout(this.timer);
    if (!this.address.here) return;
    this.address.now();
    const elsewhere = [...recall()].filter(([key]) => !this.known.has(key));
    remember(new Map([...elsewhere, ...this.lost, ...sharedOnly(this.values())]));
  }

  // After the reader went back or forward: what the address says, or undefined where nothing has changed.
  gone() {
    if (!this.address.here || this.address.agrees) return undefined;
    return fromQuery(location.search, this.known).values;
  }

  // What a link would make of the present values.
  following(query) {
    const given = new Set(new URLSearchParams(query).keys());
    const kept = [...this.values()].filter(([key]) => !given.has(key));
    return new Map([...kept, ...fromQuery(query, this.known).values]);
  }

  close() {
    clearTimeout(this.timer);
  }
}
