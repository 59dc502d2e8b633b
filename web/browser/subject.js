// One declared figure on a page: drawn there, or only quoted in the prose.

import { Description } from "./description.js";
import { Field } from "./field.js";
import { Figure, Outputs } from "./figure.js";
import { Pinned } from "./pinned.js";
import { accepts } from "./input.js";
import { keyOf } from "./scenario.js";
import { Steady } from "./steady.js";
import { told } from "./trouble.js";

export class Subject {
  constructor(declaration, root, scenario, voice) {
    Object.assign(this, { declaration, scenario, name: declaration.name });
    this.slug = this.name.slice(this.name.indexOf("/") + 1);
    this.keys = declaration.inputs.map(({ name }) => keyOf(this.slug, name));
    const holder = root.querySelector(`figure[data-figure="${CSS.escape(this.name)}"]`);
    this.figure = holder ? new Figure(holder, declaration) : undefined;
    this.outputs = new Outputs(this.name, [...root.querySelectorAll(`[data-value^="${CSS.escape(this.name)}."]`)]);
    const here = ({ name }) => holder?.querySelector(`[data-input="${CSS.escape(name)}"]`);
    const made = (declared) => new (declared.kind === "text" ? Description : Field)(this, declared, voice);
    this.fields = declaration.inputs.filter(here).map(made);
    this.refused = this.detail = ""; // a sentence, and what the machine said
    this.pinned = new Pinned(this, scenario);
    this.undrawn = undefined; // why the chart is not that of the numbers, as {message, detail}
    this.version = this.shown = 0; // of what the form says, and of what the figure shows
    this.lingers = false; // its answer takes long
    this.count = undefined; // how much of it is computed, as {done, of, counted}
    this.halted = undefined; // how much was, when the reader stopped it
    this.inView = new Set();
    this.steady = new Steady();
  }

  get behind() {
    return this.shown !== this.version;
  }

  get visible() {
    return this.inView.size > 0;
  }

  // Every input is something that the figure can take.
  get sound() {
    const taken = (declared, at) => accepts(declared, this.scenario.valueOf(this.keys[at], declared));
    return this.declaration.inputs.every(taken) && this.fields.every((field) => !field.wrong);
  }

  request(values = this.scenario.values) {
    const named = this.declaration.inputs.map(({ name }, at) => [name, values.get(this.keys[at])]);
    const inputs = Object.fromEntries(named.filter(([, value]) => value !== undefined));
    const { room } = this.declaration;
    return { figure: this.name, inputs, ...this.steady.known, ...(room && { room }) };
  }

  // `current`: it answers what the form says now.
  async show(answer, current) {
    const errors = answer.errors ?? {};
    this.refused = answer.message ?? "";
    this.detail = answer.detail ?? "";
    for (const field of this.fields) field.complain(errors[field.declared.name] ?? "");
    if (this.refused) return;
    this.steady.complete(answer);
    if (current) for (const field of this.fields) field.answered?.(answer.tables);
    this.outputs.show(answer.values);
    this.outputs.compare(this.pinned.answer?.values);
    await this.draw(() => this.figure?.show(answer));
  }

  // The answer of the scenario that is pinned as A has come, or is no longer to be shown.
  async compare() {
    const was = this.pinned.answer;
    this.outputs.compare(was?.values);
    await this.draw(() => this.figure?.compare(was));
  }

  async draw(how) {
    this.undrawn = undefined;
    try {
      await how();
    } catch (error) {
      this.undrawn = told(error, "Drawing it went wrong.");
    }
  }

  refresh(state) {
    this.mark(state.name === "live");
    this.controls?.refresh(state);
  }

  // Numbers that are not those of the form are seen to be so.
  mark(live) {
    this.figure?.element.toggleAttribute("data-behind", this.behind && this.sound);
    this.figure?.element.classList.toggle("rl-undrawn", Boolean(this.undrawn));
    const stale = Boolean(this.refused) || !this.sound || (this.behind && (!live || Boolean(this.halted)));
    if (stale === this.stale) return;
    this.stale = stale;
    this.outputs.mark(stale);
    this.figure?.element.classList.toggle("rl-stale", stale);
  }

  get elements() {
    return [...(this.figure ? [this.figure.element] : []), ...this.outputs.places.map(({ element }) => element)];
  }
}
