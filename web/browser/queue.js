// Which figure is computed next: the edited one, then those in view, then, once the reader rests, all others.

const REST = 150; // milliseconds without an edit
const LONG = 150; // milliseconds after which a computation is said to go on

export class Queue {
  // `runtime` answers, `put(subject, answer, version)` shows; a subject says `visible` and gives its `request()`, and
  // its version changes whenever what is asked of it does. `linger(subject)` is told of one whose answer takes long.
  constructor(runtime, put, linger = () => {}) {
    Object.assign(this, { runtime, put, linger, busy: false, restless: 0 });
    this.due = new Set();
    this.first = undefined;
  }

  // These depend on what was changed; `first` is the one that the reader is looking at.
  add(subjects, first) {
    for (const subject of subjects) this.due.add(subject);
    if (first) this.first = first;
    if (first) this.restless = performance.now() + REST;
    this.next();
  }

  drop(subject) {
    this.due.delete(subject);
  }

  clear() {
    clearTimeout(this.timer);
    this.due.clear();
    this.closed = true;
  }

  // Latest wins: a request is made only when the last one is answered, and then of what the form says now. The one
  // that runs is let end, and shown on the way.
  async next() {
    if (this.busy || this.closed || !this.runtime.live) return;
    const subject = this.choose();
    if (!subject) return;
    this.due.delete(subject);
    this.busy = true;
    const { version } = subject;
    const long = setTimeout(() => this.lingers(subject), LONG);
    const answer = await this.runtime.ask(subject.request());
    clearTimeout(long);
    this.busy = false;
    subject.lingers &&= this.due.has(subject); // a newer change of a figure that takes long
    if (this.closed) return;
    if (!answer) this.due.add(subject);
    this.next();
    if (answer) this.put(subject, answer, version);
  }

  lingers(subject) {
    subject.lingers = true;
    if (!this.closed) this.linger(subject);
  }

  choose() {
    if (this.due.has(this.first)) return this.first;
    const seen = [...this.due].find((subject) => subject.visible);
    return seen ?? this.later();
  }

  later() {
    const wait = this.restless - performance.now();
    if (wait <= 0) return this.due.values().next().value;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.next(), wait);
    return undefined;
  }
}
