// The exercises answer: each form takes a number with its unit, and says beside it what became of it.

import { setText } from "./elements.js";
import { judge } from "./judge.js";

export class Answers {
  constructor(root, voice) {
    Object.assign(this, { root, voice, abort: new AbortController() });
    root.querySelectorAll(".rl-answer").forEach((form, at) => this.listen(form, `answer-${at}`));
  }

  listen(form, id) {
    const asked = JSON.parse(form.dataset.asked);
    const [label, box, , said] = form.children;
    asked.example = box.placeholder.replace("e.g. ", "");
    label.htmlFor = box.id = id;
    said.id = `${id}-said`;
    box.setAttribute("aria-describedby", said.id);
    const on = (event, answer) => form.addEventListener(event, answer, { signal: this.abort.signal });
    const show = ({ state, sentence }) => {
      form.dataset.state = state;
      box.setAttribute("aria-invalid", state === "unread");
      setText(said, sentence);
    };
    on("submit", (event) => {
      event.preventDefault();
      const judged = judge(asked, box.value);
      show(judged);
      this.voice.say(judged.sentence);
    });
    on("input", () => show({ state: "", sentence: "" })); // what was said is about another answer
  }

  close() {
    this.abort.abort();
  }
}
