// A reading of a drawn chart is what was drawn: every line, at every place where it has a point and between them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { rows } from "../../../web/browser/chart.js";
import { heightAt, linesOf, stopsOf } from "../../../web/browser/vega/lines.js";
import { show } from "../../../web/browser/vega/quantity.js";

const drawn = JSON.parse(readFileSync(process.env.DRAWN, "utf8"));
const { View, parse, expressionInterpreter } = await import(process.env.VEGA);

test("quantities are written as Python writes them", () => {
  const cases = JSON.parse(process.env.SHOWN);
  assert.ok(cases.length > 500);
  for (const [value, unit, text] of cases) assert.equal(show(value, unit), text, `${value} in ${unit}`);
});

test("a line is read between its points as it is drawn", () => {
  const points = [{ x: 0, y: 0 }, { x: 10, y: 20 }, { x: 20, y: 20, gap: true }, { x: 30, y: 0 }];
  assert.equal(heightAt({ points }, 5), 10);
  assert.equal(heightAt({ points }, 15), undefined);
  assert.equal(heightAt({ points }, 40), undefined);
  assert.equal(heightAt({ points, steps: true }, 5), 0);
  assert.equal(heightAt({ points, steps: true }, 10), 20);
  assert.deepEqual(stopsOf([{ points }, { points: [{ x: 5.01, y: 0 }, { x: -3, y: 0 }] }], 25), [0, 5, 10]);
});

for (const { name, spec, tables } of drawn) {
  test(`the lines of ${name} are what its tables say`, async () => {
    const view = new View(parse(spec, null, { ast: true }), { expr: expressionInterpreter, renderer: "none" });
    for (const { name: table } of spec.data) if (tables[table]) view.data(table, rows(tables[table]));
    await view.runAsync();
    const lines = linesOf(view, spec);
    assert.ok(lines.length);
    const numbers = Object.values(tables).flatMap(Object.values).flat().filter((cell) => typeof cell === "number");
    const isThere = (number) => numbers.some((cell) => Math.abs(cell - number) <= 1e-9 * Math.abs(number));
    const [x, y] = ["x", "y"].map((each) => view.scale(each));
    let read = 0;
    for (const stop of stopsOf(lines, view.width())) {
      for (const line of lines) {
        const height = heightAt(line, stop);
        if (height === undefined) continue;
        const texts = [show(x.invert(stop), spec.usermeta.x.unit), show(y.invert(height), spec.usermeta.y.unit)];
        for (const text of texts) assert.doesNotMatch(text, /NaN|undefined|Infinity/);
      }
    }
    for (const line of lines) {
      assert.ok(lines.length === 1 || line.name, "a line among several has a name");
      for (const point of line.points.filter(({ gap, x: place }) => !gap && place >= 0 && place <= view.width())) {
        assert.ok(isThere(y.invert(point.y)), `${line.name}: ${y.invert(point.y)}`);
        read += 1;
      }
    }
    assert.ok(read > 1);
  });
}
