// One declared input without any page: what it takes, how its value is written, and the steps of its slider.

import { compact, lettered, parse, plain, rounded } from "./number.js";

const PER_DECADE = 20;
const NEAR = 1e-4; // of the slider's length: the page gives its ends to six digits

// {value} if the text is what the input takes, else {error}: a sentence for the person who typed it.
export function read(declared, text) {
  const value = asItIs(declared) ? text : inUnit(text.trim(), declared);
  return accepts(declared, value) ? { value } : { error: refusal(declared) };
}

const asItIs = ({ kind }) => kind === "choice" || kind === "text";

export function accepts(declared, value) {
  if (declared.kind === "choice") return declared.options.some(([name]) => name === value);
  if (declared.kind === "text") return typeof value === "string" && value.length > 0 && value.length <= declared.most;
  return value >= declared.low && value <= declared.high && (!declared.integer || Number.isInteger(value));
}

export const refusal = ({ label, options, expects = `one of ${options.map(([name]) => name).join(", ")}` }) => `${label} takes ${expects}.`;

// 30 of "30%", 2 of "$2", and 5000 of "5 ms" in µs: a unit of the same kind is converted.
function inUnit(text, { unit = "", one }) {
  const bare = unit.startsWith("$") ? text.replace(/^([+−-]?)\$ ?/, "$1") : text;
  const [first] = unit.split(" ");
  const same = SAME.find((ways) => Object.hasOwn(ways, first)) ?? {};
  const own = same[first] ?? 1;
  const ways = [...Object.entries(same), [unit, own], [one, own]];
  const [way, worth] = ways.find(([each]) => each && bare.endsWith(each)) ?? ["", own];
  return (parse(bare.slice(0, bare.length - way.length)) * worth) / own;
}

// Units of a kind, with what each is worth, as in calc/figure/inputs.py; one that ends like another stands before it.
const SAME = [
  { minutes: 6e10, min: 6e10, hours: 3.6e12, h: 3.6e12, ns: 1, µs: 1e3, μs: 1e3, us: 1e3, ms: 1e6, s: 1e9 },
  { kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, B: 1 },
  { "Gb/s": 1.25e8, "Tb/s": 1.25e11, "MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12 },
  { "$/chip-hour": 1, "/chip-hour": 1, "$/hour": 1, "/hour": 1, "$/h": 1, "/h": 1, $: 1 },
  { billion: 1e9, B: 1e9, trillion: 1e12, T: 1e12 },
  { "%": 1 },
  { x: 1, "×": 1 },
];

// As it stands in the box: from a billion on with a letter, because no box is wide enough for the zeros.
export function inBox(declared, value) {
  return asItIs(declared) ? value : lettered(value, 12);
}

// As a sentence says it; `one` is the unit after the number 1, where that is another word.
export function inWords(declared, value) {
  if (declared.kind === "choice") return declared.options.find(([name]) => name === value)?.[1] ?? value;
  if (declared.kind === "text") return value.length > SHORT ? `${value.slice(0, SHORT)}…` : value;
  const unit = (value === 1 && declared.one) || declared.unit;
  return `${plain(value, 12)}${/^[%×x]$/.test(unit) || !unit ? "" : " "}${unit}`;
}

const SHORT = 40; // characters of a text that a sentence repeats

// As the address carries it.
export const inAddress = (value) => (typeof value === "number" ? compact(value) : value);

export const toSlider = (declared, value) => (declared.log ? Math.log10(value) : value);

// The value under the slider's handle: three digits are enough, and the ends are exactly the ends.
export function fromSlider(declared, place) {
  const [first, last] = [declared.low, declared.high].map((end) => toSlider(declared, end));
  if (place - first < NEAR * (last - first)) return declared.low;
  if (last - place < NEAR * (last - first)) return declared.high;
  const value = declared.log ? rounded(10 ** place, 3) : rounded(place, 12);
  return within(declared, declared.integer ? Math.round(value) : value);
}

const within = ({ low, high }, value) => Math.min(Math.max(value, low), high);

// Where a key takes a slider: with shift, finely. On a logarithmic one arrows go a twentieth of a decade and page keys a
// doubling, always to round numbers; on others the browser knows how far.
export function stepped(declared, value, key, finely = false) {
  const factor = STEPS[key];
  if (finely && factor) return finer(declared, value, Math.sign(Math.log(factor)));
  if (!declared.log || !factor) return undefined;
  const direction = Math.sign(Math.log(factor));
  let next = rounded(value * factor, 2);
  if (declared.integer) next = Math.round(next);
  const still = direction > 0 ? next <= value : next >= value;
  return within(declared, still && declared.integer ? value + direction : next);
}

// To the next multiple of a unit in the third digit of the value, or of a thousandth of a level range.
function finer(declared, value, direction) {
  const { low, high, log, integer } = declared;
  const unit = log ? 10 ** (Math.floor(Math.log10(value)) - 2) : 10 ** (Math.floor(Math.log10(high - low)) - 3);
  const step = integer ? Math.max(1, unit) : unit;
  const at = value / step;
  const next = direction > 0 ? Math.floor(at + NEAR) + 1 : Math.ceil(at - NEAR) - 1;
  return within(declared, rounded(next * step, 12));
}

const ARROW = 10 ** (1 / PER_DECADE);
const STEPS = {
  ArrowRight: ARROW, ArrowUp: ARROW, ArrowLeft: 1 / ARROW, ArrowDown: 1 / ARROW, PageUp: 2, PageDown: 1 / 2,
};
