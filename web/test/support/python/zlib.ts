/** The zlib of an interpreter, for archives that are listed without a worker. */
import type { Zlib } from "../../../src/sources/source-context.ts";
import { InterpreterZlib, zlibModuleOf } from "../../../src/worker/start/interpreter-zlib.ts";
import { startPyodide } from "../isolate.ts";

let starting: Promise<Zlib> | undefined;

/** Returns the zlib of one interpreter, which the first call starts. */
export function startZlib(): Promise<Zlib> {
  starting ??= startPyodide().then((pyodide) => new InterpreterZlib(zlibModuleOf(pyodide)));
  return starting;
}
