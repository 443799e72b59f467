/** A WebAssembly module as lists; what no program here changes stays as bytes. */
import { ByteReader, joined, sized, text, unsigned, vector } from "./bytes.ts";

/** The numbers of the sections that are read or written here. */
export const SECTION = {
  custom: 0,
  types: 1,
  imports: 2,
  functions: 3,
  tables: 4,
  tags: 13,
  globals: 6,
  exports: 7,
  start: 8,
  elements: 9,
  code: 10,
  data: 11,
  dataCount: 12,
} as const;

/** What an import or an export is. */
export const KIND = { function: 0, table: 1, memory: 2, global: 3, tag: 4 } as const;

/** The sections in the order that a module must have; a custom one may stand anywhere. */
const ORDER = [0, 1, 2, 3, 4, 5, 13, 6, 7, 8, 9, 12, 10, 11];
const HEADER = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
const FUNCTION_TYPE = 0x60;
const END = 0x0b;

export interface FunctionType {
  readonly params: Uint8Array;
  readonly results: Uint8Array;
}

export interface Import {
  readonly module: string;
  readonly name: string;
  readonly kind: number;
  /** The type, as it is written. */
  readonly type: Uint8Array;
}

export interface Export {
  readonly name: string;
  readonly kind: number;
  readonly index: number;
}

export interface Global {
  /** The type of its value, and whether it can change. */
  readonly type: Uint8Array;
  readonly initial: Uint8Array;
}

/** Functions that are put into the first table when the module starts. */
export interface Element {
  readonly offset: Uint8Array;
  readonly functions: readonly number[];
}

export interface WasmModule {
  /** By number; a module has one of each, and custom sections besides. */
  readonly sections: ReadonlyMap<number, readonly Uint8Array[]>;
  readonly types: readonly FunctionType[];
  readonly imports: readonly Import[];
  /** The number of the type of each function that is defined here, as of its body. */
  readonly functionTypes: readonly number[];
  readonly tables: readonly Uint8Array[];
  readonly tags: readonly Uint8Array[];
  readonly globals: readonly Global[];
  readonly exports: readonly Export[];
  readonly elements: readonly Element[];
  readonly bodies: readonly Uint8Array[];
  /** The function that runs when the module is instantiated, if there is one. */
  readonly start: number | null;
}

/** Reads a module; throws if it has a part that no program here expects. */
export function readModule(bytes: Uint8Array): WasmModule {
  const sections = readSections(bytes);
  const items = <Item>(id: number, read: (reader: ByteReader) => Item): Item[] => {
    const content = sections.get(id)?.[0];
    if (content === undefined) {
      return [];
    }
    const reader = new ByteReader(content);
    return reader.vector(() => read(reader));
  };
  const start = sections.get(SECTION.start)?.[0];
  return {
    sections,
    types: items(SECTION.types, readType),
    imports: items(SECTION.imports, readImport),
    functionTypes: items(SECTION.functions, (reader) => reader.unsigned()),
    tables: items(SECTION.tables, (reader) => readTypeOf(KIND.table, reader)),
    tags: items(SECTION.tags, (reader) => readTypeOf(KIND.tag, reader)),
    globals: items(SECTION.globals, (reader) => ({
      type: readTypeOf(KIND.global, reader),
      initial: readConstant(reader),
    })),
    exports: items(SECTION.exports, (reader) => ({
      name: reader.text(),
      kind: reader.byte(),
      index: reader.unsigned(),
    })),
    elements: items(SECTION.elements, readElement),
    bodies: items(SECTION.code, (reader) => reader.take(reader.unsigned())),
    start: start === undefined ? null : new ByteReader(start).unsigned(),
  };
}

/** Writes a module with some sections replaced, each given as its content; an empty one is left out. */
export function writeModule(
  sections: WasmModule["sections"],
  replaced: ReadonlyMap<number, Uint8Array>,
  addedCustom: readonly Uint8Array[] = [],
): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [HEADER];
  for (const id of ORDER) {
    const content = replaced.get(id);
    for (const section of content === undefined ? (sections.get(id) ?? []) : [content]) {
      if (section.length > 0) {
        pieces.push(Uint8Array.of(id), sized(section));
      }
    }
  }
  for (const section of addedCustom) {
    pieces.push(Uint8Array.of(SECTION.custom), sized(section));
  }
  return joined(pieces);
}

