// Compiles the modules of archives that can be imported, by Pyodide under Node:
//     node compile_bytecode.mjs PYODIDE_FOLDER RESULTS_FOLDER ENTRANCES ARCHIVE...
// ENTRANCES is a text file with the name of a module on each line.
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { argv } from "node:process";
import { pathToFileURL } from "node:url";

const [pyodideFolder, resultsFolder, entrancesFile, ...archives] = argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(pyodideFolder, "pyodide.mjs")).href);
const { FS, runPython } = await loadPyodide({
  indexURL: pyodideFolder,
  // Some bytecode depends on the order of a set, which follows from the seed. Without the columns
  // of each instruction, a traceback shows a line without underlining a part of it.
  env: { PYTHONHASHSEED: "0", PYTHONNODEBUGRANGES: "1" },
});
// Mounting the host's folders would be shorter, but every user may write to the files that
// Pyodide writes into a mount.
FS.mkdir("/sources");
FS.mkdir("/results");
for (const archive of archives) {
  FS.writeFile(`/sources/${basename(archive)}`, await readFile(archive));
}
// In the working directory, where Python looks first.
const ownFolder = "build_steps/runtime";
FS.mkdirTree(ownFolder);
for (const name of ["archive_bytecode.py", "reachable_modules.py"]) {
  FS.writeFile(`${ownFolder}/${name}`, await readFile(new URL(name, import.meta.url)));
}
FS.writeFile("/entrances", await readFile(entrancesFile));
const complaints = runPython(`
from pathlib import Path
from build_steps.runtime.archive_bytecode import compile_archives
compile_archives("/sources", "/results", Path("/entrances").read_text().split())
`);
for (const complaint of complaints) {
  console.log(complaint);
}
for (const archive of archives) {
  const name = basename(archive);
  await writeFile(join(resultsFolder, name), FS.readFile(`/results/${name}`));
}
