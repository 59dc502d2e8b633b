// Fetches the runtime's files side by side and says how many of their bytes have arrived, to whoever wants to know.

const WASM = { "Content-Type": "application/wasm" };

export class Files {
  constructor(base, sizes, attempt, say) {
    Object.assign(this, { base, sizes, attempt, say });
    this.total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
    this.loaded = 0;
  }

  async get(name) {
    const response = await fetch(new URL(name, this.base));
    if (!response.ok) throw new Error(`The file ${name} could not be loaded (${response.status}).`);
    if (this.say) return new Response(response.body.pipeThrough(this.counter()), { headers: WASM });
    // Some hosts do not know the type that a browser wants of what it compiles while it arrives.
    const typed = response.headers.get("Content-Type") === WASM["Content-Type"];
    return typed ? response : new Response(response.body, { headers: WASM });
  }

  counter() {
    const transform = (chunk, out) => {
      this.count(chunk.byteLength);
      out.enqueue(chunk);
    };
    return new TransformStream({ transform });
  }

  // A browser remembers that a module could not be loaded; only another address asks again.
  async script(name) {
    const again = this.attempt > 1 ? `?${this.attempt}` : "";
    await import(new URL(name + again, this.base).href);
    this.count(this.sizes[name]);
  }

  count(bytes) {
    this.loaded += bytes;
    this.say?.(this.loaded, this.total);
  }
}
