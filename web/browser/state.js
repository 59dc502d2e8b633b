// The reader's changes on this page, in one place: whoever changes something puts it in here, and the fields, the
// figures, the address and the line above the text listen. A change says which `keys`, by which `field` if it was typed,
// and which `subject` the reader looks at; a field whose text cannot be taken tells of itself, without a key.

import { inputsByKey } from "./scenario.js";

export class Scenario extends EventTarget {
  constructor(declarations) {
    super();
    this.known = inputsByKey(declarations);
    this.values = new Map(); // what differs from the defaults, by key
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
  put(values, subject) {
    const keys = [...this.known.keys()].filter((key) => values.get(key) !== this.values.get(key));
    this.values = new Map(values);
    this.tell({ keys, subject });
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
