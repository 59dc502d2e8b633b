// One page and what happens on it: the reader changes inputs, figures are asked for, answers are shown.

import { Address } from "./address.js";
import { loadVega } from "./chart.js";
import { Controls } from "./controls.js";
import { onIntent } from "./intent.js";
import { recall, remember } from "./memory.js";
import { Queue } from "./queue.js";
import { Restored } from "./restored.js";
import { changed, fromQuery, inputsByKey, sharedOnly, toQuery } from "./scenario.js";
import { Subject } from "./subject.js";

const PAUSE = 250; // browsers refuse an address that changes too often

export class Page {
  constructor(root, runtime, voice) {
    Object.assign(this, { root, runtime, voice, values: new Map() });
    this.abort = new AbortController();
    const declarations = declared(root);
    this.known = inputsByKey(declarations);
    this.subjects = declarations.map((each) => new Subject(each, root, () => this.values, this.told()));
    this.queue = new Queue(runtime, (...answered) => this.put(...answered));
    this.address = new Address(() => toQuery(this.values));
    this.controls = this.subjects.filter(({ figure }) => figure).map((subject) => new Controls(subject, this));
    this.restored = new Restored(root, this);
    this.listen();
    this.restore();
    this.watch();
  }

  told() {
    return { changed: (...edit) => this.edit(...edit), refused: (subject) => this.refresh([subject]) };
  }

  listen() {
    const { signal } = this.abort;
    this.runtime.addEventListener("change", () => this.ran(), { signal });
    window.addEventListener("popstate", () => this.wentBack(), { signal });
    window.addEventListener("pagehide", () => this.settle(), { signal });
    window.addEventListener("beforeprint", () => this.drawAll(), { signal });
    for (const subject of this.subjects) for (const field of subject.fields) field.listen(signal);
    onIntent(this.root.querySelectorAll(".rl-inputs"), () => this.begin(), signal);
  }

  // The address speaks first, then the visit's memory; what the reader did before this script came wins over both.
  restore() {
    const asked = fromQuery(location.search, this.known);
    const kept = recall();
    const values = asked.speaks ? asked.values : changed(kept, this.known);
    this.lost = new Map(asked.speaks ? [] : [...kept].filter((entry) => this.known.has(entry[0]) && !this.takes(...entry)));
    const lost = [...this.lost].map(([key, value]) => ({ key, text: String(value), known: true }));
    this.restored.begin(values, [...asked.ignored, ...lost]);
    this.apply(values);
    for (const { fields } of this.subjects) for (const field of fields) if (field.early !== undefined) field.type(field.early);
    if (this.values.size) this.begin();
    if (this.values.size && !asked.speaks) this.later();
    this.ran();
  }

  takes(key, value) {
    return changed(new Map([[key, value]]), this.known).size > 0 || this.known.get(key).some((d) => d.default === value);
  }

  // The reader has changed one input.
  edit(subject, field, value) {
    this.lost.delete(field.key);
    if (value === field.declared.default) this.values.delete(field.key);
    else this.values.set(field.key, value);
    this.others(field);
    this.due([field.key], subject);
    this.later();
  }

  others(edited) {
    for (const field of this.subjects.flatMap(({ fields }) => fields)) {
      if (field.key === edited.key && field !== edited) field.show(this.values.get(field.key) ?? field.declared.default);
    }
  }

  // Everything at once: a restored scenario, a reset, a step back.
  apply(values, subject) {
    const keys = [...this.known.keys()].filter((key) => values.get(key) !== this.values.get(key));
    this.values = new Map(values);
    for (const field of this.subjects.flatMap(({ fields }) => fields)) {
      const value = values.get(field.key) ?? field.declared.default;
      if (field.value !== value || field.wrong) field.show(value);
    }
    this.due(keys, subject);
  }

  due(keys, subject) {
    const affected = this.subjects.filter((each) => each.keys.some((key) => keys.includes(key)));
    for (const each of affected) each.version += 1;
    for (const each of affected) if (!each.sound) this.queue.drop(each);
    if (subject) this.spoken = subject;
    if (affected.length && subject) this.begin();
    this.queue.add(affected.filter((each) => each.sound), subject);
    this.refresh(affected);
  }

