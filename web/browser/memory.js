// What a browser keeps: the scenario, for the visit, and which calculator ran last. One that keeps nothing forgets.

const KEY = "rooflines.scenario";
const RAN = "rooflines.ran";

// The head of a page asks for this before any module is here.
export function noteRun(worker) {
  try {
    localStorage.setItem(RAN, worker);
  } catch {
    // The next visit waits for a sign, like the first.
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
