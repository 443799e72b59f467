/** Runs Python as the wheel runs a request. */
import type { PyodideAPI } from "pyodide";

/**
 * Runs lines, again from their start once functions got bodies that the image has left out; returns
 * the value of the last line.
 *
 * `runPython` runs outside of a request: compiling the lines would raise `BodiesPlaced`.
 */
export function runAsRequest(
  pyodide: PyodideAPI,
  lines: string,
  globals: unknown = pyodide.toPy({}),
): unknown {
  const { eval_code: evaluate } = pyodide.pyimport("_pyodide._base");
  const { with_bodies: withBodies } = pyodide.pyimport("treeglass.bridge.late_bodies");
  const { partial } = pyodide.pyimport("functools");
  return withBodies(partial(evaluate, lines, globals))();
}
