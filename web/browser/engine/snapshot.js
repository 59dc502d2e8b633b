// Takes Python's memory after everything is imported, and puts it back at a later visit.
//
// Pyodide's own snapshot holds the memory of the WebAssembly machine. The part of numpy's libraries outside it is taken
// here: which functions stand where in the table, and the addresses of the symbols that they share. They are loaded
// again at the places that the memory remembers. This rests on Emscripten's dynamic linking as it is in the pinned
// Pyodide; if any step fails, the caller starts Python the plain way.

const HANDLE = { memory: 12, memorySize: 16, table: 20, tableSize: 24 };
const MAIN = "__main__";

export function take(pyodide) {
  const { LDSO, GOT, HEAPU32, wasmTable } = pyodide._module;
  const libraries = Object.entries(LDSO.loadedLibsByHandle)
    .filter(([, library]) => library.name !== MAIN)
    .map(([handle, { name, global }]) => {
      const at = (offset) => HEAPU32[(Number(handle) + offset) >>> 2];
      const place = Object.fromEntries(Object.entries(HANDLE).map(([key, offset]) => [key, at(offset)]));
      return { handle: Number(handle), name, global, ...place };
    })
    .sort((a, b) => a.table - b.table);
  const owners = new Map();
  for (const { name, exports } of Object.values(LDSO.loadedLibsByName)) {
    for (const [symbol, value] of Object.entries(exports)) if (typeof value === "function") owners.set(value, [name, symbol]);
  }
  const inside = (slot) => libraries.some(({ table, tableSize }) => slot >= table && slot < table + tableSize);
  const slots = [];
  for (let slot = libraries[0].table; slot < wasmTable.length; slot++) {
    const entry = inside(slot) ? null : wasmTable.get(slot);
    if (entry && !owners.has(entry)) throw new Error(`No library owns the function at ${slot}.`);
    if (entry) slots.push([slot, ...owners.get(entry)]);
  }
  const symbols = Object.fromEntries(Object.entries(GOT).map(([name, { value }]) => [name, value]));
  return { memory: pyodide.makeMemorySnapshot(), links: { libraries, slots, symbols, tableLength: wasmTable.length } };
}

export function putBack(pyodide, { memory, links }, compiled) {
  const { GOT, HEAPU8, LDSO, wasmTable, setWasmTableEntry, updateTableMap, getFunctionAddress } = pyodide._module;
  const first = links.libraries[0].table;
  if (wasmTable.length > first) throw new Error("The table of functions is longer than it was.");
  wasmTable.grow(links.tableLength - wasmTable.length);
  for (const library of links.libraries) loadAgain(pyodide._module, library, compiled.get(library.name));
  const heap = memory.subarray(new Uint32Array(memory.buffer, memory.byteOffset, 2)[1]);
  for (const { memory: from, memorySize } of links.libraries) HEAPU8.set(heap.subarray(from, from + memorySize), from);
  for (const [slot, name, symbol] of links.slots) setWasmTableEntry(slot, LDSO.loadedLibsByName[name].exports[symbol]);
  for (const [name, value] of Object.entries(links.symbols)) {
    GOT[name] ??= new WebAssembly.Global({ value: "i32", mutable: true });
    GOT[name].value = value;
  }
  getFunctionAddress(() => {}); // makes the map from functions to places, if there is none yet
  updateTableMap(first, wasmTable.length - first);
}

// The work of Emscripten at dlopen, but at given places and without running the library's own start, whose effects are
// in the memory already.
function loadAgain(Module, { handle, name, global, memory, table }, module) {
  const main = Module.LDSO.loadedLibsByName[MAIN].exports;
  let own = {};
  const late = (symbol) => {
    let found;
    return (...values) => (found ??= Module.resolveGlobalSymbol(symbol).sym ?? own[symbol])(...values);
  };
  const get = (made, symbol) => {
    if (symbol === "__memory_base") return memory;
    if (symbol === "__table_base") return table;
    if (symbol in main && !main[symbol].stub) return main[symbol];
    return (made[symbol] ??= late(symbol));
  };
  const env = new Proxy({}, { get });
  const shared = () => new Proxy({}, Module.GOTHandler);
  const imports = { env, wasi_snapshot_preview1: env, "GOT.mem": shared(), "GOT.func": shared() };
  const { exports } = new WebAssembly.Instance(module, imports);
  own = Object.fromEntries(Object.entries(exports).map(([symbol, value]) => [symbol, moved(value, memory)]));
  const library = Module.newDSO(name, handle, own);
  library.global = global;
  if (global) Module.mergeLibSymbols(own, name);
}

const moved = (value, by) => (value instanceof WebAssembly.Global ? value.value + by : value);
