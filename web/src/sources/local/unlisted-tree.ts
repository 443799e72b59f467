/** Shared by trees whose folders are listed on demand. */
import type { MountLimits } from "../../protocol/mount-report.ts";
import { utf8ByteLength } from "../names.ts";
import { compileSkipPatterns } from "../skip-patterns.ts";
import type { DeferredDirectory } from "../tree.ts";
import type { Tree } from "../tree-builder.ts";

/** Tells whether the tree shows an entry, by the names that lead to it. */
export type IsShown = (names: readonly string[]) => boolean;

/** Returns a test that leaves out skipped entries and entries over a limit. */
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
