/**
 * Splits a module in two: the functions that a start needs, and the late ones.
 *
 * The first module has a stub for each late function that something names: a call, the table, or an
 * export. A stub makes sure that the late module is there, and calls the function by its place in
 * the table of late functions, which the late module fills when it is instantiated. The first table
 * of the module stays as it is, since memory holds places in it; other numbers of functions change.
 *
 * The late module works on the same memory, globals, tables and tags. The first one exports what it
 * defines of them, and the functions that late ones call, under names with a `~`.
 */
import { writeFirst } from "./first-part.ts";
import { referencesOf } from "./instructions.ts";
import { writeLate } from "./late-part.ts";
import { findLateRanges, type KnownTable } from "./late-tables.ts";
import { importedFunctions, reachableFrom } from "./reachable.ts";
import type { Parts } from "./split-parts.ts";
import { KIND, readModule, type WasmModule } from "./wasm-module.ts";

/** The tables that may become late, and what is in their place until then. */
export interface LateTables {
  readonly tables: readonly KnownTable[];
  /** Zero, which needs no bytes in a module; tests use another one. */
  readonly fill: number;
}

export interface SplitModule {
  readonly first: Uint8Array<ArrayBuffer>;
  readonly late: Uint8Array<ArrayBuffer>;
  /** How many functions stay in the first module, are in the late one, and have a stub. */
  readonly counts: { readonly first: number; readonly late: number; readonly stubs: number };
  /** How many bytes of tables are late. */
  readonly lateTableBytes: number;
}

/**
 * Splits a module; functions that nothing can call are in neither part.
 *
 * @param isHot tells whether a function stays in the first module, by its number among those that
 *     the module defines.
 * @param lateName is the file name of the late module.
 * @param lateTables are moved to the late module, as far as only late functions name them.
 */
export function splitModule(
  bytes: Uint8Array,
  isHot: (defined: number) => boolean,
  lateName: string,
  lateTables: LateTables = { tables: [], fill: 0 },
): SplitModule {
  const module = readModule(bytes);
  const parts = partsOf(module, isHot, lateTables.tables);
  const { hot, late, stubbed, lateRanges } = parts;
  return {
    first: writeFirst(module, parts, lateName, lateTables.fill),
    late: writeLate(module, parts),
    counts: { first: hot.size, late: late.length, stubs: stubbed.length },
    lateTableBytes: lateRanges.reduce((sum, { start, end }) => sum + end - start, 0),
  };
}

function partsOf(
  module: WasmModule,
  isHot: (defined: number) => boolean,
  tables: readonly KnownTable[],
): Parts {
  const imported = importedFunctions(module);
  const living = reachableFrom(module, rootsOf(module)).functions;
  const defined = module.bodies
    .map((_, index) => imported + index)
    .filter((index) => living.has(index));
  // The start function runs before the module's exports are there to make a late module of.
  const hot = new Set(defined.filter((index) => isHot(index - imported) || index === module.start));
  const named = new Set([...rootsOf(module), ...usedBy(module, hot).function]);
  const late = defined.filter((index) => !hot.has(index));
  const stubbed = late.filter((index) => named.has(index));
  const lateRanges = findLateRanges(module, hot, late, tables);
  return { hot, stubbed, late, used: usedBy(module, late), lateRanges };
}

/** Returns the functions that can be called from outside of the module. */
function rootsOf(module: WasmModule): number[] {
  return [
    ...module.exports.filter(({ kind }) => kind === KIND.function).map(({ index }) => index),
    ...module.elements.flatMap(({ functions }) => functions),
    ...(module.start === null ? [] : [module.start]),
  ];
}

function usedBy(module: WasmModule, functions: Iterable<number>): Parts["used"] {
  const imported = importedFunctions(module);
  const used = {
    function: new Set<number>(),
    global: new Set<number>(),
    table: new Set<number>(),
    tag: new Set<number>(),
  };
  for (const index of functions) {
    for (const reference of referencesOf(module.bodies[index - imported] ?? new Uint8Array(1))) {
      used[reference.space].add(reference.index);
    }
  }
  return {
    function: [...used.function],
    global: [...used.global],
    table: [...used.table],
    tag: [...used.tag],
  };
}
