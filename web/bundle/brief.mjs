// Loaded before each of our scripts: an error that nothing catches is told in its own words. Node would quote the line
// of Pyodide that threw, which is a megabyte long.
process.on("uncaughtException", (error) => {
  console.error(String(error.message ?? error));
  process.exitCode = 1;
});
