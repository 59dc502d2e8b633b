// Tables that are the same whenever their key is: they come once, and stand in every answer that names the key again.

export class Steady {
  kept = new Map();

  // Keys of the tables that are here already, for a request to say.
  get known() {
    if (!this.kept.size) return {};
    return { known: Object.fromEntries([...this.kept].map(([name, tables]) => [name, [...tables.keys()]])) };
  }

  // Keeps the tables that came with an answer, and puts in those that stayed away.
  complete({ steady = {}, tables }) {
    for (const [name, key] of Object.entries(steady)) {
      if (!this.kept.has(name)) this.kept.set(name, new Map());
      const kept = this.kept.get(name);
      if (tables[name]) kept.set(key, tables[name]);
      tables[name] = kept.get(key);
    }
  }
}
