/** The archives of the built package, in memory. */
import { readFileSync } from "node:fs";
import type { FileEntry } from "../../src/sources/tree.ts";

const ASSETS = new URL("../../../dist/npm/assets/", import.meta.url);
const START = JSON.parse(readFileSync(new URL("start.json", ASSETS), "utf8"));

/** Returns every archive that an image may need, by its name. */
export function archivesAtHand(): Map<string, FileEntry> {
  const names = Object.keys(START.image.archives);
  const entries = names.map((name): [string, FileEntry] => {
    const folder =
      name === "python_stdlib.zip.bin" ? START.folders.pyodide : START.folders.packages;
    const bytes = new Uint8Array(readFileSync(new URL(`${folder}${name}`, ASSETS)));
    const content = { kind: "bytes", bytes } as const;
    return [name, { kind: "file", sizeBytes: bytes.byteLength, modifiedMs: 0, content }];
  });
  return new Map(entries);
}
