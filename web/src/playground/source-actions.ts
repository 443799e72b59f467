/** The callbacks of the parts of the page that offer trees. */

import type { ChosenTree } from "./chosen-tree.ts";

export interface SourceActions {
  readonly onChoose: (choice: ChosenTree) => void;
  /** The visitor chose something that is not a tree; the sentence says why. */
  readonly onRefuse: (sentence: string) => void;
}

/** The problem with a folder that arrived as an empty list of files. */
export const EMPTY_FOLDER =
  "The folder has no files, and a browser passes on only files. Choose a folder that has one.";
