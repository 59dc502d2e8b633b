// Has figures computed in the order in which the reader needs them, and shows what comes back.

import { forgetFailedVega, loadVega } from "./chart.js";
import { Queue } from "./queue.js";

export class Stage {
  // `refresh(subjects)` is called whenever what is known of them has changed.
  constructor(subjects, runtime, voice, refresh) {
    Object.assign(this, { subjects, runtime, voice, refresh, closed: false });
    this.queue = new Queue(runtime, (...answered) => this.put(...answered));
    this.watch();
    forgetFailedVega();
  }

  // These must be computed anew, because the reader changed `edited` or because the page arrived with other values.
  renew(subjects, edited) {
    for (const each of subjects) each.version += 1;
    for (const each of subjects) if (!each.sound) this.queue.drop(each);
    if (edited) this.spoken = edited;
    if (edited && subjects.length) this.begin();
    this.compute(subjects, edited);
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
    await subject.show(answer);
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
