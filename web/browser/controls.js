// The buttons of one figure, its suggestions and its line of status.

import * as addresses from "./addresses.js";
import { copy } from "./copy.js";
import { element, setText } from "./elements.js";
import { stay } from "./field.js";
import { Late } from "./late.js";
import { Pointed } from "./pointed.js";
import { Status } from "./status.js";
import { told } from "./trouble.js";
import { ALIKE } from "./versus.js";

export const UNDONE = "That went wrong.";
export const acts = new Late(addresses.acts, "The script that does this did not come. Try it again.");
const BUTTONS = [["share", "Copy link"], ["cite", "Cite"], ["along", "Python, command line, JSON"], ["csv", "Download data (CSV)"]];
const DRAWING = ["drawing", "Drawing (SVG)"];
const PIN = ["pin", "Pin as A", "Keep this scenario as A, then change anything"];

export class Controls {
  constructor(subject, page) {
    Object.assign(this, { subject, page });
    const find = (name) => subject.figure.find(`.rl-${name}`);
    this.resetAll = element("button", { type: "button", className: "rl-reset-all", hidden: true }, "Reset all");
    this.pressed(this.resetAll, () => this.reset());
    find("inputs:not(.rl-first)")?.append(this.resetAll);
    const first = subject.declaration.inputs.length ? [PIN] : [];
    const last = find("chart").querySelector("svg") ? [DRAWING] : [];
    for (const [deed, words, title = ""] of [...first, ...BUTTONS, ...last]) {
      const button = element("button", { type: "button", className: `rl-${deed}`, title }, words);
      this.pressed(button, () => this[deed](button));
      find("actions").append(button);
    }
    this.pinning = find("pin");
    this.status = new Status(find("status"), find("chart"), {
      again: () => page.again(), stop: () => page.stage.halt(subject), goOn: () => page.stage.ask(subject),
    });
    const field = subject.fields.find(({ declared }) => declared.name === subject.declaration.pointed);
    if (field && subject.figure.chart) new Pointed(field, subject.figure.chart, () => page.stage.begin());
    this.weighing = find("matters");
    this.weighing?.addEventListener("toggle", () => this.weigh());
    if (this.weighing?.open) this.weigh();
    subject.figure.element.addEventListener("submit", (event) => event.preventDefault());
    subject.figure.element.addEventListener("click", (event) => this.suggest(event));
  }

  pressed(button, deed) {
    button.addEventListener("click", deed);
    button.addEventListener("mousedown", stay);
  }

  refresh(state) {
    const { subject } = this;
    this.resetAll.hidden = !subject.fields.some((field) => field.differs);
    if (this.pinning) setText(this.pinning, this.page.scenario.pinned ? "Unpin A" : "Pin as A");
    this.status.show(state, subject, this.trouble());
    this.matters?.refresh();
    if (this.wanted && subject.figure.answer) this.csv();
  }

  // Acts that a reader does now and then have a script of their own.
  async act(deed) {
    acts.forgetFailed();
    this.lacking = undefined;
    try {
      deed(await acts.load());
    } catch (error) {
      this.lacking = { ...told(error, UNDONE), aside: true };
    }
    this.refresh(this.page.runtime.state);
  }

  // The fold “What matters most” was opened, or closed.
  weigh() {
    if (!this.matters) return this.act(({ Matters }) => (this.matters ??= new Matters(this.weighing, this.subject, this.page)));
  }

  // A sentence that stands beside its field is not said twice.
  trouble() {
    const { subject } = this;
    if (!subject.sound || subject.refused) {
      const beside = !subject.sound || subject.fields.some((field) => field.complaint);
      const { refused, detail } = beside ? { refused: "", detail: "" } : subject;
      return { message: `${refused} Shown here is the last result that could be computed.`.trim(), detail };
    }
    if (subject.behind && subject.halted) return { message: "Shown here is the last result that was computed.", halted: true };
    if (!subject.undrawn) return this.lacking;
    const { message, detail } = subject.undrawn;
    return { message: `${message} The numbers follow your inputs; the chart does not.`, detail, drawing: true };
  }

  // The present scenario is kept as A, to compare whatever is changed from here on; once more lets it go.
  pin() {
    const { scenario } = this.page;
    this.page.pin(scenario.pinned ? null : scenario.values);
    if (scenario.pinned) this.page.voice.say(ALIKE);
  }

  reset() {
    this.page.scenario.reset(this.subject.keys, this.subject);
    this.subject.fields[0]?.box.focus();
  }

  get link() {
    this.page.settle();
    return `${location.origin}${location.pathname}${location.search}#${this.subject.slug}`;
  }

  // Where the browser refuses the clipboard, the link is shown.
  async share(button) {
    const { link } = this;
    if (await copy(link, button)) this.page.voice.say("Copied.");
    else this.act(({ showLink }) => showLink(link));
  }

  cite() {
    const { subject, link } = this;
    this.act(({ cite }) => cite(subject, this.page.root, link));
  }

  along() {
    this.act(({ takeAlong }) => takeAlong(this.subject));
  }

  // The data come from the computation, so it is started where it has not been yet.
  csv() {
    const { subject } = this;
    this.wanted = !subject.figure.answer;
    if (!this.wanted) return this.act(({ download }) => (download(subject), this.page.voice.say("Downloaded.")));
    this.page.stage.ask(subject);
  }

  drawing() {
    const { subject, link } = this;
    this.act(({ drawing }) => (drawing(subject, link), this.page.voice.say("Downloaded.")));
  }

  suggest(event) {
    const link = event.target.closest("a.rl-suggestion");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.page.follow(new URL(link.href).search, this.subject);
  }
}
