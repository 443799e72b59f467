// The yardstick: Pyodide from its npm package, started as its manual says.

import "/watch_heap.mjs";
import { loadPyodide } from "/pyodide/pyodide.mjs";

const pyodide = await loadPyodide({ indexURL: "/pyodide/" });
postMessage(pyodide.version);
