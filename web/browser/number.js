// Numbers between people and the page: calc/quantities/parsing.py and units.py without units, held to it by
// tests/calc/quantities/number_cases.json.

const SCALES = {
  "": 1, k: 1e3, K: 1e3, M: 1e6, G: 1e9, B: 1e9, T: 1e12, P: 1e15, E: 1e18, b: 1e9, t: 1e12,
  thousand: 1e3, million: 1e6, billion: 1e9, trillion: 1e12, quadrillion: 1e15,
  Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50,
};
const SPACE = "[ \u00a0\u2009\u202f]";
const GROUPED = `[1-9][0-9]{0,2}(?:(?<mark>${SPACE}|[,_'’])[0-9]{3})(?:\\k<mark>[0-9]{3})*(?:\\.[0-9]*)?`;
const PLAIN = "[0-9]+\\.?[0-9]*|\\.[0-9]+";
export const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻";
const TO = `\\^[+-]?[0-9]+|[${RAISED}]+`;
const POWER = `[eE](?<e>[+-]?[0-9]+)|\\s*[×x*]\\s*10(?<ten>${TO})|(?<to>${TO})`;
const NUMBER = new RegExp(`^(?<sign>[+-]?)(?<digits>${GROUPED}|${PLAIN})(?:${POWER})?(?<suffix>[^]*)$`);

// The number that a person means, or NaN: "8k", "1e6", "1.5M", "200 000", "10⁶"; what could be meant in two ways is NaN.
export function parse(text) {
  const { suffix, ...parts } = NUMBER.exec(text.trim().replaceAll("−", "-"))?.groups ?? {};
  const scale = Object.hasOwn(SCALES, suffix?.trim()) ? SCALES[suffix.trim()] : NaN;
  const value = number(parts, scale);
  return Number.isFinite(value) ? value : NaN;
}

// A mantissa and a power of ten, or any number and its power. A decimal scale moves the point, so that 8.03B is exact.
function number({ sign, digits = "", e, ten, to }, scale) {
  const bare = digits.replace(new RegExp(`${SPACE}|[,_'’]`, "g"), "");
  const power = lowered(e ?? ten ?? to ?? "0");
  const [places, rest] = shift(scale);
  if (!to) return Number(`${sign}${bare}e${Number(power) + places}`) * rest;
  const size = Number(bare) === 10 ? Number(`1e${power}`) : Number(bare) ** Number(power);
  return (sign === "-" ? -size : size) * scale;
}

// By how many places a scale moves the decimal point, and the factor left: all of it if it is no power of ten.
function shift(scale) {
  const [mantissa, places] = scale.toExponential().split("e");
  return mantissa === "1" ? [Number(places), 1] : [0, scale];
}

const lowered = (text) => text.replace("^", "").replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]/g, (sign) => "0123456789-"[RAISED.indexOf(sign)]);

export const HALVES_UP = 1 + 1e-14; // by so little a number is larger before it is rounded, as in Python

// `value` to so many significant digits, with thousands separated and no exponent.
export function plain(value, digits = 3) {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const [mantissa, power] = (Math.abs(value) * HALVES_UP).toExponential(digits - 1).split("e");
  const zeros = power - digits + 1;
  const digit = mantissa.replace(".", "");
  const text = zeros < 0 ? Number(`${mantissa}e${power}`).toFixed(Math.min(-zeros, 100)) : digit + "0".repeat(zeros);
  const [whole, part = ""] = text.split(".");
  const kept = part.replace(/0+$/, "");
  return (value < 0 ? "−" : "") + whole.replace(/\B(?=(\d{3})+$)/g, ",") + (kept && `.${kept}`);
}

// The same from a billion on with a letter.
export function lettered(value, digits) {
  const [letter, size] = LETTERS.find(([, least]) => Math.abs(value) >= least) ?? ["", 1];
  return `${plain(value / size, digits)}${letter}`;
}

const LETTERS = [["T", 1e12], ["B", 1e9]];

// `value` to a few significant digits, as a number: where a slider stops.
export const rounded = (value, digits) => Number(value.toPrecision(digits));

// As short as it can be written and still be read back exactly: the form in which an address carries it.
export function compact(value) {
  const candidates = [["T", 1e12], ["B", 1e9], ["M", 1e6], ["k", 1e3]]
    .filter(([letter, size]) => Math.abs(value) >= size && parse(`${value / size}${letter}`) === value)
    .map(([letter, size]) => `${value / size}${letter}`);
  return [String(value).replace("+", ""), ...candidates].reduce((best, text) => (text.length < best.length ? text : best));
}
