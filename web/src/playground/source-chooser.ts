/** The buttons for the sample tree and for trees on the visitor's device. */

import { formatCounted } from "../page-parts/format-quantities.ts";
import { findElement } from "../page-parts/make-element.ts";
import type { ChosenTree } from "./chosen-tree.ts";
import { EMPTY_FOLDER, type SourceActions } from "./source-actions.ts";

declare global {
  interface Window {
    /** Only some browsers have it, and only on a secure connection. */
    readonly showDirectoryPicker?: (options: {
      readonly mode: "read";
    }) => Promise<FileSystemDirectoryHandle>;
  }
}

const SAMPLE_URL = new URL("./sample.zip", document.baseURI);

/** The project's own sources, which the build packs beside the page. */
export const SAMPLE_TREE: ChosenTree = {
  // A page that is built for another tree names it in an attribute.
  name: document.documentElement.dataset.treeName ?? "Sample: the sources of treeglass",
  open: async (signal, fetchFile) => {
    const response = await fetchFile(SAMPLE_URL.href, { signal });
    if (!response.ok) {
      throw new Error(`The sample tree is missing (HTTP ${response.status}).`);
    }
    return { archive: await response.blob() };
  },
};

/** Connects the sample's button, and the buttons that open the browser's file dialogs. */
export function startSourceChooser(actions: SourceActions): void {
  findElement("choose-sample", HTMLButtonElement).addEventListener("click", () => {
    actions.onChoose(SAMPLE_TREE);
  });
  const chooseSnapshot = startInput("folder-input", (files) => chooseFiles(files, actions));
  const chooseArchive = startInput("archive-input", ([file]) => {
    if (file !== undefined) {
      actions.onChoose({ name: file.name, open: async () => ({ archive: file }) });
    }
  });
  const chooseSingly = startInput("files-input", (files) => chooseFiles(files, actions));
  findElement("choose-archive", HTMLButtonElement).addEventListener("click", chooseArchive);
  findElement("choose-files", HTMLButtonElement).addEventListener("click", chooseSingly);
  findElement("choose-snapshot", HTMLButtonElement).addEventListener("click", chooseSnapshot);
  const canOpenFolders = window.showDirectoryPicker !== undefined;
  findElement("snapshot-choice", HTMLElement).hidden = !canOpenFolders;
  findElement("choose-folder", HTMLButtonElement).addEventListener("click", () => {
    if (canOpenFolders) {
      void chooseFolder(actions);
    } else {
      chooseSnapshot();
    }
  });
}

/** Returns a function that opens an input's dialog; the chosen files go to `onFiles`. */
function startInput(id: string, onFiles: (files: readonly File[]) => void): () => void {
  const input = findElement(id, HTMLInputElement);
  input.addEventListener("change", () => {
    // Copy the list into an array, since the reset below empties the list.
    onFiles(Array.from(input.files ?? []));
    input.value = "";
  });
  return () => input.click();
}

function chooseFiles(files: readonly File[], { onChoose, onRefuse }: SourceActions): void {
  const [first] = files;
  if (first === undefined) {
    onRefuse(EMPTY_FOLDER);
    return;
  }
  const [folder] = first.webkitRelativePath.split("/");
  const name = files.length === 1 ? first.name : formatCounted(files.length, "file");
  onChoose({ name: folder || name, open: async () => ({ files }) });
}

async function chooseFolder({ onChoose, onRefuse }: SourceActions): Promise<void> {
  try {
    const directory = await window.showDirectoryPicker?.({ mode: "read" });
    if (directory !== undefined) {
      onChoose({ name: directory.name, open: async () => ({ directory }) });
    }
  } catch (error) {
    // An AbortError means that the visitor closed the dialog without a choice.
    if (!(error instanceof DOMException && error.name === "AbortError")) {
      onRefuse("The browser does not let this page open that folder. Choose another.");
    }
  }
}
