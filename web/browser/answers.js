// The exercises answer: each form takes a number with its unit, and says beside it what became of it.

import { setText } from "./elements.js";
import { judge } from "./judge.js";

export class Answers {
  constructor(root, voice) {
    Object.assign(this, { root, voice, abort: new AbortController() });
    for (const form of root.querySelectorAll(".rl-answer")) this.listen(form);
  }

  listen(form) {
    const asked = JSON.parse(form.dataset.asked);
    const [box, said] = [form.querySelector("input"), form.querySelector(".rl-said")];
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
