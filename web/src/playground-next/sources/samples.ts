/** The trees that lie beside the page. */

import type { ChosenTree } from "../../playground/chosen-tree.ts";

/** A small project that was written to be asked about. */
export const SAMPLE_PROJECT: ChosenTree = {
  name: "Sample project",
  open: async (signal, fetchFile) => {
    const address = new URL("./sample-project.zip", document.baseURI);
    const response = await fetchFile(address.href, { signal });
    if (!response.ok) {
      throw new Error(`The sample project is missing (HTTP ${response.status}).`);
    }
    return { archive: await response.blob() };
  },
};
