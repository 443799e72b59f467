// The yardstick of starts: Pyodide from its npm package, started as its manual says.

import { loadPyodide } from "/pyodide/pyodide.mjs";

await loadPyodide({ indexURL: "/pyodide/" });
postMessage({ content: "" });
