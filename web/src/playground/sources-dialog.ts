/** The dialog with more sources of trees; it closes when the visitor chooses one. */

import { findElement } from "../page-parts/make-element.ts";
import { BrowserStorage } from "./browser-storage.ts";
import type { ChosenTree } from "./chosen-tree.ts";
import { LinkForm } from "./link-form.ts";
import { type LinkedTree, nameLink, toTreeSource } from "./linked-tree.ts";
import type { SourceActions } from "./source-actions.ts";

export function startSourcesDialog({ onChoose }: Pick<SourceActions, "onChoose">): void {
  const dialog = findElement("sources-dialog", HTMLDialogElement);
  const chooseAndClose = (choice: ChosenTree): void => {
    dialog.close();
    onChoose(choice);
  };
  const storage = new BrowserStorage(chooseAndClose);
  new LinkForm((link) => chooseAndClose(choiceOfLink(link)));
  findElement("more-sources", HTMLButtonElement).addEventListener("click", async () => {
    // Refresh before the dialog opens, so that nothing in it moves.
    await storage.refresh();
    dialog.showModal();
  });
  for (const id of ["close-sources", "choose-files", "choose-snapshot"]) {
    findElement(id, HTMLButtonElement).addEventListener("click", () => dialog.close());
  }
  closeByBackdrop(dialog);
}

/** Closes a dialog on a click outside; a press that begins inside may be a text selection. */
function closeByBackdrop(dialog: HTMLDialogElement): void {
  // Clicks on the backdrop and on the dialog's padding both have the dialog as their target.
  const isBeside = ({ target, clientX, clientY }: MouseEvent): boolean => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const isInside = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
    return target === dialog && !isInside;
  };
  let beganBeside = false;
  dialog.addEventListener("pointerdown", (event) => {
    beganBeside = isBeside(event);
  });
  dialog.addEventListener("click", (event) => {
    if (beganBeside && isBeside(event)) {
      dialog.close();
    }
  });
}

/** Returns the choice of a linked tree; nothing is fetched before it is mounted. */
export function choiceOfLink(link: LinkedTree): ChosenTree {
  return { name: nameLink(link), open: async () => toTreeSource(link), link };
}
