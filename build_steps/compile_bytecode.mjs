// Has Pyodide compile archives, under Node:
//     node compile_bytecode.mjs PYODIDE_FOLDER RESULTS_FOLDER ARCHIVE...
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { argv } from "node:process";
import { pathToFileURL } from "node:url";

const [pyodideFolder, resultsFolder, ...archives] = argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(pyodideFolder, "pyodide.mjs")).href);
const { FS, runPython } = await loadPyodide({
  indexURL: pyodideFolder,
  // Some bytecode tells the order of a set, which follows from the seed.
  env: { PYTHONHASHSEED: "0" },
});
// Mounts of the host's folders would be shorter, but what Pyodide writes into
// one is writable by everybody.
FS.mkdir("/sources");
FS.mkdir("/results");
for (const archive of archives) {
  FS.writeFile(`/sources/${basename(archive)}`, await readFile(archive));
}
// Into the working directory, where Python looks first.
const module = await readFile(new URL("archive_bytecode.py", import.meta.url));
FS.writeFile("archive_bytecode.py", module);
const complaints = runPython(
  'from archive_bytecode import compile_archives\ncompile_archives("/sources", "/results")',
);
for (const complaint of complaints) {
  console.log(complaint);
}
for (const archive of archives) {
  const name = basename(archive);
  await writeFile(join(resultsFolder, name), FS.readFile(`/results/${name}`));
}
