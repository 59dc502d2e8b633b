// The line that stays in view while a scenario is pinned as A: where A and B differ, and two buttons.

import { element } from "./elements.js";
import { inWords } from "./input.js";

export const ALIKE = "A is pinned. Change any input, and see A beside it.";
const OPENS = "as each figure opens"; // where figures of a page open on settings of their own
const SAMPLE = "A is dashed or hollow in the charts, and stands behind its letter beside the numbers.";

export class Versus {
  constructor(root, page, voice) {
    Object.assign(this, { root, page, voice });
    page.scenario.onChange(({ keys, moved }) => (keys.length || moved) && this.show());
  }

  show() {
    const { values, pinned } = this.page.scenario;
    if (!pinned) return this.box?.remove();
    this.box ??= this.made();
    if (!this.box.isConnected) this.root.append(this.box);
    const keys = [...new Set([...values.keys(), ...pinned.keys()])].filter((key) => values.get(key) !== pinned.get(key));
    const parts = keys.length ? keys.map((key) => this.told(key)) : [ALIKE];
    this.words.replaceChildren(...parts.flatMap((part, at) => (at ? [" · ", part] : [part])));
    this.swap.hidden = !keys.length;
  }

  told(key) {
    const { values, pinned, known } = this.page.scenario;
    const [declared, ...others] = known.get(key);
    const alike = others.every((other) => other.default === declared.default);
    const opens = alike ? inWords(declared, declared.default) : OPENS;
    const [before, now] = [pinned, values].map((each) => (each.has(key) ? inWords(declared, each.get(key)) : opens));
    return element("span", { className: "rl-setting" }, `${declared.label}: A `, bold(before), ", B ", bold(now));
  }

  made() {
    this.words = element("p", { title: SAMPLE });
    this.swap = this.button("Swap", () => this.page.pin(this.page.scenario.values, this.page.scenario.pinned), "A and B have changed places.");
    const unpin = this.button("Unpin A", () => this.unpin(), "A is unpinned.");
    const box = element("div", { className: "rl-versus" }, this.words, this.swap, unpin);
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", "Comparison of A and B");
    return box;
  }

  button(name, deed, said) {
    return element("button", { type: "button", onclick: () => (this.voice.note(said), deed()) }, name);
  }

  // The button goes, and leaves its reader where A is pinned.
  unpin() {
    const { spoken } = this.page.stage;
    this.page.pin(null);
    (spoken?.figure?.element ?? this.root).querySelector(".rl-pin")?.focus({ preventScroll: true });
  }

  close() {
    this.box?.remove();
  }
}

const bold = (text) => element("strong", {}, text);
