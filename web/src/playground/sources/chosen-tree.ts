/** A tree that a visitor chose to mount. */

import type { TreeSource } from "../../index.ts";
import { type LinkedTree, nameLink, toTreeSource } from "./linked-tree.ts";

/** Fetches a file that lies beside the page; `fetch`, unless the page holds the files itself. */
export type FetchFile = (address: string, init: RequestInit) => Promise<Response>;

/** A chosen tree; choosing it mounts nothing yet. */
export interface ChosenTree {
  readonly name: string;
  /** Opens the tree; only this call and the mount fetch anything. */
  readonly open: (signal: AbortSignal, fetchFile: FetchFile) => Promise<TreeSource>;
  /** The tree's link, if the tree can be fetched again; the page's address names it. */
  readonly link?: LinkedTree;
}

/** Returns the choice of a linked tree; nothing is fetched before it is mounted. */
export function choiceOfLink(link: LinkedTree): ChosenTree {
  return { name: nameLink(link), open: async () => toTreeSource(link), link };
}
