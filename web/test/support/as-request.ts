/**
 * Returns Python that runs lines as the wheel runs a request: again from the start once functions
 * got bodies that the image has left out.
 */
export function asRequest(lines: string): string {
  // JSON's spelling of a text is Python's too.
  return `
from _pyodide._base import eval_code
from treeglass.bridge.late_bodies import run_with_bodies
run_with_bodies(lambda: eval_code(${JSON.stringify(lines)}, {}))
`;
}
