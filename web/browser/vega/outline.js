// The outline of a mark, as Vega draws it around the origin, put where the mark stands.

const STEPS = /([MLAhvZ])([^MLAhvZ]*)/g;
const known = new Map();

export function placed(outline, x, y) {
  if (!known.has(outline)) known.set(outline, relative(outline));
  const { from, rest } = known.get(outline);
  return `M${short(x + from[0])},${short(y + from[1])}${rest}`;
}

// The place where an outline begins, and its way from there on, wherever that is.
function relative(outline) {
  const [[, , first], ...steps] = outline.matchAll(STEPS);
  const from = numbers(first);
  let [here, begun] = [from, from];
  const rest = steps.map(([, step, written]) => {
    const given = numbers(written);
    if (step === "Z") here = begun;
    if (step === "Z") return "z";
    const to = { h: [here[0] + given[0], here[1]], v: [here[0], here[1] + given[0]] }[step] ?? given.slice(-2);
    const told = [...given.slice(0, -2), to[0] - here[0], to[1] - here[1]].map(short).join(",");
    here = to;
    if (step === "M") begun = to;
    return step === "h" || step === "v" ? step + written : step.toLowerCase() + told;
  });
  return { from, rest: rest.join("") };
}

const numbers = (written) => written.split(",").filter(Boolean).map(Number);
const short = (number) => Math.round(number * 100) / 100;
