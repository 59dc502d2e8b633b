// The reader's own model: a config.json that is pasted, dropped, chosen or edited, or the numbers of a form. Each is a text
// for Python; its answer says how that text is written in one line, as a file, and as numbers.

import { element, setText } from "./elements.js";
import { Field } from "./field.js";
import { plain, parse } from "./number.js";

const TYPING = 500; // milliseconds without a key
const AT_ONCE = /^insertFrom(Paste|Drop)/;

export class Description extends Field {
  listen() {
    const [starts, file] = [this.root.querySelector(".rl-starts"), this.root.querySelector("[type=file]")];
    this.numbers = this.root.querySelector(".rl-numbers");
    this.remark = this.root.querySelector(".rl-remark");
    super.listen();
    starts.addEventListener("change", () => {
      if (starts.value) this.take(starts.value);
      starts.value = "";
    });
    file.addEventListener("change", () => this.takeFile(file.files[0]));
    this.root.addEventListener("dragover", (event) => event.preventDefault());
    this.root.addEventListener("drop", (event) => this.drop(event));
    this.numbers.addEventListener("change", ({ target }) => this.numbered(target));
  }

  drop(event) {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    this.takeFile(file);
  }

  async takeFile(file) {
    if (!file) return;
    if (file.size > this.declared.most) return this.refuse(`${file.name} is too large: ${this.label} takes ${this.declared.expects}.`);
    const text = await file.text().catch(() => "");
    this.write(text);
    this.take(text);
  }

  // While it is typed, it is not read.
  typed(event) {
    clearTimeout(this.pause);
    if (AT_ONCE.test(event?.inputType)) this.take(this.box.value);
    else this.pause = setTimeout(() => this.take(this.box.value), TYPING);
  }

  settle() {}

  // A model that is described is the one that is meant: a step that the way back undoes.
  take(text) {
    clearTimeout(this.pause);
    if (!text.trim()) return this.refuse("There is no text. Paste a config.json, or begin with a model of the catalogue.");
    if (text.length > this.declared.most) return this.refuse(`${this.declared.label} takes ${this.declared.expects}.`);
    setText(this.remark, "");
    const { name } = this.declared;
    this.subject.controls.page.follow(String(new URLSearchParams({ model: name, [name]: text })), this.subject);
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
    this.fresh = true; // what stands in the box is to be that of the answer
    this.accept(value);
  }

  complain(sentence) {
    this.complaint = sentence;
    if (sentence) this.fresh = false; // nothing that was entered is lost
    this.sayError(sentence);
  }

  answered({ text, fields }) {
    [this.line] = text.line;
    const whole = this.value !== this.line;
    if (whole) this.keep(this.line, text.remark[0], text.precision[0]);
    if (this.fresh || document.activeElement !== this.box) this.write(text.file[0]);
    this.fresh = false;
    this.fill(fields);
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
