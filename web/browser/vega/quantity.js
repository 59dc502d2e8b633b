// A quantity as a person writes it: `show` of calc/quantities/units.py, held to it by tests/web/browser.

import { HALVES_UP, plain, RAISED } from "../number.js";

const DIGITS = 3;
const CLOCK = [[1e-6, 1e9, "ns"], [1e-3, 1e6, "µs"], [1, 1e3, "ms"], [120, 1, "s"], [7200, 1 / 60, "min"], [172800, 1 / 3600, "h"], [Infinity, 1 / 86400, "days"]];
const PREFIXES = [[1e18, "E"], [1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [0, ""]];
const LETTERS = [[1e15, 1e15, " quadrillion"], [1e12, 1e12, "T"], [1e9, 1e9, "B"], [1e7, 1e6, "M"], [0, 1, ""]];
const PREFIXED = new Set(["B", "B/s", "FLOP", "FLOP/s", "W"]);

export function show(value, unit = "") {
  if (unit === "$") return dollars(value);
  if (unit === "%") return `${readable(100 * value)}%`;
  if (unit === "x") return `${readable(value)}×`;
  if (unit === "s") return seconds(value);
  if (PREFIXED.has(unit)) return prefixed(value, unit);
  const number = short(value);
  return `${number} ${number === "1" ? unit.replace(/^([a-z-]+)s\b/, "$1") : unit}`.trimEnd();
}

// Plain, or with a power of ten where plain would be a wall of zeros.
function readable(value) {
  if (value === 0 || (Math.abs(value) >= 1e-5 && Math.abs(value) < 1e21)) return plain(value, DIGITS);
  const [mantissa, power] = value.toExponential(DIGITS - 1).split("e");
  return `${plain(Number(mantissa), DIGITS)} × 10${power.replace("+", "").replace(/[\d-]/g, (sign) => RAISED["0123456789-".indexOf(sign)])}`;
}

const size = (value) => Math.abs(Number((value * HALVES_UP).toExponential(DIGITS - 1)));

function short(value) {
  if (Math.abs(value) >= 1e21) return readable(value);
  const [, scale, letter] = LETTERS.find(([from]) => size(value) >= from);
  return readable(value / scale) + letter;
}

// Cents from one dollar to a hundred; else as many digits as any number has, and of parts of a dollar no fewer than cents.
function dollars(value) {
  if (value < 0) return `−${dollars(-value)}`;
  if (value >= 1e7 || value === 0) return `$${short(value)}`;
  const text = readable(value);
  const cents = value < 1 ? value >= 0.1 && text.length < "0.00".length : value < 100;
  return `$${cents ? (value * HALVES_UP).toFixed(2) : text}`;
}

function seconds(value) {
  if (value === 0) return "0 s";
  const [, factor, symbol] = CLOCK.find(([below]) => size(value) < below);
  return `${readable(value * factor)} ${symbol}`;
}

function prefixed(value, unit) {
  const [scale, prefix] = PREFIXES.find(([from]) => size(value) >= from);
  return `${readable(scale ? value / scale : value)} ${prefix}${unit}`;
}
