/** The runtime's files, on the disk that the package lies on. */
import { readFile } from "node:fs/promises";
import type { AssetHolder, MissingWords } from "../../../protocol/asset-files.ts";

/** Returns the file at an absolute path; rejects where it cannot be read. */
export const readPackageFile: AssetHolder = async (path) => {
  const { buffer, byteOffset, byteLength } = await readFile(path);
  // Node types it as one that may be shared, which what `readFile` gives never is.
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
};

/** Says what to do where the package is not whole. */
export const wordUnreadable: MissingWords = (assets, what) =>
  `The runtime could not be loaded from ${assets}: ${what}. Install the package again, or pass the path of its assets folder as connect({ assets }).`;
