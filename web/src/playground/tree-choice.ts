/** What a visitor chose to mount. */

import type { TreeSource } from "../index.ts";
import type { LinkedTree } from "./linked-tree.ts";

/** Fetches a file that lies beside the page; `fetch`, unless the page holds the files itself. */
export type FetchFile = (address: string, init: RequestInit) => Promise<Response>;

/** A tree that somebody chose, not yet mounted. */
export interface TreeChoice {
  readonly name: string;
  /** Opens the tree; what is not at hand is fetched only here, or by the mount. */
  readonly open: (signal: AbortSignal, fetchFile: FetchFile) => Promise<TreeSource>;
  /** Where the tree lies, if it can be fetched again: the page's address then names it. */
  readonly link?: LinkedTree;
}
