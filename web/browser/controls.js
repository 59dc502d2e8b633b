// The buttons of one figure, its suggestions and its line of status.

import { titleIn } from "./content.js";
import { setText } from "./elements.js";
import { stay } from "./field.js";
import { inWords } from "./input.js";
import { Matters } from "./matters.js";
import { Pointed } from "./pointed.js";
import { cite, download, shareLink, takeAlong } from "./share.js";
import { Status } from "./status.js";
import { ALIKE } from "./versus.js";

export class Controls {
  constructor(subject, page) {
    Object.assign(this, { subject, page });
    const find = (name) => subject.figure.find(`.rl-${name}`);
    this.resetAll = find("reset-all");
    this.pinning = find("pin");
    this.status = new Status(find("status"), find("chart"), {
      start: () => page.runtime.start(), draw: () => page.stage.drawAgain(), stop: () => page.stage.halt(subject), goOn: () => page.stage.ask(subject),
    });
    const deeds = { "reset-all": () => this.reset(), pin: () => this.pin(), share: (button) => this.share(button), cite: () => this.cite(), along: () => this.along(), csv: () => this.csv() };
    for (const [name, deed] of Object.entries(deeds)) {
      const button = find(name);
      button?.addEventListener("click", () => deed(button));
      button?.addEventListener("mousedown", stay);
      if (button && name !== "reset-all") button.hidden = false;
    }
    const field = subject.fields.find(({ declared }) => declared.name === subject.declaration.pointed);
    if (field && subject.figure.chart) new Pointed(field, subject.figure.chart, () => page.stage.begin());
    this.matters = new Matters(subject, page);
    find("inputs")?.addEventListener("submit", (event) => event.preventDefault());
    subject.figure.element.addEventListener("click", (event) => this.suggest(event));
  }

  refresh(state) {
    const { subject } = this;
    if (this.resetAll) this.resetAll.hidden = !subject.fields.some((field) => field.differs);
    if (this.pinning) setText(this.pinning, this.page.scenario.pinned ? "Unpin A" : "Pin as A");
    this.status.show(state, subject, this.trouble());
    this.matters.refresh();
    if (this.wanted && subject.figure.answer) this.csv();
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
    if (!subject.undrawn) return undefined;
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

  share(button) {
    shareLink(this.link, button);
  }

  cite() {
    const { figure, fields, name } = this.subject;
    const settings = fields.filter(({ differs }) => differs).map(({ declared, value }) => [declared.label, inWords(declared, value)]);
    const page = titleIn(this.page.root);
    const site = document.querySelector(".md-logo, [data-site-name]")?.title || location.host;
    const author = document.querySelector("meta[name=author]")?.content ?? `The ${site} contributors`;
    const day = new Date().toISOString().slice(0, 10);
    const finding = figure.finding;
    cite({ author, figure: figure.title, finding, page, site, address: this.link, settings, day, name });
  }

  along() {
    const { subject } = this;
    const given = subject.declaration.inputs.map((declared, at) => [declared, this.page.scenario.valueOf(subject.keys[at], declared)]);
    const meant = given.filter(([{ kind, default: first }, value]) => kind !== "text" || value !== first);
    const inputs = Object.fromEntries(meant.map(([{ name }, value]) => [name, value]));
    takeAlong(subject.figure.title, subject.name, inputs, subject.behind || subject.refused ? undefined : subject.figure.answer);
  }

  // The data come from the computation, so it is started where it has not been yet.
  csv() {
    const { figure, name } = this.subject;
    this.wanted = !figure.answer;
    if (figure.answer) return download(name, figure.answer);
    this.page.stage.ask(this.subject);
  }

  suggest(event) {
    const link = event.target.closest("a.rl-suggestion");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.page.follow(new URL(link.href).search, this.subject);
  }
}
