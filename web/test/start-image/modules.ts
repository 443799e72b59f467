/** Small WebAssembly modules for the tests. */
import { joined, text, unsigned, vector } from "../../start-image/code/bytes.ts";
import { type Segment, writeSegments } from "../../start-image/code/data-section.ts";
import type { SplitModule } from "../../start-image/code/split-module.ts";
import {
  KIND,
  SECTION,
  writeBodies,
  writeExports,
  writeGlobals,
  writeImports,
  writeModule,
  writeNumbers,
  writeTypes,
} from "../../start-image/code/wasm-module.ts";

const I32 = 0x7f;
const TABLE = 0x70;
const END = 0x0b;
const MEMORY_SECTION = 5;

/** `(func (param i32) (result i32))`, the type of every function here. */
const TYPES = writeTypes([{ params: Uint8Array.of(I32), results: Uint8Array.of(I32) }]);
const MUTABLE_NUMBER = Uint8Array.of(I32, 1);

/** Adds `addend` to the parameter, and passes the sum to the functions in turn. */
export function adding(addend: number, ...then: number[]): Uint8Array {
  const calls = then.map((index) => joined([Uint8Array.of(0x10), unsigned(index)]));
  return joined([Uint8Array.of(0, 0x20, 0, 0x41, addend, 0x6a), ...calls, Uint8Array.of(END)]);
}

/** Calls what is in the table at the place that the parameter names, with 100. */
export const CALLING_THE_TABLE = Uint8Array.of(0, 0x41, 0xe4, 0, 0x20, 0, 0x11, 0, 0, END);

/** Returns the byte of memory at an address, behind which the parameter counts. */
export function loading(address: number): Uint8Array {
  return joined([Uint8Array.of(0, 0x20, 0, 0x2d, 0), unsigned(address), Uint8Array.of(END)]);
}

/** Returns what a global holds. */
export function reading(global: number): Uint8Array {
  return joined([Uint8Array.of(0, 0x23), unsigned(global), Uint8Array.of(END)]);
}

export interface Parts {
  readonly bodies: readonly Uint8Array[];
  /** Functions and globals by the names of their exports. */
  readonly functions?: Readonly<Record<string, number>>;
  readonly globals?: Readonly<Record<string, number>>;
  /** The functions in the table. */
  readonly table?: readonly number[];
  /** The names of the globals that it imports, as Emscripten passes the numbers of functions. */
  readonly numbers?: readonly string[];
  /** What memory holds at first. */
  readonly segments?: readonly Segment[];
}

/** Returns a module that imports `env.twice`, its function 0; each body is a function after it. */
export function moduleOf({
  bodies,
  functions = {},
  globals = {},
  table = [],
  numbers = [],
  segments = [],
}: Parts): Uint8Array<ArrayBuffer> {
  const exported = (kind: number, names: Readonly<Record<string, number>>) =>
    Object.entries(names).map(([name, index]) => ({ name, kind, index }));
  const twice = { module: "env", name: "twice", kind: KIND.function, type: unsigned(0) };
  const imports = numbers.map((name) => ({
    module: "GOT.func",
    name,
    kind: KIND.global,
    type: MUTABLE_NUMBER,
  }));
  const sections = new Map([
    [SECTION.types, TYPES],
    [SECTION.imports, writeImports([twice, ...imports])],
    [SECTION.functions, writeNumbers(bodies.map(() => 0))],
    [SECTION.tables, vector([Uint8Array.of(TABLE, 0, table.length)])],
    [MEMORY_SECTION, vector([Uint8Array.of(0, 1)])],
    [
      SECTION.globals,
      writeGlobals([{ type: MUTABLE_NUMBER, initial: Uint8Array.of(0x41, 7, END) }]),
    ],
    [
      SECTION.exports,
      writeExports([
        ...exported(KIND.function, functions),
        ...exported(KIND.global, globals),
        { name: "table", kind: KIND.table, index: 0 },
      ]),
    ],
    [SECTION.elements, vector([joined([Uint8Array.of(0, 0x41, 0, END), writeNumbers(table)])])],
    [SECTION.code, writeBodies(bodies)],
    [SECTION.dataCount, unsigned(segments.length)],
    [SECTION.data, writeSegments(segments)],
    [SECTION.custom, joined([text("kept"), Uint8Array.of(1, 2, 3)])],
  ]);
  return writeModule(new Map(), sections);
}

/** What a module made here exports. */
export type Exports = Record<string, (value: number) => number>;

/** The imports of a module made here. */
export const IMPORTS = { env: { twice: (value: number) => value * 2 } };

/** Runs both parts of a module; `loads` counts how often the late one was asked for. */
export function running({ first, late }: SplitModule) {
  const seen = { loads: 0, table: [] as unknown[] };
  const shared: Record<string, WebAssembly.ExportValue> = {};
  const load = () => {
    seen.loads += 1;
    new WebAssembly.Instance(new WebAssembly.Module(late), { ...IMPORTS, "~": shared });
  };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(first), {
    ...IMPORTS,
    "~": { load },
  });
  for (const [name, exported] of Object.entries(exports)) {
    if (name.startsWith("~")) {
      shared[name] = exported;
    }
  }
  return { exports: exports as Exports, seen };
}
