// The page's scripts are modules whose imports are there: each is read and linked to those that it names, and none is run.

import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { SourceTextModule } from "node:vm";

const read = new Map();

function at(path) {
  if (!read.has(path)) read.set(path, new SourceTextModule(readFileSync(path, "utf8"), { identifier: path }));
  return read.get(path);
}

for (const entry of process.argv.slice(2)) {
  await at(resolve(entry)).link((name, from) => at(resolve(dirname(from.identifier), name)));
}
console.log(read.size);
