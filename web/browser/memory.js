// The scenario that the reader carries through a visit; a browser that keeps nothing simply forgets it.

const KEY = "rooflines.scenario";

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
