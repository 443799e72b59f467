/** The paths that fit into a tree. */
import { TreeglassError } from "../protocol/errors.ts";
import type { MountLimits } from "../protocol/mount-report.ts";
import { utf8ByteLength } from "./names.ts";
import { compileSkipPatterns } from "./skip-patterns.ts";

/** Returns why a tree cannot have a path, which is its names joined; null if it can. */
export function misfitOf(
  names: readonly string[],
  path: string,
  { maxDepth, maxNameBytes, maxPathBytes }: MountLimits,
): string | null {
  if (names.length - 1 > maxDepth) {
    return `lies ${names.length - 1} directories deep, over maxDepth (${maxDepth})`;
  }
  // A text of n units takes at most 3n bytes: almost every path passes without counting.
  if (path.length * 3 <= Math.min(maxPathBytes, maxNameBytes)) {
    return null;
  }
  if (utf8ByteLength(path) > maxPathBytes) {
    return `has a path over maxPathBytes (${maxPathBytes})`;
  }
  return names.some((name) => utf8ByteLength(name) > maxNameBytes)
    ? `has a name over maxNameBytes (${maxNameBytes})`
    : null;
}

/**
 * Returns the first names, up to one that exceeds a limit: an entry below that is refused anyway,
 * and a glob takes minutes over a name or a path of 60,000 characters.
 */
export function fittingNames(
  names: readonly string[],
  { maxDepth, maxNameBytes, maxPathBytes }: MountLimits,
): readonly string[] {
  let pathLength = -1;
  const end = names.findIndex((name, index) => {
    pathLength += name.length + 1;
    return index > maxDepth || name.length > maxNameBytes || pathLength > maxPathBytes;
  });
  return end === -1 ? names : names.slice(0, end);
}

/** Tells whether a tree whose folders are listed on demand shows an entry, by its names. */
export type IsShown = (names: readonly string[]) => boolean;

/** Returns a test that leaves out skipped entries and entries over a limit. */
export function shownWithin(limits: MountLimits, skip: readonly string[]): IsShown {
  const matchSkip = compileSkipPatterns(skip);
  return (names) =>
    misfitOf(names, names.join("/"), limits) === null && (matchSkip?.(names) ?? null) === null;
}

export function overLimit(name: keyof MountLimits, limit: number, what: string): TreeglassError {
  return new TreeglassError(
    "LimitExceeded",
    `The tree has more than ${limit} ${what} (${name}); mount a part of it, leave out what is not needed with skip, or raise limits.${name}`,
  );
}
