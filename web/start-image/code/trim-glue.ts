/**
 * Removes from Pyodide's `pyodide.asm.mjs` what belongs to exports and imports that are gone.
 *
 * Emscripten writes that file, and this reads the text that it writes: each part is found by its
 * form, and a part that is not found is an error. What is removed is only mentioned by lists, so a
 * minifier and these lists together decide what stays.
 */

/** The variables for exports, and the function that sets them. */
const EXPORTS = /var ([\w$,]+);function assignWasmExports\(wasmExports\)\{([^}]*)\}/;
/** A statement of that function. */
const ASSIGNMENT = /^([\w$]+)=.*\bwasmExports\["([^"]+)"\](?:\.value>>>0)?$/;
/** The JavaScript functions that modules may import. */
const IMPORTS = /var wasmImports=\{([^}]*)\};/;
/** The signature of such a function, which is read when a module takes its number. */
const SIGNATURE = /(?<=[;}])([\w$]+)\.sig="\w*";/g;

/** Returns every word of a script but those of its lists of exports. */
export function wordsOf(script: string): Set<string> {
  return new Set(script.replace(EXPORTS, "").match(/[\w$]+/g) ?? []);
}

/** Returns the glue without the exports and imports that are not needed. */
export function trimGlue(
  glue: string,
  isExported: (name: string) => boolean,
  isImported: (name: string) => boolean,
): string {
  return withoutImports(withoutExports(glue, isExported), isImported);
}

function withoutExports(glue: string, isExported: (name: string) => boolean): string {
  const [, variables = "", assignments = ""] = matchOf(glue, EXPORTS, "exports");
  const gone = new Set<string>();
  const kept = assignments.split(";").filter((statement) => {
    const [, variable = "", name = ""] = matchOf(statement, ASSIGNMENT, "an export");
    if (!isExported(name)) {
      gone.add(variable);
    }
    return isExported(name);
  });
  const left = variables.split(",").filter((variable) => !gone.has(variable));
  return glue.replace(
    EXPORTS,
    () => `var ${left};function assignWasmExports(wasmExports){${kept.join(";")}}`,
  );
}

function withoutImports(glue: string, isImported: (name: string) => boolean): string {
  const [, list = ""] = matchOf(glue, IMPORTS, "imports");
  // Each is `name`, or `name:variable`.
  const entries = list.split(",").map((entry) => ({ entry, parts: entry.split(":") }));
  const kept = entries.filter(({ parts }) => isImported(parts[0] ?? ""));
  const used = new Set(kept.map(({ parts }) => parts.at(-1)));
  const gone = new Set(
    entries.map(({ parts }) => parts.at(-1) ?? "").filter((variable) => !used.has(variable)),
  );
  return glue
    .replace(IMPORTS, () => `var wasmImports={${kept.map(({ entry }) => entry)}};`)
    .replace(SIGNATURE, (statement, variable) => (gone.has(variable) ? "" : statement));
}

function matchOf(script: string, part: RegExp, what: string): RegExpExecArray {
  const match = part.exec(script);
  if (match === null) {
    throw new Error(`the glue does not name ${what} as expected: ${script.slice(0, 80)}`);
  }
  return match;
}
