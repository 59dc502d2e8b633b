// Leaves out of Pyodide's script what no page can ask for: Emscripten puts all of its library in, SDL, WebGL and sound too.
// Argument: one JSON object {acorn: file, given: file, imports: [name], user: file, made}: names that the WebAssembly imports, and
// a script that uses Pyodide's module. Whatever these name stays, and what that names in turn; all of it is as it was.
import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const EXPORTED = /^(?:var \w+=)?Module\["(\w+)"\]=/;
const TOLD = new Set(["sig", "stub", "isAsync"]); // what the script notes of a function of its own
const WORD = /\w+/g;

const { acorn, given, imports, user, made } = JSON.parse(process.argv[2]);
const { parse } = await import(pathToFileURL(acorn));
const text = await readFile(given, "utf-8");
const imported = new Set(imports);
const statements = factory(parse(text, { ecmaVersion: "latest" })).body.body;
const table = statements.find((each) => each.declarations?.[0].id.name === "wasmImports");
const entries = table.declarations[0].init.properties;

// Statements wait until something names them: by a name of the script, or, with a dot in front, as a word of its module.
const waiting = new Map();
const wait = (key, each) => waiting.set(key, [...(waiting.get(key) ?? []), each]);
const due = [];
for (const each of statements) {
  const name = exported(each);
  if (each === table) due.push(...entries.filter(({ key }) => imported.has(key.name ?? key.value)).map(({ value }) => value));
  else if (name) wait(`.${name}`, each);
  if (each === table || (name && !own(each))) continue;
  if (own(each)) wait(own(each), each);
  else due.push(each);
}
const kept = new Set([table]);
for (const word of new Set((await readFile(user, "utf-8")).match(WORD))) due.push(...(waiting.get(`.${word}`) ?? []));
while (due.length) {
  const node = due.pop();
  if (kept.has(node)) continue;
  kept.add(node);
  for (const name of named(node)) {
    due.push(...(waiting.get(name) ?? []));
    waiting.delete(name);
  }
}
const gone = [...statements.filter((each) => !kept.has(each)), ...entries.filter(({ value }) => !kept.has(value))];
await writeFile(made, without(text, gone));

// The function that makes the module, whatever stands around it.
function factory(node) {
  if (node?.type === "FunctionExpression" && node.params[0]?.left?.name === "moduleArg") return node;
  for (const child of children(node)) {
    const found = factory(child);
    if (found) return found;
  }
  return undefined;
}

function children(node) {
  return Object.values(node ?? {}).flat().filter((each) => each && typeof each === "object");
}

// The word under which a statement puts something into the module and does no more.
function exported(each) {
  return EXPORTED.exec(text.slice(each.start, each.end))?.[1];
}

// The name that a statement gives, or of which it tells something, if it does no more than that.
function own({ type, id, declarations, expression }) {
  if (type === "FunctionDeclaration") return id.name;
  if (type === "VariableDeclaration" && declarations.length === 1 && idle(declarations[0].init)) return declarations[0].id.name;
  const { left } = expression ?? {};
  return left?.type === "MemberExpression" && TOLD.has(left.property.name) ? left.object.name : undefined;
}

// Whether nothing happens when it is evaluated.
function idle(node) {
  const { type, properties, elements, argument, left, right } = node ?? { type: "Literal" };
  if (type === "ObjectExpression") return properties.every((each) => !each.computed && each.value && idle(each.value));
  if (type === "ArrayExpression") return elements.every(idle);
  if (type === "UnaryExpression") return idle(argument);
  if (type === "AssignmentExpression") return left.object?.name === "Module" && idle(right);
  if (type === "MemberExpression") return node.object.type === "Identifier" && (!node.computed || node.property.type === "Literal");
  return ["ArrowFunctionExpression", "FunctionExpression", "Identifier", "Literal"].includes(type);
}

// Names of the script that a part of it uses, and with a dot in front the words by which it may ask for something else.
function* named(node) {
  if (node.type === "Identifier") yield* [node.name, `.${node.name}`];
  if (typeof node.value === "string") for (const word of node.value.match(WORD) ?? []) yield `.${word}`;
  for (const child of children(node)) yield* named(child);
}

function without(text, parts) {
  const pieces = [];
  let at = 0;
  for (const { start, end } of parts.sort((a, b) => a.start - b.start)) {
    pieces.push(text.slice(at, start));
    at = /[,;]/.test(text[end]) ? end + 1 : end;
  }
  return [...pieces, text.slice(at)].join("");
}
