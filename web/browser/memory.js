// What a browser keeps: the scenario, for the visit; which calculator ran last, and light or dark. One that keeps nothing
// forgets. The head of a page (web/theme/main.html) asks for the last two before any module is here.

const KEY = "rooflines.scenario";
const RAN = "rooflines.ran";
const SCHEME = "rooflines.scheme";

export const noteRun = (worker) => note(RAN, worker);
export const noteScheme = (scheme) => note(SCHEME, scheme);

function note(key, value) {
  try {
    if (value) localStorage.setItem(key, value);
    else localStorage.removeItem(key);
  } catch {
    // The next visit begins like the first.
  }
}

export function recall() {
  try {
    const kept = Object.entries(JSON.parse(sessionStorage.getItem(KEY) ?? "{}"));
    return new Map(kept.filter(([, value]) => ["number", "string"].includes(typeof value)));
  } catch {
    return new Map();
  }
}

export function remember(values) {
  try {
    if (values.size) sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(values)));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Storage is refused or full: the address still carries the scenario.
  }
}
