// The ledger answers: filters, sorting by a column's heading, a button to copy a claim's address; on a narrow screen a claim
// is short until it is asked why. All of it is there without.

import { copy } from "./copy.js";

const SORTED = {
  claim: (row) => Number(row.dataset.order),
  when: (row) => Number(row.dataset.seconds || Infinity),
  verdict: (row) => ["holds", "caveats", "fails", "disagree", "unconfirmed"].indexOf(row.dataset.verdict),
};
const TESTS = {
  verdict: (row, asked) => row.dataset.verdict === asked,
  chapter: (row, asked) => row.dataset.chapter === asked,
  source: (row, asked) => row.dataset.sources.split(" ").includes(asked),
  words: (row, asked) => asked.toLowerCase().split(/\s+/).every((word) => row.textContent.toLowerCase().includes(word)),
};

export class Ledger {
  constructor(root, voice) {
    Object.assign(this, { root, voice });
    this.abort = new AbortController();
    this.table = root.querySelector(".rl-claims");
    this.form = root.querySelector(".rl-filters");
    this.rows = [...this.table.tBodies[0].rows];
    this.rows.forEach((row, order) => { row.dataset.order = order; });
    this.sortable();
    this.copyable();
    this.pasteable();
    this.foldable();
    if (this.form) this.filterable();
  }

  on(target, event, answer) {
    target.addEventListener(event, answer, { signal: this.abort.signal });
  }

  filterable() {
    this.read();
    this.form.hidden = false;
    this.on(this.form, "input", () => this.filter());
    this.on(this.form, "submit", (event) => event.preventDefault());
    this.on(this.form, "reset", () => setTimeout(() => this.filter())); // the fields are emptied after this event
    this.on(window, "hashchange", () => this.reveal());
    this.on(window, "popstate", () => { this.read(); this.show(); });
    this.show();
    this.reveal();
  }

  asked() {
    return Object.keys(TESTS).map((name) => [name, this.form.elements[name].value.trim()]).filter(([, value]) => value);
  }

  // The address says which claims are shown, so that a selection can be passed on.
  read() {
    const query = new URLSearchParams(location.search);
    for (const name of Object.keys(TESTS)) {
      const field = this.form.elements[name];
      field.value = query.get(name) ?? "";
      if (field.selectedIndex === -1) field.value = "";
    }
  }

  filter() {
    const query = new URLSearchParams(location.search);
    for (const name of Object.keys(TESTS)) query.delete(name);
    for (const [name, value] of this.asked()) query.set(name, value);
    const text = query.toString();
    history.replaceState(history.state, "", location.pathname + (text ? `?${text}` : ""));
    this.show();
  }

  show() {
    const asked = this.asked();
    for (const row of this.rows) row.hidden = !asked.every(([name, value]) => TESTS[name](row, value));
    this.count();
  }

  count() {
    const shown = this.rows.filter((row) => !row.hidden).length;
    this.form.querySelector(".rl-found").value = shown === 1 ? "1 claim" : `${shown} claims`;
  }

  // Whoever follows a link to a claim sees it, whatever the filters.
  reveal() {
    const row = document.getElementById(location.hash.slice(1));
    if (!row?.hidden || !this.rows.includes(row)) return;
    row.hidden = false;
    this.count();
    row.scrollIntoView();
  }

  sortable() {
    for (const head of this.table.tHead.rows[0].cells) {
      const value = SORTED[head.dataset.column];
      if (!value || head.querySelector("button")) continue;
      const button = Object.assign(document.createElement("button"), { type: "button", className: "rl-sort", textContent: head.textContent });
      head.replaceChildren(button);
      this.on(button, "click", () => this.sort(head, value));
    }
  }

  sort(head, value) {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of this.table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const way = down ? -1 : 1;
    const order = [...this.rows].sort((a, b) => way * compare(value(a), value(b)) || a.dataset.order - b.dataset.order);
    this.table.tBodies[0].append(...order);
  }

  copyable() {
    if (!navigator.clipboard) return;
    for (const row of this.rows) {
      if (row.querySelector(".rl-by .rl-copy")) continue;
      const name = row.querySelector(".rl-id");
      const button = Object.assign(document.createElement("button"), { type: "button", className: "rl-copy", textContent: "Copy link" });
      button.setAttribute("aria-label", `Copy link to claim ${name.textContent}`);
      row.querySelector(".rl-by").append(" ", button);
      this.on(button, "click", () => this.copy(button, name));
    }
  }

  // The style sheet shortens a claim where there is little room, and shows the button there.
  foldable() {
    this.table.dataset.folded = "";
    for (const row of this.rows) {
      if (row.querySelector(".rl-unfold")) continue;
      const button = Object.assign(document.createElement("button"), { type: "button", className: "rl-copy rl-unfold", textContent: "Why" });
      button.setAttribute("aria-expanded", "false");
      button.setAttribute("aria-label", `Why: claim ${row.querySelector(".rl-id").textContent}`);
      row.querySelector(".rl-verdict").append(" ", button);
    }
    this.on(this.table, "click", ({ target }) => {
      const button = target.closest(".rl-unfold");
      if (!button) return;
      const open = button.closest("tr").toggleAttribute("data-open");
      button.setAttribute("aria-expanded", String(open));
    });
  }

  // A call gets its button when it is opened: a hundred at once would hold the page up.
  pasteable() {
    for (const call of this.root.querySelectorAll(".rl-call")) this.on(call, "toggle", () => this.addButtons(call));
  }

  addButtons(call) {
    if (call.querySelector(".rl-copy")) return;
    for (const code of call.querySelectorAll("pre")) {
      const button = Object.assign(document.createElement("button"), { type: "button", className: "rl-copy", textContent: "Copy call" });
      this.on(button, "click", async () => (await copy(code.textContent, button)) && this.voice.say("Copied."));
      code.after(button);
    }
  }

  async copy(button, name) {
    const address = new URL(name.hash, location.origin + location.pathname);
    const done = await navigator.clipboard.writeText(address.href).then(() => "Copied", () => "Not copied");
    button.textContent = done;
    this.voice.say(`${done}.`);
    setTimeout(() => { button.textContent = "Copy link"; }, 2000);
  }

  close() {
    this.abort.abort();
  }
}

function compare(a, b) {
  return a === b ? 0 : a < b ? -1 : 1;
}
