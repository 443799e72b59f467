/** What the instructions of a function body refer to. */
import { ByteReader, joined, unsigned } from "./bytes.ts";

/** The lists of a module that instructions index. */
export type IndexSpace = "function" | "global" | "table" | "tag";

/** An index in a body, and where its bytes are. */
export interface Reference {
  readonly space: IndexSpace;
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

interface Found {
  readonly references: Reference[];
  readonly addresses: number[];
}

/** What follows an instruction's code: an index, or something to skip. */
type Immediate =
  | IndexSpace
  | "constant"
  | "number"
  | "numbers"
  | "labels"
  | "address"
  | "catches"
  | "4 bytes"
  | "8 bytes"
  | "byte";

const UNREACHABLE = 0x00;
const END = 0x0b;
const EXTENDED = 0xfc;

/** A body without locals that traps when it is called. */
export const TRAPPING_BODY: Uint8Array = Uint8Array.from([0, UNREACHABLE, END]);

/** The instructions that have immediates; from 0x45 to 0xc4 they are arithmetic and have none. */
const IMMEDIATES = new Map<number, readonly Immediate[]>([
  ...[0x02, 0x03, 0x04, 0x06].map((code) => [code, ["number"]] as const),
  ...[0x07, 0x08].map((code) => [code, ["tag"]] as const),
  ...[0x09, 0x0c, 0x0d, 0x18].map((code) => [code, ["number"]] as const),
  [0x0e, ["labels"]],
  ...[0x10, 0x12].map((code) => [code, ["function"]] as const),
  ...[0x11, 0x13].map((code) => [code, ["number", "table"]] as const),
  [0x1c, ["numbers"]],
  [0x1f, ["number", "catches"]],
  ...[0x20, 0x21, 0x22].map((code) => [code, ["number"]] as const),
  ...[0x23, 0x24].map((code) => [code, ["global"]] as const),
  ...[0x25, 0x26].map((code) => [code, ["table"]] as const),
  ...Array.from({ length: 0x3f - 0x28 }, (_, index) => [0x28 + index, ["address"]] as const),
  ...[0x3f, 0x40].map((code) => [code, ["byte"]] as const),
  [0x41, ["constant"]],
  [0x42, ["number"]],
  [0x43, ["4 bytes"]],
  [0x44, ["8 bytes"]],
  [0xd0, ["number"]],
  [0xd2, ["function"]],
]);
const WITHOUT_IMMEDIATES = new Set([
  ...[UNREACHABLE, 0x01, 0x05, 0x0a, END, 0x0f, 0x19, 0x1a, 0x1b, 0xd1],
  ...Array.from({ length: 0xc5 - 0x45 }, (_, index) => 0x45 + index),
]);
/** Behind 0xfc. Those of passive segments are missing: no module here has any. */
const EXTENDED_IMMEDIATES = new Map<number, readonly Immediate[]>([
  ...Array.from({ length: 8 }, (_, code) => [code, []] as const),
  [0x0a, ["byte", "byte"]],
  [0x0b, ["byte"]],
  [0x0e, ["table", "table"]],
  ...[0x0f, 0x10, 0x11].map((code) => [code, ["table"]] as const),
]);

/** Returns the offset of a body's first instruction, behind its locals. */
export function codeStart(body: Uint8Array): number {
  const reader = new ByteReader(body);
  reader.vector(() => {
    reader.skipNumber();
    reader.byte();
  });
  return reader.at;
}

/** Returns all that a body refers to; throws for an instruction that is not known. */
export function referencesOf(body: Uint8Array): Reference[] {
  return readBody(body).references;
}

/** Returns the numbers in a body that may be addresses: 32-bit constants and offsets of accesses. */
export function possibleAddresses(body: Uint8Array): number[] {
  return readBody(body).addresses;
}

function readBody(body: Uint8Array): Found {
  const reader = new ByteReader(body, codeStart(body));
  const found: Found = { references: [], addresses: [] };
  while (!reader.isAtEnd) {
    for (const immediate of immediatesAt(reader)) {
      readImmediate(reader, immediate, found);
    }
  }
  return found;
}

/** Returns a body whose references have the indices that `renumber` returns. */
export function renumbered(
  body: Uint8Array,
  renumber: (space: IndexSpace, index: number) => number,
): Uint8Array {
  const pieces: Uint8Array[] = [];
  let copied = 0;
  for (const { space, index, start, end } of referencesOf(body)) {
    pieces.push(body.subarray(copied, start), unsigned(renumber(space, index)));
    copied = end;
  }
  return joined([...pieces, body.subarray(copied)]);
}

function immediatesAt(reader: ByteReader): readonly Immediate[] {
  const code = reader.byte();
  if (WITHOUT_IMMEDIATES.has(code)) {
    return [];
  }
  const extended = code === EXTENDED ? reader.unsigned() : null;
  const found = extended === null ? IMMEDIATES.get(code) : EXTENDED_IMMEDIATES.get(extended);
  if (found === undefined) {
    throw new Error(`the instruction 0x${code.toString(16)} ${extended ?? ""} is not known`);
  }
  return found;
}

function readImmediate(reader: ByteReader, immediate: Immediate, found: Found): void {
  switch (immediate) {
    case "constant":
      found.addresses.push(reader.signed());
      return;
    case "number":
      reader.skipNumber();
      return;
    case "numbers":
      reader.vector(() => reader.skipNumber());
      return;
    case "labels":
      reader.vector(() => reader.skipNumber());
      reader.skipNumber();
      return;
    case "address":
      // Bit 6 of the alignment says that the number of a memory follows.
      if (reader.unsigned() & 64) {
        reader.skipNumber();
      }
      found.addresses.push(reader.unsigned());
      return;
    case "catches":
      reader.vector(() => {
        if (reader.byte() < 2) {
          readImmediate(reader, "tag", found);
        }
        reader.skipNumber();
      });
      return;
    case "byte":
      reader.byte();
      return;
    case "4 bytes":
      reader.take(4);
      return;
    case "8 bytes":
      reader.take(8);
      return;
    default: {
      const start = reader.at;
      const index = reader.unsigned();
      found.references.push({ space: immediate, index, start, end: reader.at });
    }
  }
}
