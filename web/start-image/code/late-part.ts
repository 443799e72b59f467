/** Writes the late part of a split module. */
import { joined, unsigned, vector } from "./bytes.ts";
import { memoryOf, type Range, readSegments, type Segment, writeSegments } from "./data-section.ts";
import { type IndexSpace, renumbered } from "./instructions.ts";
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
  type Import,
  KIND,
  SECTION,
  type WasmModule,
  writeBodies,
  writeImports,
  writeModule,
  writeNumbers,
  writeTypes,
} from "./wasm-module.ts";

/** Limits that any table and memory keep. */
const ANY_SIZE = Uint8Array.of(0, 0);

/** Returns a module of the late functions, which imports all else that they refer to. */
export function writeLate(module: WasmModule, parts: Parts): Uint8Array<ArrayBuffer> {
  const { late, stubbed, used } = parts;
  const imported = importedFunctions(module);
  const lateFunctions = new Set(late);
  const outside = used.function.filter((index) => !lateFunctions.has(index));
  const numbers = {
    function: numbering([...outside, ...late]),
    global: numbering(used.global),
    table: numbering(used.table),
    tag: numbering(used.tag),
  };
  const imports = [
    ...outside.map((index) => importOf(module, "function", index)),
    memoryImport(module),
    ...used.table.map((index) => importOf(module, "table", index)),
    { module: SHARED, name: LATE_TABLE, kind: KIND.table, type: tableOf(0) },
    ...used.tag.map((index) => importOf(module, "tag", index)),
    ...used.global.map((index) => importOf(module, "global", index)),
  ];
  const places = stubbed.map((index) => numbers.function.get(index) ?? fail());
  const changed = new Map<number, Uint8Array>([
    [SECTION.types, writeTypes(module.types)],
    [SECTION.imports, writeImports(imports)],
    [SECTION.functions, writeNumbers(late.map((index) => typeOf(module, index)))],
    [
      SECTION.elements,
      // In the table behind those that late functions use.
      vector([
        joined([
          unsigned(2),
          unsigned(used.table.length),
          ZERO,
          Uint8Array.of(0),
          writeNumbers(places),
        ]),
      ]),
    ],
    [
      SECTION.code,
      writeBodies(
        late.map((index) =>
          renumbered(
            module.bodies[index - imported] ?? fail(),
            (space, target) => numbers[space].get(target) ?? fail(),
          ),
        ),
      ),
    ],
  ]);
  if (parts.lateRanges.length > 0) {
    changed.set(SECTION.data, writeSegments(lateSegments(module, parts.lateRanges)));
  }
  return writeModule(new Map(), changed);
}

function lateSegments(module: WasmModule, late: readonly Range[]): Segment[] {
  const [content] = module.sections.get(SECTION.data) ?? fail();
  const memory = memoryOf(readSegments(content ?? fail()));
  return late.map(({ start, end }) => ({ start, bytes: memory.subarray(start, end) }));
}

/** Returns the import of a late module for something of the whole module. */
function importOf(module: WasmModule, space: IndexSpace, index: number): Import {
  const kind = KIND[space];
  const imports = module.imports.filter((entry) => entry.kind === kind);
  const entry = imports[index];
  if (entry !== undefined) {
    // The first module may have made a table larger since.
    return kind === KIND.table ? { ...entry, type: looseTable(entry.type) } : entry;
  }
  const defined = index - imports.length;
  const types = {
    function: () => unsigned(module.functionTypes[defined] ?? fail()),
    global: () => module.globals[defined]?.type ?? fail(),
    table: () => looseTable(module.tables[defined] ?? fail()),
    tag: () => module.tags[defined] ?? fail(),
  };
  return { module: SHARED, name: sharedName(space, index), kind, type: types[space]() };
}

function memoryImport(module: WasmModule): Import {
  const imported = module.imports.find(({ kind }) => kind === KIND.memory);
  const { module: space, name } = imported ?? { module: SHARED, name: MEMORY };
  return { module: space, name, kind: KIND.memory, type: ANY_SIZE };
}

/** Returns the type of a table of the same elements and any size. */
function looseTable(type: Uint8Array): Uint8Array {
  return joined([type.subarray(0, 1), ANY_SIZE]);
}

function numbering(indices: readonly number[]): Map<number, number> {
  return new Map(indices.map((index, number) => [index, number]));
}
