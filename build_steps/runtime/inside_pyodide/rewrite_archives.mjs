// Rewrites archives of Python modules by a function that runs in Pyodide, under Node:
//     node rewrite_archives.mjs PYODIDE_FOLDER RESULTS_FOLDER MODULE:FUNCTION LINES ARCHIVE...
// The function gets a folder with the archives, one for the results, and the lines of the text file
// LINES; it returns sentences to print.
import { readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

const [pyodideFolder, resultsFolder, rewrite, linesFile, ...archives] = argv.slice(2);
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
const ownFolder = "build_steps/runtime/inside_pyodide";
const here = dirname(fileURLToPath(import.meta.url));
FS.mkdirTree(ownFolder);
for (const name of readdirSync(here).filter((name) => name.endsWith(".py"))) {
  FS.writeFile(`${ownFolder}/${name}`, await readFile(join(here, name)));
}
FS.writeFile("/lines", await readFile(linesFile));
const [module, name] = rewrite.split(":");
const complaints = runPython(`
from pathlib import Path
from ${module} import ${name} as rewrite
rewrite("/sources", "/results", Path("/lines").read_text().splitlines())
`);
for (const complaint of complaints) {
  console.log(complaint);
}
for (const archive of archives) {
  const name = basename(archive);
  await writeFile(join(resultsFolder, name), FS.readFile(`/results/${name}`));
}
