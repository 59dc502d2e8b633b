// Formulas in, HTML with MathML out: {katex, formulas: [[tex, display]]} on stdin, [{html} | {error}] on stdout.
import { readFileSync } from "node:fs";

const { katex: path, formulas } = JSON.parse(readFileSync(0, "utf8"));
const { default: katex } = await import(path);

const rendered = formulas.map(([tex, displayMode]) => {
  try {
    return { html: katex.renderToString(tex, { displayMode, output: "htmlAndMathml", strict: "ignore" }) };
  } catch (error) {
    return { error: error.message };
  }
});
process.stdout.write(JSON.stringify(rendered));
