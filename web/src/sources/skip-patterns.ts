/** Tells which path, of all those that lead to an entry, a pattern names; null if none does. */
export type SkipMatcher = (names: readonly string[]) => string | null;

/**
 * Returns a matcher for names and globs.
 *
 * A pattern without a slash matches the name of an entry at any depth (`node_modules`, `*.pyc`);
 * one with a slash matches a path from the root of the tree (`docs/api`, `src/**\/test`). `*` and
 * `?` stay inside one name, `**` spans any number of names. What lies below a match is left out
 * with it.
 */
export function compileSkipPatterns(patterns: readonly string[]): SkipMatcher | null {
  const ofNames: RegExp[] = [];
  const ofPaths: RegExp[] = [];
  for (const pattern of patterns) {
    const trimmed = pattern.replace(/^\.?\/+|\/+$/g, "");
    if (trimmed !== "") {
      const isPath = pattern.startsWith("/") || trimmed.includes("/");
      (isPath ? ofPaths : ofNames).push(globToRegExp(trimmed));
    }
  }
  if (ofNames.length === 0 && ofPaths.length === 0) {
    return null;
  }
  return (names) => {
    let path = "";
    for (const name of names) {
      path = path === "" ? name : `${path}/${name}`;
      if (ofNames.some((one) => one.test(name)) || ofPaths.some((one) => one.test(path))) {
        return path;
      }
    }
    return null;
  };
}

function globToRegExp(glob: string): RegExp {
  const parts = glob.split(/(\*\*\/|\*+|\?)/).map((part) => {
    if (part === "**/") {
      return "(?:[^/]+/)*";
    }
    if (part.startsWith("*")) {
      return part.length > 1 ? ".*" : "[^/]*";
    }
    return part === "?" ? "[^/]" : part.replace(/[\\^$.|+()[\]{}]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`, "su");
}
