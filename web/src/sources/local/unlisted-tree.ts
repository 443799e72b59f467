/** What the trees have in common of which nothing is listed before somebody looks. */
import type { MountLimits } from "../../protocol/mount-report.ts";
import { utf8ByteLength } from "../names.ts";
import { compileSkipPatterns } from "../skip-patterns.ts";
import type { DeferredDirectory } from "../tree.ts";
import type { Tree } from "../tree-builder.ts";

/** Tells whether an entry is to be seen, by the names that lead to it. */
export type IsShown = (names: readonly string[]) => boolean;

/** Returns what leaves out the skipped, and what is over a limit. */
export function shownWithin(
  { maxDepth, maxNameBytes, maxPathBytes }: MountLimits,
  skip: readonly string[],
): IsShown {
  const matchSkip = compileSkipPatterns(skip);
  return (names) =>
    names.length - 1 <= maxDepth &&
    utf8ByteLength(names.at(-1) ?? "") <= maxNameBytes &&
    utf8ByteLength(names.join("/")) <= maxPathBytes &&
    (matchSkip?.(names) ?? null) === null;
}

/** Returns a tree of which the report cannot tell how much is in it. */
export function unlistedTree(root: DeferredDirectory): Tree {
  return {
    root,
    origin: null,
    files: null,
    directories: null,
    symlinks: null,
    bytes: null,
    skipped: [],
    renamed: [],
    converted: [],
  };
}
