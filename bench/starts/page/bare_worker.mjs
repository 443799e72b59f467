// What every start is compared with: Pyodide from its npm package, as its manual starts it.

import { loadPyodide } from "/pyodide/pyodide.mjs";

await loadPyodide({ indexURL: "/pyodide/" });
postMessage({ content: "" });
