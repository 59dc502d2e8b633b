// Has figures computed in the order in which the reader needs them, and shows what comes back.

import { forgetFailedVega, loadVega } from "./chart.js";
import { Queue } from "./queue.js";

export class Stage {
  constructor(subjects, scenario, runtime, voice) {
    Object.assign(this, { subjects, runtime, voice, closed: false });
    this.queue = new Queue(runtime, (...answered) => this.put(...answered));
    this.watch();
    scenario.onChange((change) => this.renew(change));
    forgetFailedVega();
  }

  // Those that depend on what was changed are computed anew, that which the reader looks at first.
  renew({ keys, field, subject }) {
    const affected = this.subjects.filter((each) => each.keys.some((key) => keys.includes(key)));
    for (const each of affected) each.version += 1;
    for (const each of affected) if (!each.sound) this.queue.drop(each);
    if (subject) this.spoken = subject;
    if (subject && affected.length) this.begin();
    this.compute(affected, subject);
    this.refresh(field && keys.length ? affected : this.subjects);
  }

  refresh(subjects) {
    for (const each of subjects) each.refresh(this.runtime.state);
  }

  // Asked for by a button, not by a change.
  ask(subject) {
    this.begin();
    this.compute([subject], subject);
  }

  compute(subjects, first) {
    this.queue.add(subjects.filter((each) => each.sound), first);
  }

  begin() {
    if (this.runtime.state.name === "static") this.runtime.start();
  }

  // The runtime has changed its state.
  ran() {
    const { state } = this.runtime;
    const near = state.name === "live" || (state.name === "starting" && state.total > 0); // or it is in the way of Python
    if (near && this.subjects.some(({ figure }) => figure?.chart)) loadVega().catch(() => {});
    if (state.name === "live") this.warm();
    this.announce(state);
    this.queue.next();
    this.refresh(this.subjects);
  }

  announce({ name, message }) {
    if (name === this.announced) return;
    this.announced = name;
    if (name === "failed") this.voice.say(message, 0);
    else if (name === "starting" && this.spoken) this.voice.say("The calculator is starting.");
  }

  // A figure in view is computed once more when all is live, so that its first edit finds everything ready.
  warm() {
    this.compute(this.subjects.filter((each) => each.visible && each.figure?.chart && !each.figure.answer));
  }

  async put(subject, answer, version) {
    await subject.show(answer, version === subject.version);
    subject.shown = version;
    if (this.closed) return;
    if (subject === this.spoken) this.voice.say(subject.refused || subject.figure?.finding || "");
    this.refresh([subject]);
  }

  // Asked for by the reader.
  drawAgain() {
    forgetFailedVega();
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

  // Paper may show the drawing that the screen does not.
  drawAll() {
    for (const { figure } of this.subjects) if (figure?.answer) figure.chart?.draw(true);
  }

  close() {
    this.closed = true;
    this.observer.disconnect();
    this.queue.clear();
    for (const { figure } of this.subjects) figure?.close();
  }
}
