import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { AssetReader } from "../../../protocol/asset-files.ts";

/** Returns the package's file at an absolute path; rejects if it cannot be read. */
export const readPackageFile: AssetReader = async (path) => bytesOf(await readFile(path));

/** The same without a wait; throws if it cannot be read. */
export function readPackageFileNow(path: string): Uint8Array<ArrayBuffer> {
  return bytesOf(readFileSync(path));
}

function bytesOf({ buffer, byteOffset, byteLength }: Buffer): Uint8Array<ArrayBuffer> {
  // Node's type allows shared memory, which reading a file never returns.
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}
