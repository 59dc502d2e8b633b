// The exercises answer: each form takes a number with its unit, and says beside it what became of it.

import { acts, UNDONE } from "./controls.js";
import { setText } from "./elements.js";
import { told } from "./trouble.js";

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
    on("submit", async (event) => {
      event.preventDefault();
      const written = box.value;
      const judged = await judge(asked, written);
      if (box.value !== written) return;
      show(judged);
      this.voice.say(judged.sentence);
    });
    on("input", () => show({ state: "", sentence: "" })); // what was said is about another answer
  }

  close() {
    this.abort.abort();
  }
}

async function judge(asked, written) {
  acts.forgetFailed();
  try {
    const script = await acts.load();
    return script.judge(asked, written);
  } catch (error) {
    return { state: "", sentence: told(error, UNDONE).message };
  }
}
