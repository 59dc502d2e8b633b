// Reads a pack that is decompressed (web/bundle/pack.py): a header of paths and sizes, then the files.

export async function unpack(plain) {
  const bytes = new Uint8Array(await new Response(plain).arrayBuffer());
  let start = 4 + new DataView(bytes.buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, start)));
  return header.map(([path, size]) => [path, bytes.subarray(start, (start += size))]);
}

export function writeAll(FS, files) {
  const made = new Set();
  for (const [path, data] of files) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(folder)) FS.mkdirTree(folder);
    made.add(folder);
    FS.writeFile(path, data, { canOwn: true });
  }
}
