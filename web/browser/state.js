// The reader's changes on this page, in one place: whoever changes something puts it in here, and the fields, the
// figures, the address and the line above the text listen. A change says which `keys`, by which `field` if it was typed,
// which `subject` the reader looks at, and whether what is pinned has `moved`; a field whose text cannot be taken tells
// of itself, without a key.

import { inputsByKey } from "./scenario.js";

export class Scenario extends EventTarget {
  constructor(declarations) {
    super();
    this.known = inputsByKey(declarations);
    this.values = new Map(); // what differs from the defaults, by key
    this.pinned = null; // the same of a scenario that is pinned as A, to be compared
  }

  valueOf(key, declared) {
    return this.values.get(key) ?? declared.default;
  }

  // One input.
  set(field, value) {
    if (value === field.declared.default) this.values.delete(field.key);
    else this.values.set(field.key, value);
    this.tell({ keys: [field.key], field, subject: field.subject });
  }

  refused(field) {
    this.tell({ keys: [], field });
  }

  // Everything at once: what came with the reader, a suggestion, a step back.
  put(values, subject, pinned = this.pinned) { // null: nothing is pinned
    const keys = [...this.known.keys()].filter((key) => values.get(key) !== this.values.get(key));
    const moved = pinned !== this.pinned;
    this.values = new Map(values);
    this.pinned = pinned && new Map(pinned);
    this.tell({ keys, subject, moved });
  }

  reset(keys, subject) {
    this.put(new Map([...this.values].filter(([key]) => !keys.includes(key))), subject);
  }

  onChange(answer) {
    this.addEventListener("change", ({ detail }) => answer(detail));
  }

  tell(detail) {
    this.dispatchEvent(new CustomEvent("change", { detail }));
  }
}
