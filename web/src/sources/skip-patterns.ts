/** Tells which path, of all those that lead to an entry, a pattern names; null if none does. */
export type SkipMatcher = (names: readonly string[]) => string | null;

/** What one segment of a pattern asks of a name; null spans any number of names, also none. */
type Segment = RegExp | null;

/**
 * Returns a matcher for names and globs.
 *
 * A pattern without a slash matches the name of an entry at any depth (`node_modules`, `*.pyc`);
 * one with a slash matches a path from the root of the tree (`docs/api`, `src/**\/test`). `*` and
 * `?` stay inside one name; a segment `**` spans any number of names, and at the end of a pattern
 * at least one. What lies below a match is left out with it.
 */
export function compileSkipPatterns(patterns: readonly string[]): SkipMatcher | null {
  const ofNames: RegExp[] = [];
  const ofPaths: (readonly Segment[])[] = [];
  for (const pattern of patterns) {
    const trimmed = pattern.replace(/^\.?\/+|\/+$/g, "");
    if (trimmed === "") {
      continue;
    }
    if (pattern.startsWith("/") || trimmed.includes("/")) {
      ofPaths.push(segmentsOf(trimmed));
    } else {
      ofNames.push(nameToRegExp(trimmed));
    }
  }
  if (ofNames.length === 0 && ofPaths.length === 0) {
    return null;
  }
  return (names) => {
    const ofName = names.findIndex((name) => ofNames.some((one) => one.test(name)));
    let count = ofName === -1 ? names.length + 1 : ofName + 1;
    for (const segments of ofPaths) {
      count = Math.min(count, countMatched(segments, names));
    }
    return count > names.length ? null : names.slice(0, count).join("/");
  };
}

function segmentsOf(pattern: string): Segment[] {
  const parts = pattern.split("/");
  if (parts.at(-1) === "**") {
    parts.push("*");
  }
  return parts.map((part) => (part === "**" ? null : nameToRegExp(part)));
}

/**
 * Returns how many names the pattern takes to match, or infinity where it does not.
 *
 * Follows all ways at once, as numbers of segments that are done with, in rising order: trying one
 * after the other took seconds for a few `**` over a deep path.
 */
function countMatched(segments: readonly Segment[], names: readonly string[]): number {
  let reached = withEmptySpans(segments, [0]);
  for (const [index, name] of names.entries()) {
    const next: number[] = [];
    for (const done of reached) {
      const segment = segments[done];
      if (segment === null) {
        next.push(done);
      } else if (segment?.test(name)) {
        next.push(done + 1);
      }
    }
    if (next.length === 0) {
      return Number.POSITIVE_INFINITY;
    }
    reached = withEmptySpans(segments, next);
    if (reached.at(-1) === segments.length) {
      return index + 1;
    }
  }
  return Number.POSITIVE_INFINITY;
}

/** Adds what is reached without a name: each `**` may span none. */
function withEmptySpans(segments: readonly Segment[], reached: readonly number[]): number[] {
  const all: number[] = [];
  for (let done of reached) {
    // In rising order, what is there already was followed to its end.
    while (done > (all.at(-1) ?? -1)) {
      all.push(done);
      done += segments[done] === null ? 1 : 0;
    }
  }
  return all;
}

/** Each text between two stars is looked for once, where it first comes: no way back is tried. */
function nameToRegExp(glob: string): RegExp {
  const [first = "", ...others] = glob.split(/\*+/).map(textToPattern);
  const last = others.pop();
  const between = others.map((text, index) => `(?=(.*?${text}))\\${index + 1}`).join("");
  return new RegExp(`^${first}${between}${last === undefined ? "" : `.*${last}`}$`, "su");
}

function textToPattern(text: string): string {
  return text.replace(/[\\^$.|+()[\]{}]/g, "\\$&").replaceAll("?", ".");
}
