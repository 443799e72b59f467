/** The trees that lie beside the page. */

import type { ChosenTree } from "../state/linked-tree.ts";

/** A small project that was written to be asked about. */
const sampleProject = archiveBeside("sample-project.zip");

/** A page that is built for one tree has it in the place of both. */
const included = document.documentElement.dataset.treeName;

/** The trees to offer; the first opens at a first visit. */
export const SAMPLES: readonly [ChosenTree, ...ChosenTree[]] =
  included === undefined
    ? [
        { name: "Sample project", open: sampleProject },
        { name: "The sources of treeglass", open: archiveBeside("sample.zip") },
      ]
    : [{ name: included, open: sampleProject }];

function archiveBeside(name: string): ChosenTree["open"] {
  return async (signal, fetchFile) => {
    const response = await fetchFile(new URL(name, document.baseURI).href, { signal });
    if (!response.ok) {
      throw new Error(`${name} is missing beside this page (HTTP ${response.status}).`);
    }
    return { archive: await response.blob() };
  };
}
