// Fetches the runtime's files side by side, lets through only what the build made, and says how many bytes have come, to
// whoever wants to know.

import { check, cut, fetched, renew } from "../sound.js";

const WASM = { "Content-Type": "application/wasm" };
let imports = 0;

export class Files {
  // `sizes`: of each file, its bytes and those of them that travel where the host compresses.
  constructor(base, sizes, say) {
    Object.assign(this, { base, sizes, say });
    this.travels = new Map(Object.entries(sizes).map(([name, [, packed]]) => [name, packed]));
    this.come = new Map();
  }

  // The result of `use` on a file while it arrives. A file that does not come, or not as it was made, is asked for once
  // more, past what the browser keeps.
  take(name, use) {
    const address = new URL(name, this.base).href;
    return this.once(name, address, use).catch(() => this.once(name, address, use, true));
  }

  // Whoever waits for bytes has them checked. A reader who comes back has what was checked before, and its code
  // compiled already.
  async once(name, address, use, again) {
    const response = await fetched(address, again);
    if (!this.say && !again) return use(typed(response));
    this.expect(name, response.headers);
    const copy = response.clone(); // by the browser: half a stream of ours, left behind, blocks Firefox's compiler for good
    const made = use(typed(response));
    made.catch(() => {}); // damaged bytes are named by what reads them
    const bytes = await this.collect(name, copy.body).catch((error) => {
      throw cut(address, error);
    });
    await check(address, bytes);
    return made;
  }

  // A host that says how long its answer is means what travels.
  expect(name, headers) {
    const [plain, packed] = this.sizes[name];
    const length = Number(headers.get("Content-Length"));
    this.travels.set(name, length || (headers.get("Content-Encoding") ? packed : plain));
    this.come.set(name, 0);
  }

  async collect(name, stream) {
    const [plain] = this.sizes[name];
    const share = this.travels.get(name) / plain;
    const chunks = [];
    for (const reader = stream.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) return new Blob(chunks).arrayBuffer();
      chunks.push(value);
      this.count(name, value.byteLength * share);
    }
  }

  // A browser remembers that a module could not be loaded; under another fragment it is asked for once more.
  async script(name) {
    const address = new URL(name, this.base).href;
    await import(address).catch(async () => {
      await renew(address);
      imports += 1;
      await import(`${address}#${imports}`);
    });
    this.count(name, this.travels.get(name));
  }

  count(name, bytes) {
    this.come.set(name, (this.come.get(name) ?? 0) + bytes);
    this.say?.(Math.round(sum(this.come)), Math.round(sum(this.travels)));
  }
}

const sum = (sizes) => [...sizes.values()].reduce((total, size) => total + size, 0);

// Some hosts do not know the type that a browser wants of what it compiles while it arrives.
function typed(response) {
  const known = response.headers.get("Content-Type") === WASM["Content-Type"];
  return known ? response : new Response(response.body, { headers: WASM });
}
