// The four states that a reader can see, in words; and one quiet voice for those who listen instead of looking.

import { element, setText } from "./elements.js";

const MEGABYTE = 1e6;
const PAUSE = 800; // milliseconds: an announcement waits until the reader has stopped changing things

// `earlier`: the figure shows a result of before, because what it was asked last could not be computed. `lingers`: what
// it was asked takes long to compute.
export function inWords(state, behind = false, earlier = false, lingers = false) {
  if (state.name === "starting") return startingText(state, behind);
  if (state.name === "live" && earlier) return "Ready; shown is an earlier result";
  if (state.name === "live") return behind && lingers ? "Computing your change…" : "Live: computed in your browser";
  if (state.name === "failed") return state.message;
  return "Change an input to begin";
}

export function bytesText({ loaded, total }) {
  if (!total) return "";
  const [part, whole] = [loaded, total].map((bytes) => (bytes / MEGABYTE).toFixed(1));
  return loaded < total ? `${part} of ${whole} MB` : `${whole} MB loaded`;
}

const startingText = (state, behind) =>
  `Starting${state.total ? `: ${bytesText(state)}` : ""}${behind ? "; then your change is computed" : "…"}`;

export class Status {
  // The line of a figure, and a note above its chart; `again` starts and draws once more. They are seen, not heard: `Voice` speaks for the whole page.
  constructor(line, chart, again) {
    this.line = line;
    this.note = element("div", { className: "rl-stale-note", hidden: true });
    this.state = new Told(line, again.start);
    this.trouble = new Told(this.note, again.draw);
    chart.before(this.note);
  }

  show(state, behind, trouble, lingers) {
    this.line.dataset.state = state.name;
    this.line.style.setProperty("--rl-progress", state.total ? state.loaded / state.total : 0);
    const failed = state.name === "failed";
    this.state.say(inWords(state, behind, trouble && !trouble.drawing, lingers), failed ? state.detail : "", failed);
    this.trouble.say(trouble?.message ?? "", trouble?.detail ?? "", Boolean(trouble?.drawing));
    this.note.hidden = !trouble;
  }
}

// A sentence; where something failed, a button that tries again, and what the machine said, folded.
class Told {
  constructor(place, retry) {
    this.place = place;
    this.words = element("span");
    this.retry = element("button", { type: "button", className: "rl-retry", onclick: retry }, "Retry");
    this.detail = element("code");
    this.folded = element("details", { className: "rl-detail" }, element("summary", {}, "Details"), this.detail);
    place.replaceChildren(this.words);
  }

  say(sentence, detail, again) {
    setText(this.words, sentence);
    setText(this.detail, detail);
    for (const [part, wanted] of [[this.retry, again], [this.folded, Boolean(detail)]]) {
      if (wanted && !part.isConnected) this.place.append(" ", part);
      if (!wanted) part.remove();
    }
  }
}

export class Voice {
  constructor() {
    this.element = element("div", { className: "rl-voice", role: "status" });
    Object.assign(this.element.style, HIDDEN);
    document.body.append(this.element);
  }

  say(text, pause = PAUSE) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.element.textContent = text), pause);
  }
}

const HIDDEN = {
  position: "absolute", width: "1px", height: "1px", overflow: "hidden", clipPath: "inset(50%)", whiteSpace: "nowrap",
};
