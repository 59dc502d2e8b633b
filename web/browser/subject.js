// One declared figure on a page: drawn there, or only quoted in the prose.

import { Field } from "./field.js";
import { Figure, Outputs } from "./figure.js";
import { accepts } from "./input.js";
import { keyOf } from "./scenario.js";
import { told } from "./trouble.js";

export class Subject {
  // `told.changed(subject, field, value)` and `told.refused(subject)` hear what the reader does.
  constructor(declaration, root, values, told) {
    this.declaration = declaration;
    this.name = declaration.name;
    this.slug = this.name.slice(this.name.indexOf("/") + 1);
    this.values = values; // what differs from the defaults, as a function
    const holder = root.querySelector(`figure[data-figure="${CSS.escape(this.name)}"]`);
    this.figure = holder ? new Figure(holder, declaration) : undefined;
    this.outputs = new Outputs(this.name, [...root.querySelectorAll(`[data-value^="${CSS.escape(this.name)}."]`)]);
    this.fields = holder ? this.fieldsIn(holder, told) : [];
    this.refused = this.detail = ""; // a sentence, and what the machine said
    this.undrawn = undefined; // why the chart is not that of the numbers, as {message, detail}
    this.version = this.shown = 0; // of what the form says, and of what the figure shows
    this.inView = new Set();
  }

  fieldsIn(holder, told) {
    return this.declaration.inputs.map((declared) => {
      const root = holder.querySelector(`[data-input="${CSS.escape(declared.name)}"]`);
      const field = new Field(root, declared, {
        changed: (value) => told.changed(this, field, value),
        refused: () => told.refused(this),
        said: (sentence) => told.said(sentence),
      });
      return Object.assign(field, { key: this.keyOf(declared) });
    });
  }

  keyOf(declared) {
    return keyOf(this.slug, declared.name);
  }

  get keys() {
    return this.declaration.inputs.map((declared) => this.keyOf(declared));
  }

  get behind() {
    return this.shown !== this.version;
  }

  get visible() {
    return this.inView.size > 0;
  }

  // Every input is something that the figure can take.
  get sound() {
    const values = this.values();
    const taken = (declared) => accepts(declared, values.get(this.keyOf(declared)) ?? declared.default);
    return this.declaration.inputs.every(taken) && this.fields.every((field) => !field.wrong);
  }

  request() {
    const values = this.values();
    const given = this.declaration.inputs.filter((declared) => values.has(this.keyOf(declared)));
    const inputs = Object.fromEntries(given.map((declared) => [declared.name, values.get(this.keyOf(declared))]));
    return { figure: this.name, inputs };
  }

  async show(answer) {
    const errors = answer.errors ?? {};
    this.refused = answer.message ?? "";
    this.detail = answer.detail ?? "";
    for (const field of this.fields) field.complain(errors[field.declared.name] ?? "");
    if (this.refused) return;
    this.outputs.show(answer.values);
    this.undrawn = undefined;
    await this.figure?.show(answer).catch((error) => (this.undrawn = told(error, "Drawing it went wrong.")));
  }

  // Numbers that are not those of the form are seen to be so.
  mark(live) {
    this.figure?.element.toggleAttribute("data-behind", this.behind && this.sound);
    this.figure?.element.classList.toggle("rl-undrawn", Boolean(this.undrawn));
    const stale = Boolean(this.refused) || !this.sound || (this.behind && !live);
    if (stale === this.stale) return;
    this.stale = stale;
    this.outputs.mark(stale);
    this.figure?.element.classList.toggle("rl-stale", stale);
  }

  get elements() {
    return [...(this.figure ? [this.figure.element] : []), ...this.outputs.places.map(({ element }) => element)];
  }
}
