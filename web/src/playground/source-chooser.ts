/** Where a tree comes from: the sample, a folder or a zip, chosen or dropped. */

import { collectDrop, type TreeSource } from "../index.ts";
import { findElement } from "./make-element.ts";

/** A tree that somebody chose, not yet mounted. */
export interface TreeChoice {
  readonly name: string;
  /** Opens the tree; the sample is fetched only here. */
  readonly open: (signal: AbortSignal) => Promise<TreeSource>;
  /** The file that was taken for an archive. */
  readonly archive?: Blob;
}

export interface SourceChooserActions {
  readonly onChoose: (choice: TreeChoice) => void;
  /** What was chosen is no tree; the sentence says why. */
  readonly onRefuse: (sentence: string) => void;
}

const SAMPLE_URL = new URL("./sample.zip", document.baseURI);
const EMPTY_FOLDER =
  "The folder is empty: a browser hands over files only. Choose one that holds a file.";

/** The project's own sources, as the build packs them beside the page. */
export const SAMPLE_TREE: TreeChoice = {
  name: "Sample: the sources of treeglass",
  open: async (signal) => {
    const response = await fetch(SAMPLE_URL, { signal });
    if (!response.ok) {
      throw new Error(`The sample tree is not there (HTTP ${response.status}).`);
    }
    return { archive: await response.blob() };
  },
};

export function startSourceChooser(actions: SourceChooserActions): void {
  const folder = findElement("folder-input", HTMLInputElement);
  const zip = findElement("zip-input", HTMLInputElement);
  findElement("choose-sample", HTMLButtonElement).addEventListener("click", () => {
    actions.onChoose(SAMPLE_TREE);
  });
  findElement("choose-folder", HTMLButtonElement).addEventListener("click", () => folder.click());
  findElement("choose-zip", HTMLButtonElement).addEventListener("click", () => zip.click());
  folder.addEventListener("change", () => {
    // The array outlives the reset below; the list would be emptied by it.
    chooseFiles(Array.from(folder.files ?? []), actions);
    folder.value = "";
  });
  zip.addEventListener("change", () => {
    const [file] = zip.files ?? [];
    if (file !== undefined) {
      chooseArchive(file, actions);
    }
    zip.value = "";
  });
  startDropTarget(actions);
}

function chooseArchive(file: File, { onChoose }: SourceChooserActions): void {
  onChoose({ name: file.name, open: async () => ({ archive: file }), archive: file });
}

function chooseFiles(files: readonly File[], { onChoose, onRefuse }: SourceChooserActions): void {
  const [first] = files;
  if (first === undefined) {
    onRefuse(EMPTY_FOLDER);
    return;
  }
  const [folder] = first.webkitRelativePath.split("/");
  onChoose({ name: folder || first.name, open: async () => ({ files: [...files] }) });
}

function startDropTarget(actions: SourceChooserActions): void {
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
    // Each element that the pointer crosses sends its own leave.
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

function chooseDropped(dropped: DataTransfer, actions: SourceChooserActions): void {
  const drop = collectDrop(dropped);
  const [file] = dropped.files;
  if (dropped.files.length === 1 && file !== undefined && drop.folder === null) {
    chooseArchive(file, actions);
  } else if (drop.names.length === 0) {
    actions.onRefuse(EMPTY_FOLDER);
  } else {
    actions.onChoose({ name: drop.names.join(", "), open: async () => ({ files: drop }) });
  }
}
