// The client for Workers with its interpreter laid open; to be bundled as the package's own is.
import * as assets from "treeglass:assets";
import { connectIsolate } from "../../../web/src/hosts/isolate/connect-isolate.ts";
import { SharedInterpreter, startInterpreter } from "../../../web/src/hosts/isolate/interpreter.ts";
import { runAsRequest } from "../../../web/test/support/python/run-as-request.ts";

const started = [];
const { loader, createModule } = assets.code;

async function loadPyodide(options) {
	const pyodide = await loader.loadPyodide(options);
	started.push(pyodide);
	return pyodide;
}

const isolate = new SharedInterpreter(() =>
	startInterpreter({
		...assets,
		code: { loader: { version: loader.version, loadPyodide }, createModule },
	}),
);

// The interpreter tells the console of its death.
console.error = () => {};

export const connect = (options = {}) => connectIsolate(isolate, options);

/** How many interpreters were started. */
export const startedCount = () => started.length;

/** Runs Python in the present interpreter, as the wheel runs a request. */
export const run = (lines) => runAsRequest(started.at(-1), lines);
