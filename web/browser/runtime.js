// The one worker of the visit: started once, started again after a failure, asked one thing at a time.

import * as addresses from "./addresses.js";
import { resume, run, start } from "./protocol.js";

const PATIENCE = 20_000; // a worker that is silent for so long has died without a word
const STALLED = 60_000; // and a start in which nothing arrives for so long has stalled

export class Runtime extends EventTarget {
  constructor(make = () => new Worker(addresses.worker, { type: "module", name: "rooflines" })) {
    super();
    this.make = make;
    this.count = 0;
    this.waiting = new Map();
    this.state = { name: "static" };
  }

  get live() {
    return this.state.name === "live";
  }

  // Begin, unless it has begun; after a failure, begin again.
  start() {
    if (this.state.name === "starting" || this.live) return;
    this.become({ name: "starting", loaded: 0, total: 0 });
    try {
      this.worker ??= this.hire();
      this.worker.postMessage(start());
    } catch (error) {
      this.fail(error.message);
    }
  }

  // A worker that was made before this script came: it may have said already that it is live.
  adopt(worker) {
    this.worker = this.hire(worker);
    worker.postMessage(resume());
  }

  // One answer, or undefined when the worker failed on the way.
  ask(request) {
    const id = ++this.count;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.fail("The calculator stopped answering."), PATIENCE);
      this.waiting.set(id, { resolve, timer });
      this.worker.postMessage(run(id, [request]));
    });
  }

  hire(worker = this.make()) {
    worker.addEventListener("message", ({ data }) => this.hear(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.fail(event.message || "The calculator could not be loaded.");
    });
    return worker;
  }

  hear(message) {
    if (message.type === "progress") this.become({ name: "starting", loaded: message.loaded, total: message.total });
    else if (message.type === "live") this.become({ name: "live", seconds: message.seconds, restored: message.restored });
    else if (message.type === "answer") this.settle(message.id, message.answer);
    else if (message.type === "failed") this.fail(message.message);
  }

  settle(id, answer) {
    const { resolve, timer } = this.waiting.get(id) ?? {};
    clearTimeout(timer);
    this.waiting.delete(id);
    resolve?.(answer);
  }

  fail(message) {
    this.worker?.terminate();
    this.worker = undefined;
    this.become({ name: "failed", message });
    for (const id of [...this.waiting.keys()]) this.settle(id, undefined);
  }

  become(state) {
    if (state.name === "starting" && this.live) return;
    this.state = state;
    clearTimeout(this.stalled);
    if (state.name === "starting") this.stalled = setTimeout(() => this.fail("nothing arrived for a minute."), STALLED);
    this.dispatchEvent(new Event("change"));
  }
}