  begin() {
    if (this.runtime.state.name === "static") this.runtime.start();
  }

  retry() {
    this.runtime.start();
  }

  ran() {
    const { state } = this.runtime;
    if (state.name === "starting" && this.subjects.some(({ declaration }) => declaration.vega)) loadVega().catch(() => {});
    if (state.name === "live") this.warm();
    this.refresh(this.subjects);
    this.restored.tell(state);
    this.announce(state);
    this.queue.next();
  }

  announce({ name, message }) {
    if (name === this.announced) return;
    this.announced = name;
    if (name === "failed") this.voice.say(`The calculator could not start: ${message}`, 0);
    else if (name === "starting" && this.spoken) this.voice.say("The calculator is starting.");
  }

  // A figure in view is computed once more when all is live, so that its first edit finds everything ready.
  warm() {
    const cold = this.subjects.filter((each) => each.visible && each.figure?.chart && !each.figure.answer && each.sound);
    if (cold.length) this.queue.add(cold);
  }

  async put(subject, answer, version) {
    await subject.show(answer).catch((error) => this.chartFailed(subject, error));
    subject.shown = version;
    if (subject === this.spoken) this.voice.say(subject.refused || subject.figure?.finding || "");
    this.refresh([subject]);
  }

  chartFailed(subject, error) {
    if (this.abort.signal.aborted) return;
    subject.refused = `The chart could not be drawn again: ${error.message}`;
    this.refresh([subject]);
  }

  refresh(subjects) {
    for (const subject of subjects) subject.mark(this.runtime.live);
    for (const controls of this.controls) if (subjects.includes(controls.subject)) controls.refresh(this.runtime.state);
  }

  later() {
    this.restored.refresh();
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settle(), PAUSE);
  }

  // Now, because the reader is about to leave.
  settle() {
    clearTimeout(this.settling);
    if (!this.address.here) return;
    this.address.now();
    const elsewhere = [...recall()].filter(([key]) => !this.known.has(key));
    remember(new Map([...elsewhere, ...this.lost, ...sharedOnly(this.values)]));
  }

  wentBack() {
    if (!this.address.here || this.address.agrees) return;
    this.apply(fromQuery(location.search, this.known).values, this.spoken ?? this.subjects[0]);
    this.restored.refresh();
    this.settle();
  }

  reset(keys = [...this.values.keys()], subject = this.subjects[0]) {
    this.apply(new Map([...this.values].filter(([key]) => !keys.includes(key))), subject);
    this.later();
  }

  // A link that sets inputs of a figure: a step that the way back undoes.
  follow(query, subject) {
    const given = new Set(new URLSearchParams(query).keys());
    this.settle();
    const kept = [...this.values].filter(([key]) => !given.has(key));
    this.apply(new Map([...kept, ...fromQuery(query, this.known).values]), subject);
    this.address.push();
    this.later();
  }

  watch() {
    const owners = new Map(this.subjects.flatMap((subject) => subject.elements.map((element) => [element, subject])));
    this.observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        owners.get(target).inView[isIntersecting ? "add" : "delete"](target);
      }
      if (this.runtime.live) this.warm();
      this.queue.next();
    }, { rootMargin: "25%" });
    for (const element of owners.keys()) this.observer.observe(element);
  }

  // Asked for by a button, not by a change.
  compute(subject) {
    this.begin();
    if (subject.sound) this.queue.add([subject], subject);
  }

  drawAll() {
    for (const { figure } of this.subjects) if (figure?.answer) figure.chart?.draw(true);
  }

  close() {
    clearTimeout(this.settling);
    this.abort.abort();
    this.observer.disconnect();
    this.queue.clear();
    this.restored.close();
    for (const { figure } of this.subjects) figure?.close();
  }
}

// The figures of a page, each once; those that the prose only quotes have no drawing.
function declared(root) {
  const found = [...root.querySelectorAll(".rl-declaration")];
  const each = found.map((holder) => JSON.parse(holder.dataset.json ?? holder.textContent));
  const byName = new Map(each.map((declaration) => [declaration.name, declaration]));
  for (const declaration of each) if (declaration.vega) byName.set(declaration.name, declaration);
  return [...byName.values()];
}
