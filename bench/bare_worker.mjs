// What everything else is compared with: Pyodide from its npm package, as its manual starts it.

import "/watch_heap.mjs";
import { loadPyodide } from "/pyodide/pyodide.mjs";

const pyodide = await loadPyodide({ indexURL: "/pyodide/" });
postMessage(pyodide.version);
