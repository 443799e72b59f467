/** Files as a visitor chooses them, listed without a worker, and looked at one by one. */
import type { DirectoryEntry } from "../../../src/sources/tree.ts";
import {
  draw,
  type ListedTree,
  type ListOptions,
  listSource,
  readText,
  takenNow,
} from "../mounting.ts";
import { openWire } from "./wire.ts";

/** Lists chosen files and does something with the tree; the page lets go of the files then. */
export async function withChosen<Outcome>(
  files: readonly File[],
  options: ListOptions,
  use: (tree: ListedTree) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const { wire, openFiles } = openWire();
  const source = takenNow({ files });
  try {
    return await use(await listSource(source.wire(wire), { ...options, openFiles }));
  } finally {
    source.release();
  }
}

/** Returns a tree as `draw` does, with the text of the files that the page hands over. */
export async function drawChosen(directory: DirectoryEntry): Promise<Record<string, unknown>> {
  const drawn = draw(directory);
  for (const [name, entry] of directory.children) {
    if (entry.kind === "directory") {
      drawn[name] = await drawChosen(entry);
    } else if (entry.kind === "deferred-file") {
      drawn[name] = await Promise.resolve(entry.inspect()).then(
        readText,
        (error) => `not there: ${error.message}`,
      );
    }
  }
  return drawn;
}
