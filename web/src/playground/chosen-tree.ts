/** What a visitor chose to mount. */

import type { TreeSource } from "../index.ts";
import type { LinkedTree } from "./linked-tree.ts";

/** A tree that somebody chose, not yet mounted. */
export interface ChosenTree {
  readonly name: string;
  /** Opens the tree; what is not at hand is fetched only here, or by the mount. */
  readonly open: (signal: AbortSignal) => Promise<TreeSource>;
  /** Where the tree lies, if it can be fetched again: the page's address then names it. */
  readonly link?: LinkedTree;
}
