/** The content of a drop, with the files that it hands over on request. */
import type { FilesOnPage } from "../../../src/client/files-on-page.ts";

/** Returns each path with its file, or null for a directory. */
export async function listedDrop({ files, folder }: FilesOnPage) {
  const given: [string, File | null][] = [];
  for (const { path, give } of files) {
    given.push([path, give === null ? null : await give()]);
  }
  return { folder, files: given };
}
