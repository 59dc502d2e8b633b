// Has figures computed in the order in which the reader needs them, and shows what comes back.

import { vega } from "./chart.js";
import { Pinned } from "./pinned.js";
import { Queue } from "./queue.js";

export class Stage {
  constructor(subjects, scenario, runtime, voice) {
    Object.assign(this, { subjects, runtime, voice, closed: false });
    this.queue = new Queue(runtime, (...answered) => this.put(...answered), (each) => this.refresh([each.subject ?? each]));
    this.watch();
    scenario.onChange((change) => this.renew(change));
    vega.forgetFailed();
  }

  // Those that depend on what was changed are computed anew, that which the reader looks at first.
  renew({ keys, field, subject, moved }) {
    const affected = this.subjects.filter((each) => each.keys.some((key) => keys.includes(key)));
    for (const each of affected) each.version += 1;
    for (const each of affected) if (!each.sound) this.queue.drop(each);
    if (moved) for (const { pinned } of this.subjects) pinned.renew();
    if (subject) this.spoken = subject;
    if (subject && affected.length) this.begin();
    this.announce(this.runtime.state);
    this.compute(affected, subject);
    if (moved || keys.length) this.compare();
    this.refresh(field && keys.length ? affected : this.subjects);
  }

  // A is computed where it differs from B and a figure has no answer for it yet; B, where nothing was asked so far.
  compare() {
    for (const { pinned } of this.subjects) if (!pinned.wanted) this.queue.drop(pinned);
    const wanted = this.subjects.filter(({ pinned }) => pinned.wanted);
    if (wanted.length) this.begin();
    this.queue.add(wanted.map(({ pinned }) => pinned));
    this.compute(wanted.filter(({ figure }) => figure && !figure.answer));
    for (const each of this.subjects) if (each.compared !== each.pinned.answer) this.lay(each);
  }

  async lay(subject) {
    subject.compared = subject.pinned.answer;
    await subject.compare();
    if (!this.closed) this.refresh([subject]);
  }

  refresh(subjects) {
    for (const each of subjects) each.refresh(this.runtime.state);
  }

  // Asked for by a button, not by a change.
  ask(subject) {
    this.begin();
    this.compute([subject], subject);
  }

  // The reader would rather not wait for a long answer; to ask for it is to go on.
  halt(subject) {
    this.queue.halt(subject);
    this.voice.say("Stopped. The figure shows an earlier result.");
    this.refresh([subject]);
  }

  compute(subjects, first) {
    this.queue.add(subjects.filter((each) => each.sound), first);
  }

  begin() {
    if (this.runtime.state.name === "static") this.start();
  }

  start() {
    const first = this.spoken ?? this.subjects.find(({ visible }) => visible) ?? this.subjects[0];
    this.runtime.start([first, ...this.subjects].map(({ name }) => name));
  }

  // The runtime has changed its state.
  ran() {
    const { state } = this.runtime;
    const near = state.name === "live" || (state.name === "starting" && state.total > 0); // or it is in the way of Python
    if (near && this.subjects.some(({ figure }) => figure?.chart)) vega.load().catch(() => {});
    if (near) for (const { figure, visible } of this.subjects) if (visible || this.runtime.live) figure?.chart?.prepare();
    if (this.runtime.live) this.warm();
    this.announce(state);
    this.queue.next();
    this.refresh(this.subjects);
  }

  // That it starts is news to whoever waits for it.
  announce({ name, message }) {
    if (name === this.announced || (name === "starting" && !this.spoken)) return;
    this.announced = name;
    if (name === "failed") this.voice.say(message, 0);
    else if (name === "starting") this.voice.say("The calculator is starting.");
  }

  // A figure in view is computed once more when all is live, so that its first edit finds everything ready.
  warm() {
    this.compute(this.subjects.filter((each) => each.visible && each.figure?.chart && !each.figure.answer && !each.halted));
  }

  async put(subject, answer, version) {
    if (subject instanceof Pinned) {
      subject.put(answer, version);
      await this.lay(subject.subject);
      return this.tell(subject.subject);
    }
    await subject.show(answer, version === subject.version);
    subject.shown = version;
    if (this.closed) return;
    this.tell(subject);
    this.refresh([subject]);
  }

  tell(subject) {
    if (subject === this.spoken && !this.closed) this.voice.say(subject.refused || subject.figure?.told || "");
  }

  // Asked for by the reader.
  drawAgain() {
    vega.forgetFailed();
    this.compute(this.subjects.filter(({ undrawn }) => undrawn));
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

  // Paper may show the drawing that the screen does not, and what lies behind a fold.
  drawAll() {
    for (const { figure } of this.subjects) {
      if (!figure?.answer) continue;
      figure.showDerived(true);
      figure.chart?.draw(true);
    }
  }

  close() {
    this.closed = true;
    this.observer.disconnect();
    this.queue.clear();
    for (const { figure } of this.subjects) figure?.close();
  }
}
