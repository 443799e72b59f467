/** Lets a visitor drop an archive, or files and folders, anywhere on the page. */

import { collectDrop } from "../index.ts";
import { findElement } from "../page-parts/make-element.ts";
import { startsLikeArchive } from "./archive-start.ts";
import { EMPTY_FOLDER, type SourceActions } from "./source-actions.ts";

export function startDropTarget(actions: SourceActions): void {
  const veil = findElement("drop-veil", HTMLElement);
  let depth = 0;
  const cover = (isCovered: boolean): void => {
    depth = isCovered ? depth : 0;
    veil.hidden = !isCovered;
  };
  document.addEventListener("dragenter", (event) => {
    if (carriesFiles(event)) {
      depth += 1;
      cover(true);
    }
  });
  document.addEventListener("dragleave", () => {
    // Each element that the pointer crosses fires its own dragleave.
    depth -= 1;
    cover(depth > 0);
  });
  document.addEventListener("dragover", (event) => {
    if (carriesFiles(event)) {
      event.preventDefault();
    }
  });
  document.addEventListener("drop", (event) => {
    cover(false);
    if (carriesFiles(event) && event.dataTransfer !== null) {
      event.preventDefault();
      chooseDropped(event.dataTransfer, actions);
    }
  });
}

function carriesFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

function chooseDropped(dropped: DataTransfer, { onChoose, onRefuse }: SourceActions): void {
  const drop = collectDrop(dropped);
  const [file] = dropped.files;
  const isOneFile = drop.names.length === 1 && drop.folder === null;
  if (drop.names.length === 0) {
    onRefuse(EMPTY_FOLDER);
  } else if (isOneFile && file !== undefined) {
    const open = async () =>
      (await startsLikeArchive(file)) ? { archive: file } : { files: [file] };
    onChoose({ name: file.name, open });
  } else {
    onChoose({ name: drop.names.join(", "), open: async () => ({ files: drop }) });
  }
}
