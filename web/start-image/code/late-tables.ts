/**
 * Finds the tables that only late functions read.
 *
 * A table is known by its first and last bytes. Code reads it by an address in it, which is a number
 * in the code, and so each number in a function of the first part may be such an address. What it
 * may name stays; most such numbers are others, like the last code point of Unicode.
 */

import { ByteReader } from "./bytes.ts";
import { memoryOf, type Range, readSegments } from "./data-section.ts";
import { possibleAddresses, referencesOf } from "./instructions.ts";
import { importedFunctions } from "./reachable.ts";
import { KIND, SECTION, type WasmModule } from "./wasm-module.ts";

/** Adjoining tables of one kind. */
export interface KnownTable {
  /** What it is, for people. */
  readonly kind: string;
  /** Its first bytes and its last ones, in hexadecimal digits. */
  readonly begins: string;
  readonly ends: string;
  readonly bytes: number;
}

/** Code may name an object by an address up to so many bytes before or behind its start. */
const MARGIN_BYTES = 512;
/** A smaller range would save less than it costs. */
const MIN_BYTES = 256;

/** Returns the ranges of memory that are in a known table, and that no early function may name. */
export function findLateRanges(
  module: WasmModule,
  early: ReadonlySet<number>,
  late: Iterable<number>,
  tables: readonly KnownTable[],
): Range[] {
  if (tables.length === 0) {
    return [];
  }
  const [content] = module.sections.get(SECTION.data) ?? [];
  const memory = memoryOf(content === undefined ? [] : readSegments(content));
  const exported = module.exports.filter(({ kind }) => kind === KIND.global);
  const named = [
    ...namedBy(module, early),
    ...exported.map(({ index }) => addressIn(module, index)),
  ].sort((one, other) => one - other);
  const starts = [...new Set([...named, ...namedBy(module, late)])].sort(
    (one, other) => one - other,
  );
  return tables.flatMap((table) => {
    const found = findTable(memory, table);
    return found === null ? [] : unnamed(found, named, starts);
  });
}

/** Returns where a table is, or null for one that the module lacks. */
function findTable(memory: Uint8Array, { begins, ends, bytes }: KnownTable): Range | null {
  const content = Buffer.from(memory.buffer, memory.byteOffset, memory.length);
  const [first, last] = [Buffer.from(begins, "hex"), Buffer.from(ends, "hex")];
  for (let start = content.indexOf(first); start >= 0; start = content.indexOf(first, start + 1)) {
    const end = start + bytes;
    if (last.equals(content.subarray(end - last.length, end))) {
      return { start, end };
    }
  }
  return null;
}

/** Returns the parts of a table that hold no object which a name may belong to; both are sorted. */
function unnamed(table: Range, named: readonly number[], starts: readonly number[]): Range[] {
  const ranges: Range[] = [];
  let start = table.start;
  for (const name of named) {
    if (name + MARGIN_BYTES > start && name - MARGIN_BYTES < table.end) {
      ranges.push({ start, end: name - MARGIN_BYTES });
      const next = starts.find((other) => other >= name + MARGIN_BYTES) ?? table.end;
      start = Math.max(start, next);
    }
  }
  ranges.push({ start, end: table.end });
  return ranges.filter((range) => range.end - range.start >= MIN_BYTES);
}

/** Returns all that these functions may name. */
function namedBy(module: WasmModule, functions: Iterable<number>): Set<number> {
  const firstBody = importedFunctions(module);
  const named = new Set<number>();
  for (const index of functions) {
    const body = module.bodies[index - firstBody] ?? new Uint8Array(1);
    for (const address of possibleAddresses(body)) {
      named.add(address);
    }
    for (const reference of referencesOf(body)) {
      if (reference.space === "global") {
        named.add(addressIn(module, reference.index));
      }
    }
  }
  return named;
}

/** Returns the constant that a global holds at first, 0 for another one. */
function addressIn(module: WasmModule, index: number): number {
  const imported = module.imports.filter(({ kind }) => kind === KIND.global).length;
  const initial = module.globals[index - imported]?.initial ?? new Uint8Array();
  return initial[0] === 0x41 ? new ByteReader(initial, 1).signed() : 0;
}
