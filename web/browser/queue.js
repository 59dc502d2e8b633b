// Which figure is computed next: the edited one, then those in view, then, once the reader rests, all others.

const REST = 150; // milliseconds without an edit

export class Queue {
  // `runtime` answers, `put(subject, answer, version)` shows; a subject says `visible` and gives its `request()`, and
  // its version changes whenever what is asked of it does.
  constructor(runtime, put) {
    Object.assign(this, { runtime, put, busy: false, restless: 0 });
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

  // Latest wins: a request is made only when the last one is answered, and then of what the form says now.
  async next() {
    if (this.busy || this.closed || !this.runtime.live) return;
    const subject = this.choose();
    if (!subject) return;
    this.due.delete(subject);
    this.busy = true;
    const { version } = subject;
    const answer = await this.runtime.ask(subject.request());
    this.busy = false;
    if (this.closed) return;
    if (!answer) this.due.add(subject);
    this.next();
    if (answer) this.put(subject, answer, version);
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
