// Which figure is computed next: the edited one, then those in view, then, once the reader rests, all others.

const REST = 150; // milliseconds without an edit
const LONG = 150; // milliseconds after which a computation is said to go on

export class Queue {
  // `runtime` answers, `put(subject, answer, version)` shows; a subject says `visible` and gives its `request()`, and
  // its version changes whenever what is asked of it does. `linger(subject)` is told of one whose answer takes long,
  // and again whenever more of it is computed.
  constructor(runtime, put, linger = () => {}) {
    Object.assign(this, { runtime, put, linger, restless: 0 });
    this.due = new Set();
    this.first = undefined;
  }

  // These depend on what was changed; `first` is the one that the reader is looking at.
  add(subjects, first) {
    for (const subject of subjects) this.due.add(subject);
    if (first) this.first = first;
    if (first) this.restless = performance.now() + REST;
    if (first) this.running?.abort.abort(); // it goes on after, and what is computed of it is kept
    for (const subject of subjects) if (subject.halted) this.resume(subject);
    this.next();
  }

  drop(subject) {
    this.due.delete(subject);
    if (this.running?.subject !== subject) return;
    this.running.dropped = true;
    this.running.abort.abort();
  }

  // The reader would rather not wait for it.
  halt(subject) {
    subject.halted = subject.count ?? {};
    this.drop(subject);
  }

  resume(subject) {
    Object.assign(subject, { lingers: true, count: subject.halted.of && subject.halted, halted: undefined });
  }

  clear() {
    clearTimeout(this.timer);
    this.due.clear();
    this.closed = true;
    if (this.running) this.drop(this.running.subject);
  }

  // Latest wins: a request is made only when the last one is answered, and then of what the form says now. The one
  // that runs is let end, and shown on the way; but a long one, which is computed in parts, stops after the present one.
  async next() {
    if (this.running || this.closed || !this.runtime.live) return;
    const subject = this.choose();
    if (!subject) return;
    this.due.delete(subject);
    const { version } = subject;
    const running = (this.running = { subject, abort: new AbortController() });
    const long = setTimeout(() => this.lingers(subject), LONG);
    const tell = (count) => this.counts(subject, count);
    const answer = await this.runtime.ask(subject.request(), { tell, signal: running.abort.signal });
    clearTimeout(long);
    this.running = undefined;
    const answered = answer && !answer.stopped;
    if (!answered && !running.dropped) this.due.add(subject);
    subject.lingers &&= this.due.has(subject); // a newer change of a figure that takes long
    subject.count = undefined;
    if (this.closed) return;
    this.next();
    if (answered) {
      subject.halted = undefined;
      this.put(subject, answer, version);
    } else if (running.dropped) this.linger(subject);
  }

  lingers(subject) {
    subject.lingers = true;
    if (!this.closed) this.linger(subject);
  }

  counts(subject, count) {
    subject.count = count;
    if (subject.lingers && !this.closed) this.linger(subject);
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
