/** The archives of the built package, in memory. */
import { readFileSync } from "node:fs";

const ASSETS = new URL("../../../../dist/npm/assets/", import.meta.url);
const START = JSON.parse(readFileSync(new URL("start.json", ASSETS), "utf8"));

/** Returns every archive that an image may need, by its name. */
export function archivesAtHand(): Map<string, Uint8Array> {
  const names = Object.keys(START.image.archives);
  const entries = names.map((name): [string, Uint8Array] => {
    const folder =
      name === "python_stdlib.zip.bin" ? START.folders.pyodide : START.folders.packages;
    return [name, new Uint8Array(readFileSync(new URL(`${folder}${name}`, ASSETS)))];
  });
  return new Map(entries);
}
