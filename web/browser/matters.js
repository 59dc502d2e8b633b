// The fold “What matters most”: once it is open, the figure is asked again with each input moved, one at a time, and bars
// show how far each moves the number that the reader chose.

import { element, setText } from "./elements.js";

const HEADINGS = { number: "A fifth less, and a fifth more", choice: "Every other choice" };
const STILL = 1e-9; // of a number, that rounding may move it
const WIDE = 4; // from the least to the most, by which a scale is logarithmic

export class Matters {
  constructor(fold, subject, page) {
    Object.assign(this, { fold, subject, page, turn: 0, rows: [] });
    this.select = element("select", { className: "rl-moved", ariaLabel: "What matters most of" });
    this.said = element("p", { className: "rl-matters-said" });
    this.bars = element("div");
    const label = element("label", {}, "Of ", this.select);
    this.fold.append(label, this.said, this.bars);
    this.select.addEventListener("change", () => {
      this.chosen = true;
      this.draw();
    });
    this.fold.addEventListener("toggle", () => this.refresh());
  }

  get open() {
    return this.fold.open;
  }

  // Whatever was changed, the bars follow as soon as the figure does.
  refresh() {
    const { subject, page } = this;
    if (!this.open) return this.going?.abort();
    if (subject.halted) return;
    if (!subject.figure.answer) return page.stage.ask(subject);
    if (subject.behind || subject.refused || this.of === subject.figure.answer) return;
    this.of = subject.figure.answer;
    this.offer();
    this.work();
  }

  // The figure's own numbers, for one to be chosen.
  offer() {
    const known = Object.entries(this.of.values).filter(([, { number }]) => number !== null);
    const before = this.select.value;
    this.select.replaceChildren(...known.map(([key, { label }]) => element("option", { value: key }, label)));
    if (known.some(([key]) => key === before)) this.select.value = before;
  }

  async work() {
    const turn = ++this.turn;
    this.going?.abort();
    this.going = new AbortController();
    const { signal } = this.going;
    const request = this.subject.request();
    const { runtime } = this.page;
    this.rows = [];
    const plan = await runtime.ask({ ...request, ways: true });
    if (turn !== this.turn || !plan?.ways) return;
    for (const [done, way] of plan.ways.entries()) {
      if (!this.open) return void (this.of = undefined); // closed meanwhile
      this.draw(`${done} of ${plan.ways.length} computed`);
      const answer = await runtime.ask({ ...request, inputs: { ...request.inputs, [way.input]: way.value } }, { signal });
      if (turn !== this.turn) return;
      if (answer?.values) this.rows.push({ ...way, values: answer.values });
    }
    this.choose();
    this.draw();
  }

  // A number that no number moves, such as a count of chips, is not the one to begin with.
  choose() {
    if (this.chosen) return;
    const moves = (key) => this.barsOf(key).some(({ kind, moved }) => kind === "number" && moved);
    const key = [...this.select.options].map(({ value }) => value).find(moves);
    if (key) this.select.value = key;
  }

  barsOf(key) {
    const here = this.of.values[key];
    return this.subject.declaration.inputs.flatMap((declared) => barOf(declared, this.rows, key, here) ?? []);
  }

  draw(progress = "") {
    const key = this.select.value;
    const here = this.of?.values[key];
    if (!here) return;
    const bars = this.barsOf(key);
    const still = bars.filter(({ moved }) => !moved).map(({ label }) => label.toLowerCase());
    const groups = Object.keys(HEADINGS).map((kind) => bars.filter((bar) => bar.moved && bar.kind === kind)).filter((group) => group.length);
    setText(this.said, progress || (still.length ? `Not moved by ${still.join(", ")}.` : ""));
    this.bars.replaceChildren(...groups.map((group) => tableOf(group, here)));
  }
}

// One input: the least and the most of the number, and which of its values make it so.
function barOf({ name, label, kind }, rows, key, here) {
  const moved = rows.filter(({ input, values }) => input === name && typeof values[key]?.number === "number");
  if (!moved.length) return undefined;
  const ends = [{ said: "as it is", ...here }, ...moved.map(({ said, values }) => ({ said, ...values[key] }))];
  ends.sort((one, other) => one.number - other.number);
  const [least, most] = [ends[0], ends.at(-1)];
  return { label, kind, least, most, moved: most.number - least.number > STILL * Math.abs(here.number) };
}

function tableOf(bars, here) {
  bars.sort((one, other) => other.most.number - other.least.number - (one.most.number - one.least.number));
  const place = scale(Math.min(...bars.map(({ least }) => least.number)), Math.max(...bars.map(({ most }) => most.number)));
  const table = element("table", { className: "rl-bars" });
  table.append(element("caption", {}, HEADINGS[bars[0].kind]));
  const head = table.createTHead().insertRow();
  head.append(...["Input", "", "Least", "Most"].map((text) => element(text ? "th" : "td", text ? { scope: "col" } : {}, text)));
  const body = table.createTBody();
  for (const { label, least, most } of bars) {
    const row = body.insertRow();
    row.append(element("th", { scope: "row" }, label), barFrom(place(least.number), place(here.number), place(most.number)), end(least), end(most));
  }
  return table;
}

function scale(low, high) {
  if (!(high > low)) return () => 0;
  if (low > 0 && high / low > WIDE) return (number) => Math.log(number / low) / Math.log(high / low);
  return (number) => (number - low) / (high - low);
}

function barFrom(least, here, most) {
  const track = element("span", { className: "rl-range" });
  for (const [name, from, to] of [["rl-less", least, here], ["rl-more", here, most]]) {
    const part = element("span", { className: name });
    Object.assign(part.style, { left: percent(from), width: percent(to - from) });
    track.append(part);
  }
  const cell = element("td", {}, track);
  cell.setAttribute("aria-hidden", "true");
  return cell;
}

const percent = (share) => `${(100 * share).toFixed(2)}%`;
const end = ({ text, said }) => element("td", {}, element("b", {}, text), " ", element("span", { className: "rl-was" }, said));
