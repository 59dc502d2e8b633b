// A scenario that came with the reader is named above the text, so that nobody takes its numbers for the defaults.

import { inWords } from "./input.js";
import { Notices } from "./notice.js";
import { SHARED } from "./scenario.js";
import { bytesText } from "./status.js";

export class Restored {
  constructor(root, scenario, subjects) {
    Object.assign(this, { scenario, subjects, notices: new Notices(root), active: false, shown: "" });
    scenario.onChange(() => this.refresh());
  }

  begin(values, ignored) {
    this.active = values.size > 0;
    this.notices.ignored(ignored);
  }

  refresh() {
    if (!this.active) return;
    const settings = this.settings();
    const shown = JSON.stringify(settings);
    if (shown !== this.shown) this.notices.scenario(settings, "", () => this.reset());
    this.shown = shown;
  }

  reset() {
    this.scenario.reset([...this.scenario.known.keys()], this.subjects[0]);
  }

  settings() {
    return [...this.scenario.values].map(([key, value]) => {
      const declared = this.scenario.known.get(key)[0];
      const figure = SHARED.includes(key) ? "" : this.subjects.find((each) => each.keys.includes(key))?.figure?.title;
      return [declared.label + (figure ? ` (${figure})` : ""), inWords(declared, value)];
    });
  }

  tell(state) {
    this.refresh();
    const waits = this.active && this.subjects.some(({ behind }) => behind);
    this.notices.wait(waits ? WAITING[state.name]?.(state) : "");
  }

  close() {
    this.notices.close();
  }
}

const WAITING = {
  static: () => "The numbers below are still those of the defaults.",
  starting: (state) => `The numbers below are still those of the defaults; loading ${bytesText(state)}`.trimEnd() + ".",
  failed: () => "The numbers below are those of the defaults, because the calculator could not start.",
};
