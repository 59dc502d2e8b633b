// A mark's outline, put where the mark stands: each point of it lies as far from there as it did from the origin.

import assert from "node:assert/strict";
import { test } from "node:test";
import { placed } from "../../../web/browser/vega/outline.js";

const CASES = {
  circle: ["M2.5,0A2.5,2.5,0,1,1,-2.5,0A2.5,2.5,0,1,1,2.5,0", "M102.5,20a2.5,2.5,0,1,1,-5,0a2.5,2.5,0,1,1,5,0"],
  square: ["M-2,-2h4v4h-4Z", "M98,18h4v4h-4z"],
  triangle: ["M0,-2L2,2L-2,2Z", "M100,18l2,4l-4,0z"],
  cross: ["M-1,0L1,0ZM0,-1L0,1Z", "M99,20l2,0zm1,-1l0,2z"],
  line: ["M-1e-16,0L1.234567,0", "M100,20l1.23,0"],
};

for (const [name, [outline, expected]] of Object.entries(CASES)) {
  test(name, () => assert.equal(placed(outline, 100, 20), expected));
}
