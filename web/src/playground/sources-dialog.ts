/** The dialog of the sources that are one step away; it closes as soon as one is chosen. */

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
    // Before the dialog is drawn, so that nothing in it moves.
    await storage.refresh();
    dialog.showModal();
  });
  for (const id of ["close-sources", "choose-files", "choose-snapshot"]) {
    findElement(id, HTMLButtonElement).addEventListener("click", () => dialog.close());
  }
  closeByBackdrop(dialog);
}

/** Closes a dialog by a click beside it: one that begins inside may be a selection that runs out. */
function closeByBackdrop(dialog: HTMLDialogElement): void {
  // A click on the backdrop is sent to the dialog itself, and so is one on its padding.
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

/** Returns the choice of a tree elsewhere; nothing is fetched before it is mounted. */
export function choiceOfLink(link: LinkedTree): ChosenTree {
  return { name: nameLink(link), open: async () => toTreeSource(link), link };
}
