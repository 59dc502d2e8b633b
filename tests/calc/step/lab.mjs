import { readFileSync } from "node:fs";
const [, , folder] = process.argv;
const { initSync, run_simulation } = await import(`${folder}/inference_lab.js`);
initSync({ module: readFileSync(`${folder}/inference_lab_bg.wasm`) });
const found = JSON.parse(readFileSync(0)).map((config) => run_simulation(JSON.stringify(config)));
const plain = (_, value) => (value instanceof Map ? Object.fromEntries(value) : value);
console.log(JSON.stringify(found.map((each) => JSON.parse(JSON.stringify(each, plain)).metrics.per_token_mean)));
