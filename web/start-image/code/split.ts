/**
 * Splits a module by the functions that were seen to run, under Node:
 *
 *     node split.mjs MODULE RANGES LATE_NAME RESULTS_FOLDER [TABLES [FILL [COLD_SHARE SEED]]]
 *
 * RANGES is a text file. Writes `first.wasm`, and the late module under its name. TABLES is a file
 * of tables that become late too, or empty; FILL is the byte in their place. With COLD_SHARE, such
 * as 0.3, that share of the functions becomes late too.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { argv } from "node:process";
import type { KnownTable } from "./late-tables.ts";
import { readRanges, withoutShare } from "./profile.ts";
import { splitModule } from "./split-module.ts";

const [file = "", ranges = "", lateName = "", resultsFolder = "", ...options] = argv.slice(2);
const [tablesFile = "", fill = "0", share = "0", seed = "1"] = options;
const seen = readRanges(await readFile(ranges, "utf8"));
const hot = withoutShare(seen, Number(share), Number(seed));
const tables: KnownTable[] =
  tablesFile === "" ? [] : JSON.parse(await readFile(tablesFile, "utf8"));
const { first, late } = splitModule(await readFile(file), (defined) => hot.has(defined), lateName, {
  tables,
  fill: Number(fill),
});
for (const [name, bytes] of [["first.wasm", first] as const, [lateName, late] as const]) {
  if (!WebAssembly.validate(bytes)) {
    throw new Error(`${name}, made of ${file}, is no valid module`);
  }
  await writeFile(join(resultsFolder, name), bytes);
}
