// The words of a page above its text: whose numbers these are, and what of the address it could not use.

import { focusTitle } from "./content.js";
import { element } from "./elements.js";

const NAMED = 5; // an address may hold thousands

export class Notices {
  constructor(article) {
    this.article = article;
    this.box = element("div", { className: "rl-notices" });
  }

  // Nothing stands above the text before there is something to say.
  place() {
    if (this.box.isConnected) return;
    const heading = this.article.querySelector("h1");
    if (heading) heading.after(this.box);
    else this.article.prepend(this.box);
  }

  // The reader's scenario, as [["Batch", "4,000"], …]; `waiting` says that the numbers do not follow it yet.
  scenario(settings, waiting, reset) {
    this.banner?.remove();
    if (!settings.length) return;
    const told = settings.map(([label, value]) => element("span", { className: "rl-setting" }, `${label} `, bold(value)));
    const parts = told.flatMap((part, at) => (at ? [" · ", part] : [part]));
    const button = element("button", { type: "button", className: "rl-reset-scenario", onclick: reset }, "Reset");
    this.banner = element("p", { className: "rl-scenario" }, "Your scenario: ", ...parts, " ", button);
    this.wait(waiting);
    this.box.prepend(this.banner);
    this.place();
  }

  wait(text) {
    if (!this.banner) return;
    this.waiting ??= element("span", { className: "rl-waiting" });
    this.waiting.textContent = text ? ` ${text}` : "";
    if (!this.waiting.isConnected || this.waiting.parentNode !== this.banner) this.banner.append(this.waiting);
  }

  // [{key, text, known}]: an address may hold anything, so it is shown as text and cut short.
  ignored(entries) {
    if (!entries.length) return;
    const all = [...new Set(entries.map(inWords))];
    const names = [...all.slice(0, NAMED), ...(all.length > NAMED ? [`and ${all.length - NAMED} more`] : [])];
    const dismiss = element("button", { type: "button", className: "rl-dismiss" }, "Dismiss");
    const words = `This page cannot use part of its address and leaves it out: ${names.join(", ")}. `;
    const notice = element("p", { className: "rl-notice", role: "status" }, words, dismiss);
    dismiss.addEventListener("click", () => (notice.remove(), focusTitle()));
    this.box.append(notice);
    this.place();
  }

  close() {
    this.box.remove();
  }
}

function inWords({ key, text, known, again }) {
  if (!known) return short(key);
  return `${short(key)} (“${short(text)}”${again ? ", because it is given again" : ""})`;
}

const bold = (text) => element("strong", {}, text);
const short = (text) => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
