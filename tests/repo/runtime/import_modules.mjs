// Imports modules in Pyodide, under Node:
//     node import_modules.mjs PYODIDE_FOLDER LOCK_FILE WHEEL... < NAMES
// where NAMES is a JSON list of modules. Writes what became of each, and what its code imports.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { argv, stdout } from "node:process";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const [folder, lockFile, ...wheels] = argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
const { info } = JSON.parse(readFileSync(lockFile, "utf8"));
const pyodide = await loadPyodide({
  indexURL: folder,
  lockFileContents: JSON.stringify({ info, packages: {} }),
  // What a module writes when it is imported is no part of the answer.
  stdout: () => {},
  stderr: () => {},
});
await pyodide.loadPackage(wheels, { checkIntegrity: false, messageCallback: () => {} });
pyodide.globals.set("names", await text(process.stdin));
stdout.write(
  pyodide.runPython(`
import dis
import importlib
import importlib.util
import json
import types
import warnings
from importlib.machinery import PathFinder

warnings.simplefilter("ignore")


def outcome_of(name):
    try:
        importlib.import_module(name)
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    return None


def imports_of(name):
    parts = name.split(".")
    folders = None
    # Not by the import system's front door: that gives frozen modules, which
    # have no code to show, and no module of a package that cannot be imported.
    for count in range(1, len(parts) + 1):
        spec = PathFinder.find_spec(".".join(parts[:count]), folders)
        folders = spec.submodule_search_locations
    package = name.rpartition(".")[0] if folders is None else name
    return sorted(set(imports_in(spec.loader.get_code(name), package)))


def imports_in(code, package):
    for module, level, names in dis._find_imports(code):
        start = importlib.util.resolve_name("." * level + module, package) if level else module
        yield start
        yield from (f"{start}.{name}" for name in names or ())
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from imports_in(constant, package)


outcomes = {name: outcome_of(name) for name in json.loads(names)}
json.dumps({"outcomes": outcomes, "imports": {name: imports_of(name) for name in outcomes}})
`),
);
