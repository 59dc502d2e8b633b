// The reader's own model or system: a text for Python, which is pasted, dropped, chosen, edited, or made of the numbers of
// a form. Its answer says how that text is written in one line, in its box, and as numbers.

import { element, setText } from "./elements.js";
import { Field } from "./field.js";
import { plain, parse } from "./number.js";

const TYPING = 500; // milliseconds without a key
const AT_ONCE = /^insertFrom(Paste|Drop)/;
const OWN = "own"; // of the choice that a text goes with

export class Description extends Field {
  listen() {
    const [starts, file] = [this.root.querySelector(".rl-starts"), this.root.querySelector("[type=file]")];
    this.numbers = this.root.querySelector(".rl-numbers");
    this.remark = this.root.querySelector(".rl-remark");
    super.listen();
    starts?.addEventListener("change", () => {
      if (starts.value) this.take(starts.value);
      starts.value = "";
    });
    file?.addEventListener("change", () => this.takeFile(file.files[0]));
    this.root.addEventListener("dragover", (event) => event.preventDefault());
    this.root.addEventListener("drop", (event) => this.drop(event));
    this.numbers?.addEventListener("change", ({ target }) => this.numbered(target));
    this.box.addEventListener("change", () => this.left());
    this.scenario.onChange(({ keys }) => keys.includes(this.declared.goes_with) && this.begun());
  }

  // Where a system is chosen to be one's own, it begins as the one that was chosen before, if its facts have come.
  begun() {
    const { scenario, key, line, before } = this;
    this.before = this.choice;
    if (!this.isOwn || this.answers !== before || !line || scenario.values.has(key) || line === this.declared.default) return;
    scenario.put(new Map(scenario.values).set(key, line), this.subject);
  }

  get choice() {
    return this.scenario.values.get(this.declared.goes_with);
  }

  get isOwn() {
    return this.choice === OWN;
  }

  drop(event) {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    this.takeFile(file);
  }

  async takeFile(file) {
    if (!file) return;
    const { label, expects, most } = this.declared;
    if (file.size > most) return this.refuse(`${file.name} is too large: ${label} takes ${expects}.`);
    const text = await file.text().catch(() => "");
    this.write(text);
    this.take(text);
  }

  // While it is typed, it is not read.
  typed(event) {
    clearTimeout(this.pause);
    this.pause = this.written = undefined;
    if (AT_ONCE.test(event?.inputType)) this.take(this.box.value);
    else this.pause = setTimeout(() => this.take(this.box.value, true), TYPING);
  }

  // The reader has left the box: from now on it says what was read, in the way in which that is written.
  left() {
    if (this.pause) this.take(this.box.value);
    else if (this.written) this.write(this.written);
  }

  settle() {}

  // One that is described is the one that is meant: a step that the way back undoes.
  take(text, typing = false) {
    clearTimeout(this.pause);
    this.pause = undefined;
    const { name, goes_with: choice, label, expects, most } = this.declared;
    if (!text.trim()) return this.refuse("There is no text. Begin with one of the catalogue.");
    if (text.length > most) return this.refuse(`${label} takes ${expects}.`);
    setText(this.remark, "");
    this.typing = typing;
    this.subject.controls.page.follow(String(new URLSearchParams({ [choice]: OWN, [name]: text })), this.subject);
    this.typing = false;
  }

  refuse(sentence) {
    this.voice.say(sentence);
    this.sayError(sentence);
  }

  // One number of the form, in the line that the answer gave.
  numbered(box) {
    const number = parse(box.value);
    if (!Number.isInteger(number) || number < 0) {
      box.setAttribute("aria-invalid", "true");
      return this.refuse(`${box.labels[0].textContent} takes a whole number.`);
    }
    const parts = this.line.split("~").map((part) => (part.startsWith(`${box.name}.`) ? `${box.name}.${number}` : part));
    this.take(parts.join("~"));
  }

  show(value) {
    this.fresh = !this.typing; // what stands in the box is to be that of the answer
    this.accept(value);
  }

  complain(sentence) {
    this.complaint = sentence;
    if (sentence) this.fresh = false; // nothing that was entered is lost
    this.sayError(sentence);
  }

  // The text of a system is that of the chosen one, which is not always one's own.
  answered(tables) {
    const { line, file, remark, precision } = tables[this.declared.name];
    const fields = tables[`${this.declared.name}_fields`];
    [this.line, this.written, this.answers] = [line[0], file[0], this.choice];
    if (this.isOwn && this.value !== this.line) this.keep(this.line, remark[0], precision?.[0]);
    if (this.fresh || document.activeElement !== this.box) this.write(this.written);
    this.fresh = false;
    if (fields) this.fill(fields);
  }

  // The address carries the line, not the file; where the file says how its weights are stored, the page stores them so.
  keep(line, remark, precision) {
    setText(this.remark, remark);
    const values = new Map(this.scenario.values).set(this.key, line);
    if (line === this.declared.default) values.delete(this.key);
    if (precision) values.set("precision", precision);
    if (precision === this.scenario.known.get("precision")?.[0].default) values.delete("precision");
    const { fresh } = this;
    this.scenario.put(values);
    this.fresh = fresh;
  }

  fill({ name: names, label, number }) {
    const now = [...this.numbers.querySelectorAll("input")];
    if (now.map((box) => box.name).join() !== names.join()) {
      this.numbers.replaceChildren(...names.map((name, at) => this.numberOf(name, label[at])));
    }
    for (const [at, box] of this.numbers.querySelectorAll("input").entries()) {
      if (parse(box.value) !== number[at]) box.value = plain(number[at], 12);
      box.removeAttribute("aria-invalid");
    }
  }

  numberOf(name, label) {
    const box = element("input", { type: "text", inputMode: "numeric", className: "rl-number-box", name, id: `${this.box.id}-${name}` });
    return element("div", {}, element("label", { htmlFor: box.id }, label), box);
  }
}
