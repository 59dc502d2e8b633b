// The four states that a reader can see, in words; and one quiet voice for those who listen instead of looking.

import { element, setText } from "./elements.js";

const MEGABYTE = 1e6;
const PAUSE = 800; // milliseconds: an announcement waits until the reader has stopped changing things

// `earlier`: the figure shows a result of before, because what it was asked last could not be computed. `lingers`: what
// it was asked takes long to compute; `count` is how much of it is, and `halted` how much was when the reader stopped it.
export function inWords(state, { behind, earlier, lingers, count, halted, drawing } = {}) {
  if (state.name === "starting") return startingText(state, behind);
  if (state.name === "live" && earlier) return "Ready; shown is an earlier result";
  if (state.name === "live" && behind && halted) return `Stopped${halted.of ? ` at ${parts(halted)}` : ""}`;
  if (state.name === "live" && behind && lingers) return count ? `Computing: ${parts(count)}` : "Computing your change…";
  if (state.name === "live" && drawing) return "Live numbers, earlier chart";
  if (state.name === "live") return "Live: computed in your browser";
  if (state.name === "failed") return state.message;
  return "Change an input to begin";
}

// A button that does something about it: its name, and that of the deed.
function offered(state, { behind, earlier, count, halted }) {
  if (state.name === "failed") return ["Retry", "again"];
  if (state.name !== "live" || !behind || earlier) return [];
  if (halted) return ["Go on", "goOn"];
  return count ? ["Stop", "stop"] : [];
}

const parts = ({ done, of, counted }) => `${done} of ${of} ${counted}`;

export function bytesText({ loaded, total }) {
  if (!total) return "";
  const [part, whole] = [loaded, total].map((bytes) => (bytes / MEGABYTE).toFixed(1));
  return loaded < total ? `${part} of ${whole} MB` : `${whole} MB loaded`;
}

const startingText = (state, behind) =>
  `Starting${state.total ? `: ${bytesText(state)}` : ""}${behind ? "; then your change is computed" : "…"}`;

export class Status {
  // The line of a figure, and a note above its chart, and the deeds that they offer. They are seen, not heard: `Voice` speaks for the whole page.
  constructor(line, chart, deeds) {
    this.line = line;
    this.note = element("div", { className: "rl-stale-note", hidden: true });
    this.deeds = deeds;
    this.state = new Told(line);
    this.trouble = new Told(this.note);
    chart.before(this.note);
  }

  show(state, { behind, lingers, count, halted }, trouble) {
    this.line.dataset.state = behind && lingers && state.name === "live" ? "computing" : state.name;
    this.line.toggleAttribute("data-late", Boolean(behind) && this.line.dataset.state !== "live");
    this.line.style.setProperty("--rl-progress", state.total ? state.loaded / state.total : 0);
    const earlier = trouble && !trouble.drawing && !trouble.halted && !trouble.aside;
    const told = { behind, earlier, lingers, count, halted, drawing: trouble?.drawing };
    const [name, deed] = offered(state, told);
    this.state.say(inWords(state, told), state.detail, name, this.deeds[deed]);
    this.trouble.say(trouble?.message ?? "", trouble?.detail, trouble?.drawing ? "Retry" : "", this.deeds.again);
    this.note.hidden = !trouble;
  }
}

// A sentence; a button where something can be done about it, and what the machine said, folded, where something failed.
class Told {
  constructor(place) {
    this.place = place;
    this.words = element("span");
    this.button = element("button", { type: "button", className: "rl-retry", onclick: () => this.deed() });
    this.detail = element("code");
    this.folded = element("details", { className: "rl-detail" }, element("summary", {}, "Details"), this.detail);
    place.replaceChildren(this.words);
  }

  say(sentence, detail = "", name = "", deed = undefined) {
    this.deed = deed;
    setText(this.words, sentence);
    setText(this.detail, detail);
    setText(this.button, name);
    for (const [part, wanted] of [[this.button, name], [this.folded, detail]]) {
      if (wanted && !part.isConnected) this.place.append(" ", part);
      if (!wanted && part.isConnected) [part.previousSibling, part].forEach((each) => each.remove()); // and the space before it
    }
  }
}

export class Voice {
  constructor() {
    this.deed = "";
    this.element = element("div", { className: "rl-voice", role: "status" });
    Object.assign(this.element.style, HIDDEN);
    document.body.append(this.element);
  }

  say(text, pause = PAUSE) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.element.textContent = this.deed + text;
      this.deed = "";
    }, pause);
  }

  // An act, which is told before what follows from it.
  note(deed) {
    this.deed = `${deed} `;
    this.say("");
  }
}

const HIDDEN = {
  position: "absolute", width: "1px", height: "1px", overflow: "hidden", clipPath: "inset(50%)", whiteSpace: "nowrap",
};
