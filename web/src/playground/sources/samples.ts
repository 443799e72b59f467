/** The trees that lie beside the page. */

import type { ChosenTree, LinkedTree } from "../state/linked-tree.ts";
import type { PageState } from "../state/page-state.ts";

/** A page that is built for one tree has it in the place of the others. */
const included = document.documentElement.dataset.treeName;

/** The trees to offer; the first, a small project to be asked about, opens at a first visit. */
export const SAMPLES: readonly [ChosenTree, ...ChosenTree[]] =
  included === undefined
    ? [
        { ...sample("Sample project", "sample-project.zip"), first: null },
        sample("The sources of treeglass", "sample.zip"),
      ]
    : [{ name: included, open: opening("sample-project.zip"), first: null }];

/** Tells whether the page shows its welcome, and no start of the visitor's own tree. */
export function isWelcomed({ tree, openFile }: PageState): boolean {
  return openFile.value === null && (tree.value?.choice ?? SAMPLES[0]) === SAMPLES[0];
}

function sample(name: string, file: string): ChosenTree {
  const beside: LinkedTree = { kind: "url", specifier: addressOf(file), integrity: null };
  return { name, open: opening(file), beside };
}

function opening(file: string): ChosenTree["open"] {
  return async (signal, fetchFile) => {
    const response = await fetchFile(addressOf(file), { signal });
    if (!response.ok) {
      throw new Error(`${file} is missing beside this page (HTTP ${response.status}).`);
    }
    return { archive: await response.blob() };
  };
}

function addressOf(file: string): string {
  return new URL(file, document.baseURI).href;
}
