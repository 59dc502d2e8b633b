// One page and what the reader does on it: come, change an input, reset, follow a suggestion, go back, leave.

import { Controls } from "./controls.js";
import { idle, onIntent } from "./intent.js";
import { Restored } from "./restored.js";
import { Stage } from "./stage.js";
import { Scenario } from "./state.js";
import { Subject } from "./subject.js";
import { Trail } from "./trail.js";
import { fetchTypefaces } from "./typefaces.js";
import { Versus } from "./versus.js";

const ANSWERED = 1000; // milliseconds, by which the first answer is there

export class Page {
  constructor(root, runtime, voice) {
    Object.assign(this, { root, runtime, voice, abort: new AbortController() });
    const declarations = declared(root);
    this.scenario = new Scenario(declarations);
    this.subjects = declarations.map((each) => new Subject(each, root, this.scenario, voice));
    for (const subject of this.subjects) if (subject.figure) subject.controls = new Controls(subject, this);
    this.stage = new Stage(this.subjects, this.scenario, runtime, voice);
    this.trail = new Trail(this.scenario);
    this.restored = new Restored(root, this.scenario, this.subjects);
    this.versus = new Versus(root, this, voice);
    this.arrive();
    this.listen();
  }

  // The reader's acts before this script came win over what they came with.
  arrive() {
    const { values, pinned, ignored } = this.trail.arrive();
    this.restored.begin(values, ignored);
    this.scenario.put(values, undefined, pinned);
    this.trail.begin();
    for (const { fields } of this.subjects) for (const field of fields) field.begin();
    if (this.scenario.values.size) this.stage.begin();
    this.ran();
  }

  listen() {
    const { signal } = this.abort;
    this.runtime.addEventListener("change", () => this.ran(), { signal });
    window.addEventListener("popstate", () => this.wentBack(), { signal });
    window.addEventListener("online", () => this.again(), { signal });
    window.addEventListener("pagehide", () => this.settle(), { signal });
    window.addEventListener("beforeprint", () => this.stage.drawAll(), { signal });
    onIntent(this.root.querySelectorAll(".rl-inputs"), () => this.stage.begin(), signal);
  }

  ran() {
    this.stage.ran();
    this.restored.tell(this.runtime.state);
    if (this.runtime.live) this.typefaces ??= setTimeout(() => idle(() => fetchTypefaces(this.root)), ANSWERED);
  }

  // Files that did not come are fetched once more.
  again() {
    if (this.runtime.state.name === "failed") this.stage.start();
    this.stage.drawAgain();
  }

  // A link that sets inputs of a figure: a step that the way back undoes.
  follow(query, subject) {
    this.settle();
    this.scenario.put(this.trail.following(query), subject);
    this.trail.push();
  }

  // The present scenario becomes A, the two change places, or A is let go: steps that the way back undoes.
  pin(pinned, values = this.scenario.values) {
    this.settle();
    this.scenario.put(values, undefined, pinned ?? null);
    this.trail.push();
  }

  wentBack() {
    const gone = this.trail.gone();
    if (!gone) return;
    this.scenario.put(gone.values, this.stage.spoken ?? this.subjects[0], gone.pinned ?? null);
    this.settle();
  }

  // A page that the browser kept speaks again.
  later() {
    this.trail.later();
  }

  settle() {
    this.trail.settle();
  }

  close() {
    this.abort.abort();
    clearTimeout(this.typefaces);
    this.trail.close();
    this.stage.close();
    this.restored.close();
    this.versus.close();
  }
}

// The figures of a page, each once; those that the prose only quotes have no drawing.
function declared(root) {
  const each = [...root.querySelectorAll(".rl-declaration")].map((holder) => JSON.parse(holder.dataset.json));
  const byName = new Map(each.map((declaration) => [declaration.name, declaration]));
  for (const declaration of each) if (declaration.vega) byName.set(declaration.name, declaration);
  return [...byName.values()];
}
