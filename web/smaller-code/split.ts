/**
 * Splits a module by the functions that were seen to run, under Node:
 *
 *     node split.mjs MODULE RANGES LATE_NAME RESULTS_FOLDER [COLD_SHARE SEED]
 *
 * RANGES is a text file. Writes `first.wasm`, and the late module under its name. With COLD_SHARE,
 * such as 0.3, that share of the functions becomes late too.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { argv } from "node:process";
import { readRanges, withoutShare } from "./profile.ts";
import { splitModule } from "./split-module.ts";

const [file = "", ranges = "", lateName = "", resultsFolder = "", share = "0", seed = "1"] =
  argv.slice(2);
const seen = readRanges(await readFile(ranges, "utf8"));
const hot = withoutShare(seen, Number(share), Number(seed));
const { first, late } = splitModule(await readFile(file), (defined) => hot.has(defined), lateName);
for (const [name, bytes] of [["first.wasm", first] as const, [lateName, late] as const]) {
  if (!WebAssembly.validate(bytes)) {
    throw new Error(`${name}, made of ${file}, is no valid module`);
  }
  await writeFile(join(resultsFolder, name), bytes);
}
