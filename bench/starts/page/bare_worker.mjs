// The yardstick of starts: Pyodide from its npm package, started as its manual says.

import { loadPyodide } from "/pyodide-00000000/pyodide.mjs";

await loadPyodide({ indexURL: "/pyodide-00000000/" });
postMessage({ content: "" });
