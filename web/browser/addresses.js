// Where the page finds what it loads late; both lie beside this file.

export const worker = new URL("./worker.js", import.meta.url);
export const vega = new URL("./vega.js", import.meta.url);
