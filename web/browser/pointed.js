// A chart whose marks stand for what an input names: pointing at one sets that input, as its slider and its box do.

const NEAR = 18; // pixels to the nearest mark at which that one is meant
const GONE = 60; // milliseconds between two looks while the pointer moves

export class Pointed {
  // `field` is the input, `chart` the live chart; the column that says the input's value has the input's name.
  constructor(field, chart, begin) {
    Object.assign(this, { field, chart, begin, then: 0 });
    const { element } = chart;
    element.classList.add("rl-pointed");
    element.addEventListener("pointermove", (event) => event.pointerType === "mouse" && this.look(event));
    element.addEventListener("pointerdown", (event) => this.press(event));
  }

  // A mouse names what it rests near; a finger what it touches.
  look(event) {
    if (event.timeStamp - this.then < GONE) return;
    this.then = event.timeStamp;
    this.point(event);
  }

  press(event) {
    this.begin();
    this.point(event);
  }

  point({ clientX, clientY }) {
    const value = this.chart.nearest(this.field.declared.name, clientX, clientY, NEAR);
    if (value !== undefined && value !== this.field.value) this.field.put(value);
  }
}
