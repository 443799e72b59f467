/** Tar archives listed in both ways, which must come to the same. */
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { draw, type ListedTree, type ListOptions, listArchive, reportOf } from "../mounting.ts";
import { type TarMember, writeTar } from "./tar-writer.ts";

/** The part of a report that tells of nothing. */
export const NOTHING_ODD = { origin: null, symlinks: 0, skipped: [], renamed: [], converted: [] };

/** Lists an archive as it lies and while it is inflated, which must come to the same. */
export async function listed(archive: Uint8Array, options: ListOptions = {}): Promise<ListedTree> {
  const tree = await listArchive(archive, options);
  const streamed = await listArchive(gzipSync(archive), options);
  assert.deepEqual(draw(streamed.root), draw(tree.root));
  assert.deepEqual(timesOf(streamed), timesOf(tree));
  assert.deepEqual(reportOf(streamed), reportOf(tree));
  return tree;
}

/** Returns the tree of a list of members, and its whole report. */
export async function outcome(members: readonly TarMember[]): Promise<[unknown, unknown]> {
  const tree = await listed(writeTar(members));
  return [draw(tree.root), reportOf(tree)];
}

/** Returns the times of the entries at the top. */
export function timesOf({ root }: ListedTree): unknown {
  return [...root.children].map(([name, entry]) => [
    name,
    "modifiedMs" in entry ? entry.modifiedMs : null,
  ]);
}
