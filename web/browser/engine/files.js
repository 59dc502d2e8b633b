// Fetches the runtime's files side by side and says how many of their bytes have arrived.

export class Files {
  constructor(base, sizes, say) {
    this.base = base;
    this.sizes = sizes;
    this.total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
    this.loaded = 0;
    this.say = say;
  }

  address(name) {
    return new URL(name, this.base).href;
  }

  async get(name) {
    const response = await fetch(this.address(name));
    if (!response.ok) throw new Error(`The file ${name} could not be loaded (${response.status}).`);
    if (!this.say) return response;
    const counter = new TransformStream({
      transform: (chunk, out) => {
        this.count(chunk.byteLength);
        out.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(counter), { headers: response.headers });
  }

  arrived(name) {
    this.count(this.sizes[name]);
  }

  count(bytes) {
    this.loaded += bytes;
    this.say?.(this.loaded, this.total);
  }
}
