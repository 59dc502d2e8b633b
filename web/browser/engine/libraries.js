// Python opens numpy's libraries as files: hand over the modules that are compiled already.
export function linkWhenImported(FS, compiled) {
  const ordinary = FS.readFile;
  for (const path of compiled.keys()) FS.writeFile(path, new Uint8Array(0));
  FS.readFile = (path, options) => compiled.get(path) ?? ordinary.call(FS, path, options);
}
