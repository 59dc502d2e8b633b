// All that a browser keeps: the scenario, for the visit, and the place on the page that was left last; which calculator ran
// last and had its memory kept, whether the link is slow, and light or dark. One that keeps nothing forgets; the scenario
// then stays with the page, and goes along in the addresses of links. The head of a page asks for the place, for light or
// dark and for who ran before any module is here (plain/head.js).

const KEY = "rooflines.scenario";
const RAN = "rooflines.ran";
const SCHEME = "rooflines.scheme";
const KEPT = "rooflines.kept";
const SLOW = "rooflines.slow";
const PLACE = "rooflines.place";
let held = new Map();

export const noteKept = (runtime) => note(KEPT, runtime);
export const noteSlow = (slow) => note(SLOW, slow ? "1" : "");
export const noteRun = (worker) => note(RAN, worker);
export const notePlace = (place) => note(PLACE, JSON.stringify(place), () => sessionStorage);
export const noteScheme = (scheme) => note(SCHEME, scheme);

function note(key, value, storage = () => localStorage) {
  try {
    if (value) storage().setItem(key, value);
    else storage().removeItem(key);
  } catch {
    // The next visit begins like the first.
  }
}

// For which runtime the work of keeping has been done before, whatever became of it.
export const recallKept = () => noted(KEPT);
export const recallSlow = () => noted(SLOW) !== "";

function noted(key) {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

export function recall() {
  try {
    const kept = Object.entries(JSON.parse(sessionStorage.getItem(KEY) ?? "{}"));
    return new Map(kept.filter(([, value]) => ["number", "string"].includes(typeof value)));
  } catch {
    return held;
  }
}

export function remember(values) {
  held = values;
  try {
    if (values.size) sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(values)));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Storage is refused or full.
  }
}
