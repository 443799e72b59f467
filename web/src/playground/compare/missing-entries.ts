/** Finds the entries that one tool has not shown and another has. */

import type { EntryKind, ListedEntries } from "./listed-entries.ts";

/**
 * What missing entries have in common: they are deeper than every entry that the tool shows; they
 * are hidden, or links, and it shows no entry of that kind; they are inside a missing entry; or
 * none of these, so that the reason must be their name.
 */
export type MissingReason = "deeper" | "hidden" | "link" | "inside" | "name";

export const MISSING_REASONS: readonly MissingReason[] = [
  "hidden",
  "link",
  "name",
  "inside",
  "deeper",
];

/** Paths by reason; a reason without paths is absent. */
export type MissingEntries = ReadonlyMap<MissingReason, readonly string[]>;

/** Returns the union of all tools' entries. */
export function uniteEntries(listings: Iterable<ListedEntries>): ListedEntries {
  const union = new Map<string, EntryKind>();
  for (const listing of listings) {
    for (const [path, kind] of listing) {
      union.set(path, kind);
    }
  }
  return union;
}

/** Returns the entries of the union that a tool has not shown, by reason. */
export function findMissing(shown: ListedEntries, union: ListedEntries): MissingEntries {
  const paths = [...shown.keys()];
  // A search names files alone, so their depth and their directories give no reason.
  const isListing = [...union.values()].some((kind) => kind === "dir");
  const traits: ShownTraits = {
    shown,
    isListing,
    depth: paths.reduce((deepest, path) => Math.max(deepest, depthOf(path)), 0),
    showsHidden: paths.some(isHidden),
    showsLinks: [...shown.values()].includes("link"),
  };
  const missing = new Map<MissingReason, string[]>();
  for (const [path, kind] of union) {
    if (!shown.has(path)) {
      const reason = reasonFor(path, kind, traits);
      const others = missing.get(reason);
      if (others === undefined) {
        missing.set(reason, [path]);
      } else {
        others.push(path);
      }
    }
  }
  return missing;
}

interface ShownTraits {
  readonly shown: ListedEntries;
  readonly isListing: boolean;
  readonly depth: number;
  readonly showsHidden: boolean;
  readonly showsLinks: boolean;
}

function reasonFor(path: string, kind: EntryKind, traits: ShownTraits): MissingReason {
  const { shown, isListing, depth, showsHidden, showsLinks } = traits;
  if (isListing && depth > 0 && depthOf(path) > depth) {
    return "deeper";
  }
  const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  if (isListing && parent !== "" && !shown.has(parent)) {
    return "inside";
  }
  if (isHidden(path) && !showsHidden) {
    return "hidden";
  }
  return kind === "link" && !showsLinks ? "link" : "name";
}

function depthOf(path: string): number {
  return path.split("/").length;
}

function isHidden(path: string): boolean {
  return /(?:^|\/)\./.test(path);
}
