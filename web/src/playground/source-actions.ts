/** What the parts of the page that offer trees tell the page. */

import type { ChosenTree } from "./chosen-tree.ts";

export interface SourceActions {
  readonly onChoose: (choice: ChosenTree) => void;
  /** What was chosen is no tree; the sentence says why. */
  readonly onRefuse: (sentence: string) => void;
}

/** Said of a folder that arrived as a list of its files. */
export const EMPTY_FOLDER =
  "The folder is empty: a browser hands over files only. Choose one that holds a file.";