export function writeTypes(types: readonly FunctionType[]): Uint8Array {
  return vector(
    types.map(({ params, results }) =>
      joined([Uint8Array.of(FUNCTION_TYPE), sized(params), sized(results)]),
    ),
  );
}

export function writeImports(imports: readonly Import[]): Uint8Array {
  return vector(
    imports.map(({ module, name, kind, type }) =>
      joined([text(module), text(name), Uint8Array.of(kind), type]),
    ),
  );
}

export function writeGlobals(globals: readonly Global[]): Uint8Array {
  return vector(globals.map(({ type, initial }) => joined([type, initial])));
}

export function writeExports(exports: readonly Export[]): Uint8Array {
  return vector(
    exports.map(({ name, kind, index }) =>
      joined([text(name), Uint8Array.of(kind), unsigned(index)]),
    ),
  );
}

export function writeElements(elements: readonly Element[]): Uint8Array {
  return vector(
    elements.map(({ offset, functions }) =>
      joined([Uint8Array.of(0), offset, writeNumbers(functions)]),
    ),
  );
}

/** Numbers, such as those of functions or of their types. */
export function writeNumbers(numbers: readonly number[]): Uint8Array {
  return vector(numbers.map(unsigned));
}

export function writeBodies(bodies: readonly Uint8Array[]): Uint8Array {
  return vector(bodies.map(sized));
}

function readSections(bytes: Uint8Array): Map<number, Uint8Array[]> {
  const reader = new ByteReader(bytes);
  if (HEADER.join() !== reader.take(HEADER.length).join()) {
    throw new Error("this is no WebAssembly module");
  }
  const sections = new Map<number, Uint8Array[]>();
  while (!reader.isAtEnd) {
    const id = reader.byte();
    const content = reader.take(reader.unsigned());
    sections.set(id, [...(sections.get(id) ?? []), content]);
  }
  return sections;
}

function readType(reader: ByteReader): FunctionType {
  const form = reader.byte();
  if (form !== FUNCTION_TYPE) {
    throw new Error(`a type of the form ${form} is not expected`);
  }
  return { params: reader.take(reader.unsigned()), results: reader.take(reader.unsigned()) };
}

function readImport(reader: ByteReader): Import {
  const [module, name, kind] = [reader.text(), reader.text(), reader.byte()];
  return { module, name, kind, type: readTypeOf(kind, reader) };
}

/** Returns the type of an import or a definition of some kind, as it is written. */
function readTypeOf(kind: number, reader: ByteReader): Uint8Array {
  const start = reader.at;
  switch (kind) {
    case KIND.function:
      reader.unsigned();
      break;
    case KIND.table:
      reader.byte();
      skipLimits(reader);
      break;
    case KIND.memory:
      skipLimits(reader);
      break;
    case KIND.global:
      reader.take(2);
      break;
    case KIND.tag:
      reader.byte();
      reader.unsigned();
      break;
    default:
      throw new Error(`an import of the kind ${kind} is not expected`);
  }
  return reader.bytes.subarray(start, reader.at);
}

function skipLimits(reader: ByteReader): void {
  const hasMaximum = (reader.byte() & 1) === 1;
  reader.unsigned();
  if (hasMaximum) {
    reader.unsigned();
  }
}

/** Returns the instructions of an initial value, with their end. */
function readConstant(reader: ByteReader): Uint8Array {
  const start = reader.at;
  for (let code = reader.byte(); code !== END; code = reader.byte()) {
    if ([0x41, 0x42, 0x23, 0xd0, 0xd2].includes(code)) {
      reader.skipNumber();
    } else if (code === 0x43 || code === 0x44) {
      reader.take(code === 0x43 ? 4 : 8);
    } else if (code !== 0x6a && code !== 0x6b) {
      throw new Error(`a constant with the instruction ${code} is not expected`);
    }
  }
  return reader.bytes.subarray(start, reader.at);
}

function readElement(reader: ByteReader): Element {
  const form = reader.unsigned();
  if (form !== 0) {
    throw new Error(`a list of functions of the form ${form} is not expected`);
  }
  return { offset: readConstant(reader), functions: reader.vector(() => reader.unsigned()) };
}
