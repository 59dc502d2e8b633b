// One page and what the reader does on it: change an input, reset, follow a suggestion, go back.

import { Controls } from "./controls.js";
import { onIntent } from "./intent.js";
import { Restored } from "./restored.js";
import { inputsByKey } from "./scenario.js";
import { Stage } from "./stage.js";
import { Subject } from "./subject.js";
import { Trail } from "./trail.js";

export class Page {
  constructor(root, runtime, voice) {
    Object.assign(this, { root, runtime, values: new Map(), abort: new AbortController() });
    const declarations = declared(root);
    const told = {
      changed: (...edit) => this.edit(...edit),
      refused: (subject) => this.refresh([subject]),
      said: (sentence) => voice.say(sentence),
    };
    this.known = inputsByKey(declarations);
    this.subjects = declarations.map((each) => new Subject(each, root, () => this.values, told));
    this.stage = new Stage(this.subjects, runtime, voice, (subjects) => this.refresh(subjects));
    this.trail = new Trail(this.known, () => this.values);
    this.controls = this.subjects.filter(({ figure }) => figure).map((subject) => new Controls(subject, this));
    this.restored = new Restored(root, this);
    this.listen();
    this.arrive();
  }

  get fields() {
    return this.subjects.flatMap(({ fields }) => fields);
  }

  listen() {
    const { signal } = this.abort;
    this.runtime.addEventListener("change", () => this.ran(), { signal });
    window.addEventListener("popstate", () => this.wentBack(), { signal });
    window.addEventListener("pagehide", () => this.settle(), { signal });
    window.addEventListener("beforeprint", () => this.stage.drawAll(), { signal });
    for (const field of this.fields) field.listen(signal);
    onIntent(this.root.querySelectorAll(".rl-inputs"), () => this.stage.begin(), signal);
  }

  // What the reader did before this script came wins over what they came with.
  arrive() {
    const { values, ignored } = this.trail.arrive();
    this.restored.begin(values, ignored);
    this.apply(values);
    for (const field of this.fields) if (field.early !== undefined) field.type(field.early);
    if (this.values.size) this.stage.begin();
    this.ran();
  }

  ran() {
    this.stage.ran();
    this.refresh(this.subjects);
    this.restored.tell(this.runtime.state);
  }

  // The reader has changed one input.
  edit(subject, field, value) {
    this.trail.set(field.key);
    if (value === field.declared.default) this.values.delete(field.key);
    else this.values.set(field.key, value);
    for (const other of this.fields) if (other.key === field.key && other !== field) other.show(this.valueOf(other));
    this.renew([field.key], subject);
    this.later();
  }

  valueOf(field) {
    return this.values.get(field.key) ?? field.declared.default;
  }

  // Everything at once: a restored scenario, a reset, a step back.
  apply(values, subject) {
    const keys = [...this.known.keys()].filter((key) => values.get(key) !== this.values.get(key));
    this.values = new Map(values);
    for (const field of this.fields) {
      const value = this.valueOf(field);
      if (field.value !== value || field.wrong) field.show(value);
    }
    this.renew(keys, subject);
  }

  renew(keys, subject) {
    const affected = this.subjects.filter((each) => each.keys.some((key) => keys.includes(key)));
    this.stage.renew(affected, subject);
    this.refresh(affected);
  }

  refresh(subjects) {
    for (const subject of subjects) subject.mark(this.runtime.live);
    for (const controls of this.controls) if (subjects.includes(controls.subject)) controls.refresh(this.runtime.state);
  }

  reset(keys = [...this.values.keys()], subject = this.subjects[0]) {
    for (const key of keys) this.trail.set(key);
    this.apply(new Map([...this.values].filter(([key]) => !keys.includes(key))), subject);
    this.refresh(this.subjects);
    this.later();
  }

  // A link that sets inputs of a figure: a step that the way back undoes.
  follow(query, subject) {
    this.settle();
    this.apply(this.trail.following(query), subject);
    this.trail.address.push();
    this.later();
  }

  wentBack() {
    const values = this.trail.gone();
    if (!values) return;
    this.apply(values, this.stage.spoken ?? this.subjects[0]);
    this.restored.refresh();
    this.settle();
  }

  // Asked for by a button, not by a change.
  compute(subject) {
    this.stage.begin();
    this.stage.compute([subject], subject);
  }

  retry() {
    this.runtime.start();
  }

  drawAgain() {
    this.stage.drawAgain();
  }

  later() {
    this.restored.refresh();
    this.trail.later();
  }

  settle() {
    this.trail.settle();
  }

  close() {
    this.abort.abort();
    this.trail.close();
    this.stage.close();
    this.restored.close();
  }
}

// The figures of a page, each once; those that the prose only quotes have no drawing.
function declared(root) {
  const each = [...root.querySelectorAll(".rl-declaration")].map((holder) => JSON.parse(holder.dataset.json));
  const byName = new Map(each.map((declaration) => [declaration.name, declaration]));
  for (const declaration of each) if (declaration.vega) byName.set(declaration.name, declaration);
  return [...byName.values()];
}
