// The table of the runtime's files, which the build fills in (web/bundle/engine.py):
//   id         changes whenever any file does
//   script, wasm, packs: [name], libraries: [{path, file}]
//   small      the same with modules that come packed: smaller, and later compiled
//   whole      the same with the functions that the others lack (web/bundle/calls.py)
//   lectures   by lecture, the pack of what only its figures need, and its sizes: {file, size}
//   apart      by room of calc, the pack of what some figures rest on besides, alike
//   lock       what Pyodide asks to know about its own release
//   sizes      of each file by name, its bytes and those of them that travel compressed
export const runtime = globalThis.ROOFLINES_RUNTIME;
