import { readFile } from "node:fs/promises";
import type { AssetReader } from "../../../protocol/asset-files.ts";

/** Returns the package's file at an absolute path; rejects if it cannot be read. */
export const readPackageFile: AssetReader = async (path) => {
  const { buffer, byteOffset, byteLength } = await readFile(path);
  // Node's type allows shared memory, which `readFile` never returns.
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
};
