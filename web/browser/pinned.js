// A figure of the scenario that is pinned as A, beside that of the present one. It waits in the queue as figures do.

export class Pinned {
  constructor(subject, scenario) {
    Object.assign(this, { subject, scenario, version: 0, known: undefined });
  }

  get visible() {
    return this.subject.visible;
  }

  // A and B are not the same to this figure.
  get differs() {
    const { pinned, values } = this.scenario;
    return Boolean(pinned) && this.subject.keys.some((key) => pinned.get(key) !== values.get(key));
  }

  // Its answer, where it is to be shown.
  get answer() {
    return this.differs && !this.known?.message ? this.known : undefined;
  }

  get wanted() {
    return this.differs && !this.known;
  }

  request() {
    return this.subject.request(this.scenario.pinned);
  }

  renew() {
    this.version += 1;
    this.known = undefined;
  }

  put(answer, version) {
    if (!answer.message) this.subject.steady.complete(answer);
    if (version === this.version) this.known = answer;
  }
}
