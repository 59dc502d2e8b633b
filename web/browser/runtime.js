// The one worker of the visit: started once, started again after a failure, asked one thing at a time.

import * as addresses from "./addresses.js";
import { linkIsSlow } from "./intent.js";
import { noteKept, recallKept } from "./memory.js";
import { resume, run, start, stop } from "./protocol.js";
import { renew } from "./sound.js";
import { told } from "./trouble.js";

const MODULE = { type: "module", name: "rooflines" };
const PATIENCE = 20_000; // a worker that is silent for so long has died without a word
const STALLED = 60_000; // and a start in which nothing arrives for so long has stalled
const NOT_LOADED = "Its script did not come, or not whole.";
const BROKEN = "It met a mistake of its own.";

export class Runtime extends EventTarget {
  // `make` hires a worker; `mend` comes first at every later attempt, because what the browser keeps may be spoilt.
  constructor(make = () => new Worker(addresses.worker, MODULE), mend = () => renew(addresses.worker)) {
    super();
    Object.assign(this, { make, mend, count: 0, attempt: 1 });
    this.waiting = new Map();
    this.state = { name: "static" };
  }

  get live() {
    return this.state.name === "live";
  }

  // Begin, unless it has begun; after a failure, begin again. `near`: the figures that may be asked for, the first one first.
  async start(near) {
    if (this.state.name === "starting" || this.live) return;
    this.become({ name: "starting", loaded: 0, total: 0 });
    const { attempt } = this;
    try {
      if (attempt > 1) await this.mend();
      if (attempt !== this.attempt) return; // given up meanwhile
      this.worker ??= this.hire();
      this.worker.postMessage(start(recallKept(), linkIsSlow(), near));
    } catch (error) {
      if (attempt === this.attempt) this.fail(told(error, NOT_LOADED));
    }
  }

  // A worker that was made before this script came: it may have said already that it is live, or have failed.
  adopt(worker, failed) {
    if (failed) return void (this.attempt += 1);
    this.worker = this.hire(worker);
    worker.postMessage(resume(recallKept(), linkIsSlow()));
  }

  // One answer, or undefined when the worker failed on the way. `tell` hears how much of a long one is computed; when
  // `signal` aborts, that one stops where it is.
  ask(request, { tell, signal } = {}) {
    const id = ++this.count;
    signal?.addEventListener("abort", () => this.waiting.has(id) && this.worker.postMessage(stop(id)));
    return new Promise((resolve) => {
      this.waiting.set(id, { resolve, tell });
      this.waitFor(id);
      this.worker.postMessage(run(id, request));
    });
  }

  waitFor(id) {
    const asked = this.waiting.get(id);
    clearTimeout(asked.timer);
    asked.timer = setTimeout(() => this.fail({ message: "It did not answer any more." }), PATIENCE);
  }

  hire(worker = this.make()) {
    worker.addEventListener("message", ({ data }) => this.hear(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.fail({ message: this.live ? BROKEN : NOT_LOADED, detail: event.message });
    });
    return worker;
  }

  hear(message) {
    for (const id of this.waiting.keys()) this.waitFor(id); // it may start once more before it answers
    if (message.type === "progress") this.become({ name: "starting", loaded: message.loaded, total: message.total });
    else if (message.type === "live") this.become({ name: "live", seconds: message.seconds, restored: message.restored });
    else if (message.type === "counted") this.waiting.get(message.id)?.tell?.(message.count);
    else if (message.type === "answer") this.settle(message.id, message.answer);
    else if (message.type === "kept") noteKept(message.id);
    else if (message.type === "failed") this.fail(message);
  }

  settle(id, answer) {
    const { resolve, timer } = this.waiting.get(id) ?? {};
    clearTimeout(timer);
    this.waiting.delete(id);
    resolve?.(answer);
  }

  fail({ message, detail = "" }) {
    const what = this.live ? "The calculator has stopped." : "The calculator could not start.";
    this.worker?.terminate();
    this.worker = undefined;
    if (!this.live) this.attempt += 1;
    this.become({ name: "failed", message: `${what} ${message}`, detail });
    for (const id of [...this.waiting.keys()]) this.settle(id, undefined);
  }

  become(state) {
    if (state.name === "starting" && this.live) return;
    this.state = state;
    clearTimeout(this.stalled);
    if (state.name === "starting") this.stalled = setTimeout(() => this.fail({ message: "Nothing arrived for a minute." }), STALLED);
    this.dispatchEvent(new Event("change"));
  }
}
