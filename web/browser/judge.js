// A reader's answer to an exercise: how far off it is, and which slip would explain it. The numbers, the ways of writing
// and the slips are those of calc (calc/figure/slips.py, calc/quantities/parsing.py); the page carries them in its form.

import { parse, plain } from "./number.js";

const ROUNDING = 1.005; // what numbers of three digits lose on the way
const SMALL = 1.1;
const RIGHT = 1.02; // slips.py's; the form says what is otherwise

// {state: "unread" | "right" | "wrong", sentence}
export function judge(asked, text) {
  const value = quantity(asked, text);
  if (!(value > 0)) return { state: "unread", sentence: `Write a number with its unit, such as ${asked.example}.` };
  const times = value / asked.value;
  const off = Math.max(times, 1 / times);
  if (off <= (asked.within ?? RIGHT)) return { state: "right", sentence: praise(asked, times) };
  return { state: "wrong", sentence: `${distance(times)}.${slip(asked.slips, times) ?? small(off)}` };
}

function praise({ estimate, within, text }, times) {
  if (!estimate) return `Right: ${text}.`;
  const off = Math.abs(Math.log(times)) < Math.log(1.02) ? "Yours is that" : `Yours is ${lowered(distance(times))}`;
  return `A good guess, within a factor of ${plain(within)}. It is ${text}. ${off}.`;
}

const lowered = (sentence) => sentence[0].toLowerCase() + sentence.slice(1);

// The number that a person means, in base units; NaN where no unit, or another one, was written.
export function quantity({ written, dollars }, text) {
  const bare = text.trim().replace("−", "-");
  const number = dollars ? bare.replace(/^\$\s?/, "") : bare;
  const way = Object.keys(written).sort((one, other) => other.length - one.length).find((each) => number.endsWith(each));
  return way === undefined ? NaN : parse(way ? number.slice(0, -way.length) : number) * written[way];
}

// The reach of a slip is slips.py's `reach`.
function slip(slips, times) {
  const size = (factor) => Math.abs(Math.log(factor));
  const near = (factor) => size(times / factor) < Math.min(size(1.025), size(factor) / 5);
  const found = slips.find(([, ...factors]) => factors.some(near));
  return found && ` ${found[0]}`;
}

function small(off) {
  if (off > SMALL) return "";
  return ` Rounding to three digits explains ${off > ROUNDING ? "less: a small part may be left out" : "it"}.`;
}

function distance(times) {
  const off = times > 1 ? "too much" : "too little";
  if (times < 1.5 && times > 0.67) return `${plain(100 * Math.abs(times - 1), 2)}% ${off}`;
  return `${plain(Math.max(times, 1 / times), 2)} times ${off}`;
}
