// Lines of a live chart, read at one place: where the pointer is, where a finger taps, or where a slider stands
// that keys move and that screen readers speak. It is on the page for nobody else.

import { element } from "../elements.js";
import { heightAt, linesOf, stopsOf } from "./lines.js";
import { show } from "./quantity.js";

export class Reading {
  // `box` holds the drawings; `label` is the name of the figure.
  constructor(box, label) {
    Object.assign(this, { box, label });
    this.rule = element("div", { className: "rl-read-at" });
    this.said = element("div", { className: "rl-read-off" });
    this.over = element("div", { className: "rl-read-over", hidden: true, ariaHidden: "true" }, this.rule, this.said);
    this.slider = element("input", { type: "range", className: "rl-reader", min: 0, step: 1 });
    for (const kind of ["input", "focus"]) this.slider.addEventListener(kind, () => this.show());
    this.slider.addEventListener("focus", () => box.toggleAttribute("data-read", this.slider.matches(":focus-visible")));
    this.slider.addEventListener("blur", () => this.leave());
    box.addEventListener("pointermove", (event) => event.pointerType === "mouse" && this.point(event));
    box.addEventListener("pointerleave", () => this.slider.matches(":focus") || this.hide());
    box.addEventListener("click", (event) => this.point(event));
    this.away = ({ type, key, target }) => (type === "keydown" ? key === "Escape" : !box.contains(target)) && this.hide();
    for (const kind of AWAY) document.addEventListener(kind, this.away);
    box.append(this.over);
    box.after(this.slider);
  }

  // `plot` is the group of the drawing whose places are those of the marks.
  of(view, spec, plot) {
    const before = this.over.hidden ? undefined : this.at;
    Object.assign(this, { view, plot, axes: spec.usermeta });
    this.lines = linesOf(view, spec);
    this.stops = stopsOf(this.lines, view.width());
    this.slider.hidden = !this.stops.length;
    if (this.slider.hidden) return this.hide();
    this.slider.max = this.stops.length - 1;
    this.slider.setAttribute("aria-label", `Read ${this.label}, along: ${this.axes.x.name}`);
    this.slider.value = this.nearest(before ?? view.width() / 2);
    if (before === undefined) this.say(this.rows());
    else this.show();
  }

  point({ clientX, clientY }) {
    if (!this.stops.length) return;
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.plot.getScreenCTM().inverse());
    if (x < -EDGE || x > this.view.width() + EDGE || y < 0 || y > this.view.height()) return this.hide();
    this.slider.value = this.nearest(x);
    this.show();
  }

  // The place along the axis at which the slider stands.
  get at() {
    return this.stops[Number(this.slider.value)];
  }

  nearest(x) {
    return this.stops.reduce((best, stop, at) => (Math.abs(stop - x) < Math.abs(this.stops[best] - x) ? at : best), 0);
  }

  // The place, and each line there, as they lie from top to bottom.
  rows() {
    const x = this.at;
    const { x: along, y: up } = this.axes;
    const value = (name, place) => this.view.scale(name).invert(place);
    const passing = this.lines.map((line) => ({ ...line, y: heightAt(line, x) })).filter(({ y }) => y !== undefined);
    passing.sort((one, other) => one.y - other.y);
    return [
      { text: `${along.name}: ${show(value("x", x), along.unit)}` },
      ...passing.map(({ name, color, y }) => ({ color, y, text: `${name ?? up.name}: ${show(value("y", y), up.unit)}` })),
    ];
  }

  say(rows) {
    this.slider.setAttribute("aria-valuetext", rows.map(({ text }) => text).join("; "));
  }

  show() {
    const rows = this.rows();
    this.say(rows);
    this.said.replaceChildren(...rows.map(({ text, color }) => row(text, color)));
    this.over.hidden = false;
    this.place(this.at, rows.slice(1));
  }

  // The box of words stands beside the rule where there is room, and at the end of it that lines leave free.
  place(x, passing) {
    const outer = this.box.getBoundingClientRect();
    const [top, foot] = [0, this.view.height()].map((y) => new DOMPoint(x, y).matrixTransform(this.plot.getScreenCTM()));
    const left = top.x - outer.left;
    const [above, below] = [top.y - outer.top, outer.bottom - foot.y];
    Object.assign(this.rule.style, { left: `${left}px`, top: `${above}px`, bottom: `${below}px` });
    const late = left > outer.width / 2;
    const high = passing.filter(({ y }) => y < this.view.height() / 2).length > passing.length / 2;
    Object.assign(this.said.style, {
      left: late ? "" : `${left + GAP}px`,
      right: late ? `${outer.width - left + GAP}px` : "",
      top: high ? "" : `${above}px`,
      bottom: high ? `${below}px` : "",
    });
  }

  leave() {
    this.box.removeAttribute("data-read");
    this.hide();
  }

  hide() {
    this.over.hidden = true;
  }

  close() {
    for (const kind of AWAY) document.removeEventListener(kind, this.away);
    this.over.remove();
    this.slider.remove();
  }
}

function row(text, color) {
  const made = element(color ? "span" : "b", {}, text);
  if (color) made.style.setProperty("--rl-line", color);
  return made;
}

const AWAY = ["pointerdown", "keydown"];
const EDGE = 12; // pixels beside the plot in which its first and last place are still meant
const GAP = 10; // between the rule and the words
