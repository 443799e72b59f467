/** Writes the first part of a split module. */
import { constant, joined, text, unsigned, vector } from "./bytes.ts";
import { type Range, readSegments, type Segment, without, writeSegments } from "./data-section.ts";
import { renumbered } from "./instructions.ts";
import { importedFunctions } from "./reachable.ts";
import {
  fail,
  LATE_TABLE,
  MEMORY,
  type Parts,
  SHARED,
  sharedName,
  tableOf,
  typeOf,
  ZERO,
} from "./split-parts.ts";
import {
  type Export,
  type FunctionType,
  type Import,
  KIND,
  SECTION,
  type WasmModule,
  writeBodies,
  writeElements,
  writeExports,
  writeGlobals,
  writeImports,
  writeModule,
  writeNumbers,
  writeTypes,
} from "./wasm-module.ts";

/** The first part names its late one in a custom section of this name. */
const LATE_SECTION = "treeglass.late";
const I32 = 0x7f;

/** What the first part has, by its numbers there. */
interface Numbers {
  /** The functions of the whole module that are or have a stub here, in their order. */
  readonly kept: readonly number[];
  /** Returns the number here of a function of the whole module. */
  readonly of: (index: number) => number;
  readonly load: number;
  readonly ensure: number;
  readonly isLoaded: number;
  readonly lateTable: number;
}

/** Returns the module with the functions of a start, and stubs for late ones. */
export function writeFirst(
  module: WasmModule,
  parts: Parts,
  lateName: string,
  fill: number,
): Uint8Array<ArrayBuffer> {
  const numbers = numbersOf(module, parts);
  const { types, voidType } = withVoidType(module.types);
  const elements = module.elements.map(({ offset, functions }) => ({
    offset,
    functions: functions.map(numbers.of),
  }));
  const functionTypes = numbers.kept.map((index) => typeOf(module, index));
  const isLoaded = { type: Uint8Array.of(I32, 1), initial: ZERO };
  const changed = new Map<number, Uint8Array>([
    [SECTION.types, writeTypes(types)],
    [SECTION.imports, writeImports(importsWith(module, voidType))],
    [SECTION.functions, writeNumbers([...functionTypes, voidType])],
    [SECTION.tables, vector([...module.tables, tableOf(parts.stubbed.length)])],
    [SECTION.globals, writeGlobals([...module.globals, isLoaded])],
    [SECTION.exports, writeExports(exportsOf(module, parts, numbers))],
    [SECTION.elements, writeElements(elements)],
    [SECTION.code, writeBodies(bodiesOf(module, parts, numbers))],
  ]);
  if (module.start !== null) {
    changed.set(SECTION.start, unsigned(numbers.of(module.start)));
  }
  if (parts.lateRanges.length > 0) {
    const segments = segmentsOf(module, parts.lateRanges, fill);
    changed.set(SECTION.data, writeSegments(segments));
    changed.set(SECTION.dataCount, unsigned(segments.length));
  }
  const name = joined([text(LATE_SECTION), new TextEncoder().encode(lateName)]);
  return writeModule(module.sections, changed, [name]);
}

/** Returns the module's segments without late ranges, which hold `fill` until they arrive. */
function segmentsOf(module: WasmModule, late: readonly Range[], fill: number): Segment[] {
  const [content] = module.sections.get(SECTION.data) ?? fail();
  const segments = without(readSegments(content ?? fail()), late);
  const filled = late.map(({ start, end }) => ({
    start,
    bytes: new Uint8Array(end - start).fill(fill),
  }));
  return fill === 0 ? segments : [...segments, ...filled];
}

function numbersOf(module: WasmModule, { hot, stubbed }: Parts): Numbers {
  const imported = importedFunctions(module);
  const kept = [...hot, ...stubbed].sort((one, other) => one - other);
  // Behind the imports is the one that loads the late part.
  const numbers = new Map(kept.map((index, place) => [index, imported + 1 + place]));
  const countOf = (kind: number) => module.imports.filter((entry) => entry.kind === kind).length;
  return {
    kept,
    of: (index) => (index < imported ? index : (numbers.get(index) ?? fail())),
    load: imported,
    ensure: imported + 1 + kept.length,
    isLoaded: countOf(KIND.global) + module.globals.length,
    lateTable: countOf(KIND.table) + module.tables.length,
  };
}

