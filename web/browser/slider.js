// The slider of a number, by pointer, finger and key. A finger that comes down on one may only want to scroll: nothing
// follows it until it goes sideways or is lifted, and where the browser scrolls instead, all is as it was.

import { fromSlider, inBox, inWords, stepped, toSlider } from "./input.js";

const SIDEWAYS = 8; // pixels

export class Slider {
  // `moved(value)` is told where the reader put it.
  constructor(element, declared, moved) {
    Object.assign(this, { element, declared, moved });
    this.early = element.value === this.placeOf(element.defaultValue) ? undefined : inBox(declared, this.here);
    if (declared.log) element.step = "any";
    this.say(declared.default);
    const listeners = {
      input: () => !this.held && this.follow(),
      keydown: (event) => this.step(event),
      pointerdown: (event) => this.touch(event),
      pointermove: ({ clientX }) => Math.abs(clientX - this.finger?.from) > SIDEWAYS && this.release(),
      pointerup: () => this.lift(),
      pointercancel: () => this.restore(),
    };
    for (const [type, listener] of Object.entries(listeners)) element.addEventListener(type, listener);
  }

  // The value under its handle.
  get here() {
    return fromSlider(this.declared, this.element.valueAsNumber);
  }

  place(value) {
    this.value = value;
    this.element.value = toSlider(this.declared, value);
    this.say(value);
  }

  say(value) {
    this.value = value;
    this.element.setAttribute("aria-valuetext", inWords(this.declared, value));
  }

  follow(value = this.here) {
    this.say(value);
    this.moved(value);
  }

  step(event) {
    const others = event.altKey || event.ctrlKey || event.metaKey;
    const next = others ? undefined : stepped(this.declared, this.value, event.key, event.shiftKey);
    if (next === undefined) return;
    event.preventDefault();
    this.place(next);
    this.moved(next);
  }

  get held() {
    return this.finger && !this.finger.sideways;
  }

  touch({ pointerType, clientX }) {
    this.finger = pointerType === "touch" ? { from: clientX, value: this.value, place: this.element.value } : undefined;
  }

  release() {
    if (!this.held) return;
    this.finger.sideways = true;
    this.follow();
  }

  lift() {
    if (this.finger?.place !== this.element.value) this.release();
    this.finger = undefined;
  }

  restore() {
    const { value, sideways } = this.finger ?? {};
    this.finger = undefined;
    if (value === undefined) return;
    this.place(value);
    if (sideways) this.moved(value);
  }

  // The slider's own form of a place: it rounds to its step.
  placeOf(text) {
    const twin = this.element.cloneNode();
    twin.value = text;
    return twin.value;
  }
}
