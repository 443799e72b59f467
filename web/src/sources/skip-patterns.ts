/** Returns the path of the entry, or of a directory above it, that a pattern matches; else null. */
export type SkipMatcher = (names: readonly string[]) => string | null;

/** One segment of a pattern; null stands for `**`, which spans any number of names or none. */
type Segment = RegExp | null;

/**
 * Returns a matcher for names and globs.
 *
 * A pattern without a slash matches the name of an entry at any depth (`node_modules`, `*.pyc`);
 * one with a slash matches a path from the root of the tree (`docs/api`, `src/**\/test`). `*` and
 * `?` stay inside one name; a segment `**` spans any number of names, and at the end of a pattern
 * at least one. Entries below a match are left out with it.
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
 * Returns how many names the pattern takes to match, or infinity if it does not match.
 *
 * Follows all alternatives at once, as rising numbers of finished segments: backtracking took
 * seconds for a few `**` over a deep path.
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

/** Adds the segments that are reached without a name: each `**` may span none. */
function withEmptySpans(segments: readonly Segment[], reached: readonly number[]): number[] {
  const all: number[] = [];
  for (let done of reached) {
    // The order is rising, so a segment that is there already was followed to its end.
    while (done > (all.at(-1) ?? -1)) {
      all.push(done);
      done += segments[done] === null ? 1 : 0;
    }
  }
  return all;
}

/** Matches each text between two stars at its first place only, so that nothing backtracks. */
function nameToRegExp(glob: string): RegExp {
  const [first = "", ...others] = glob.split(/\*+/).map(textToPattern);
  const last = others.pop();
  const between = others.map((text, index) => `(?=(.*?${text}))\\${index + 1}`).join("");
  return new RegExp(`^${first}${between}${last === undefined ? "" : `.*${last}`}$`, "su");
}

function textToPattern(text: string): string {
  return text.replace(/[\\^$.|+()[\]{}]/g, "\\$&").replaceAll("?", ".");
}
