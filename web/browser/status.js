// The four states that a reader can see, in words; and one quiet voice for those who listen instead of looking.

const MEGABYTE = 1e6;
const PAUSE = 800; // milliseconds: an announcement waits until the reader has stopped changing things

export function inWords(state) {
  if (state.name === "starting") return startingText(state);
  if (state.name === "live") return "Live: computed here, in your browser.";
  if (state.name === "failed") return `The calculator could not start: ${withStop(state.message)}`;
  return "Change an input and everything below is computed anew.";
}

export function bytesText({ loaded, total }) {
  if (!total) return "";
  const [part, whole] = [loaded, total].map((bytes) => (bytes / MEGABYTE).toFixed(1));
  return loaded < total ? `${part} of ${whole} MB` : `${whole} MB loaded`;
}

const startingText = (state) => `Starting the calculator${state.total ? `: ${bytesText(state)}` : ""}…`;
const withStop = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);

export class Status {
  // The line under a form. It is seen, not heard: `Voice` speaks for the whole page.
  constructor(element, retry) {
    this.element = element;
    this.retry = Object.assign(document.createElement("button"), { type: "button", textContent: "Retry" });
    this.retry.className = "rl-retry";
    this.retry.addEventListener("click", retry);
    this.words = document.createElement("span");
    element.setAttribute("aria-live", "off");
    element.replaceChildren(this.words);
  }

  show(state, trouble = "") {
    this.element.dataset.state = state.name;
    this.element.style.setProperty("--rl-progress", state.total ? state.loaded / state.total : 0);
    const text = [inWords(state), trouble].filter(Boolean).join(" ");
    if (this.words.textContent !== text) this.words.textContent = text;
    const failed = state.name === "failed";
    if (failed !== this.retry.isConnected) failed ? this.element.append(this.retry) : this.retry.remove();
  }
}

export class Voice {
  constructor() {
    this.element = document.createElement("div");
    this.element.className = "rl-voice";
    this.element.setAttribute("role", "status");
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