/** Returns the imports with the function that loads the late part, the last of the functions. */
function importsWith(module: WasmModule, voidType: number): Import[] {
  const isFunction = ({ kind }: Import) => kind === KIND.function;
  const type = unsigned(voidType);
  return [
    ...module.imports.filter(isFunction),
    { module: SHARED, name: "load", kind: KIND.function, type },
    ...module.imports.filter((entry) => !isFunction(entry)),
  ];
}

function exportsOf(module: WasmModule, { hot, used }: Parts, numbers: Numbers): Export[] {
  const shared: Export[] = [
    { name: LATE_TABLE, kind: KIND.table, index: numbers.lateTable },
    ...used.function
      .filter((index) => hot.has(index))
      .map((index) => ({ name: sharedName("function", index), kind: KIND.function, index })),
    ...definedOf(module, used),
  ];
  return [...module.exports, ...shared].map((entry) =>
    entry.kind === KIND.function ? { ...entry, index: numbers.of(entry.index) } : entry,
  );
}

/** Returns exports of what the module defines and late functions use, functions left out. */
function definedOf(module: WasmModule, used: Parts["used"]): Export[] {
  const defined = (["global", "table", "tag"] as const).flatMap((space) => {
    const kind = KIND[space];
    const imported = module.imports.filter((entry) => entry.kind === kind).length;
    return used[space]
      .filter((index) => index >= imported)
      .map((index) => ({ name: sharedName(space, index), kind, index }));
  });
  const hasMemory = module.imports.some(({ kind }) => kind === KIND.memory);
  return hasMemory ? defined : [...defined, { name: MEMORY, kind: KIND.memory, index: 0 }];
}

function bodiesOf(module: WasmModule, { stubbed }: Parts, numbers: Numbers): Uint8Array[] {
  const imported = importedFunctions(module);
  const slots = new Map(stubbed.map((index, slot) => [index, slot]));
  const bodies = numbers.kept.map((index) => {
    const slot = slots.get(index);
    return slot === undefined
      ? renumbered(module.bodies[index - imported] ?? fail(), (space, target) =>
          space === "function" ? numbers.of(target) : target,
        )
      : stubBody(module, typeOf(module, index), slot, numbers);
  });
  return [...bodies, ensureBody(numbers)];
}

/** `if (!loaded) { load(); loaded = true }`; if loading throws, the next call tries again. */
function ensureBody({ load, isLoaded }: Numbers): Uint8Array {
  return joined([
    Uint8Array.of(0, 0x23),
    unsigned(isLoaded),
    Uint8Array.of(0x45, 0x04, 0x40, 0x10),
    unsigned(load),
    Uint8Array.of(0x41, 1, 0x24),
    unsigned(isLoaded),
    Uint8Array.of(0x0b, 0x0b),
  ]);
}

/** Passes its parameters to the late function. */
function stubBody(
  module: WasmModule,
  type: number,
  slot: number,
  { ensure, lateTable }: Numbers,
): Uint8Array {
  const { params } = module.types[type] ?? fail();
  return joined([
    Uint8Array.of(0, 0x10),
    unsigned(ensure),
    ...Array.from(params, (_, index) => joined([Uint8Array.of(0x20), unsigned(index)])),
    Uint8Array.of(0x41),
    constant(slot),
    Uint8Array.of(0x11),
    unsigned(type),
    unsigned(lateTable),
    Uint8Array.of(0x0b),
  ]);
}

function withVoidType(types: readonly FunctionType[]) {
  const found = types.findIndex(({ params, results }) => params.length + results.length === 0);
  const none = new Uint8Array();
  return found >= 0
    ? { types, voidType: found }
    : { types: [...types, { params: none, results: none }], voidType: types.length };
}
