// The four states that a reader can see, in words; and one quiet voice for those who listen instead of looking.

import { element, setText } from "./elements.js";

const MEGABYTE = 1e6;
const PAUSE = 800; // milliseconds: an announcement waits until the reader has stopped changing things

export function inWords(state, behind = false) {
  if (state.name === "starting") return startingText(state, behind);
  if (state.name === "live") return "Live: computed in your browser";
  if (state.name === "failed") return `The calculator could not start: ${withStop(state.message)}`;
  return "Change an input to begin";
}

export function bytesText({ loaded, total }) {
  if (!total) return "";
  const [part, whole] = [loaded, total].map((bytes) => (bytes / MEGABYTE).toFixed(1));
  return loaded < total ? `${part} of ${whole} MB` : `${whole} MB loaded`;
}

const startingText = (state, behind) =>
  `Starting${state.total ? `: ${bytesText(state)}` : ""}${behind ? "; then your change is computed" : "…"}`;
const withStop = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);

export class Status {
  // The line of a figure, and a note above its chart. They are seen, not heard: `Voice` speaks for the whole page.
  constructor(line, chart, retry) {
    this.line = line;
    this.words = element("span");
    this.retry = element("button", { type: "button", className: "rl-retry", onclick: retry }, "Retry");
    this.note = element("p", { className: "rl-stale-note", hidden: true });
    line.setAttribute("aria-live", "off");
    line.replaceChildren(this.words);
    chart.before(this.note);
  }

  show(state, behind, trouble) {
    this.line.dataset.state = state.name;
    this.line.style.setProperty("--rl-progress", state.total ? state.loaded / state.total : 0);
    setText(this.words, inWords(state, behind));
    setText(this.note, trouble);
    this.note.hidden = !trouble;
    const failed = state.name === "failed";
    if (failed && !this.retry.isConnected) this.line.append(" ", this.retry);
    if (!failed && this.retry.isConnected) this.line.replaceChildren(this.words);
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
