/** Parses the entries of a tar archive; the caller supplies the bytes. */
import { TreeglassError } from "../../../protocol/errors.ts";
import { decodeUtf8 } from "../../names.ts";
import { BLOCK_BYTES, isZeroBlock, parseHeader, type TarHeader } from "./tar-header.ts";
import { applyPaxRecords, parseLongName, type TarOverrides, type TarText } from "./tar-records.ts";

export interface TarEntry {
  readonly kind: "file" | "directory" | "symlink" | "hard-link" | "unreadable";
  readonly path: string;
  /** The target of a link; else empty. */
  readonly target: string;
  /** Why it cannot be in a tree; empty if it can. */
  readonly fault: string;
  /** The decodings of texts that are not UTF-8. */
  readonly conversions: readonly string[];
  readonly modifiedMs: number;
  readonly unixMode: number;
  readonly contentStart: number;
  readonly contentBytes: number;
}

/**
 * The next step of the parser.
 *
 * `take`: pass in the next `byteCount` bytes, or fewer at the end of the archive. `entry`: skip the
 * entry's content and the `paddingBytes` after it, some of which may be missing at the end.
 */
export type TarStep =
  | { readonly kind: "take"; readonly byteCount: number }
  | { readonly kind: "entry"; readonly entry: TarEntry; readonly paddingBytes: number };

export const MAX_RECORD_BYTES = 1024 * 1024;
/** The most long names and pax headers before one entry. */
export const MAX_RECORDS_PER_ENTRY = 64;
const MAX_SPARSE_BLOCKS = 65_536;
const OLD_SPARSE_EXTENDED_AT = 482;
const NEXT_SPARSE_EXTENDED_AT = 504;

const TAKE_BLOCK: TarStep = { kind: "take", byteCount: BLOCK_BYTES };
const NO_BYTES = new Uint8Array();
const PAX_TYPES = "xX";
const NO_FAULT = "";
const NO_TARGET: TarText = { text: "", isUtf8: true };

/** Parses an archive step by step; throws `SourceUnreadable` if it is broken. */
export function* tarSteps(): Generator<TarStep, void, Uint8Array> {
  let position = 0;
  let globals: TarOverrides = {};
  let overrides: TarOverrides = {};
  let recordCount = 0;
  while (true) {
    const headerStart = position;
    const block = yield TAKE_BLOCK;
    if (block.byteLength === 0 && recordCount === 0) {
      return;
    }
    if (block.byteLength < BLOCK_BYTES) {
      throw cutShort();
    }
    if (isZeroBlock(block)) {
      return;
    }
    const header = parseHeader(block);
    if (header === null) {
      throw brokenTar(`has a broken header at byte ${headerStart}`);
    }
    position += BLOCK_BYTES;
    if (isRecordType(header.type)) {
      recordCount += 1;
      const body = yield* takeRecord(header, headerStart, recordCount);
      position += padded(header.sizeBytes);
      if (header.type === "g") {
        globals = withRecords(globals, body, headerStart);
        overrides = { ...globals };
      } else {
        overrides = withRecord(overrides, header.type, body, headerStart);
      }
      continue;
    }
    if (header.type === "S") {
      position += yield* takeSparseMap(block);
    }
    const entry = entryOf(header, overrides, position);
    const paddingBytes = padded(entry.contentBytes) - entry.contentBytes;
    yield { kind: "entry", entry, paddingBytes };
    position += entry.contentBytes + paddingBytes;
    if (recordCount > 0) {
      overrides = { ...globals };
      recordCount = 0;
    }
  }
}

export function cutShort(): TreeglassError {
  return brokenTar("ends in the middle of an entry; it was cut short");
}

function brokenTar(what: string): TreeglassError {
  return new TreeglassError(
    "SourceUnreadable",
    `The tar archive ${what}; make it again and retry.`,
  );
}

function isRecordType(type: string): boolean {
  return PAX_TYPES.includes(type) || type === "g" || type === "L" || type === "K";
}

function* takeRecord(
  header: TarHeader,
  headerStart: number,
  recordCount: number,
): Generator<TarStep, Uint8Array, Uint8Array> {
  if (header.sizeBytes > MAX_RECORD_BYTES) {
    throw brokenTar(
      `has an extended header of ${header.sizeBytes} bytes at byte ${headerStart}, over ${MAX_RECORD_BYTES}`,
    );
  }
  if (recordCount > MAX_RECORDS_PER_ENTRY) {
    throw brokenTar(`has more than ${MAX_RECORDS_PER_ENTRY} extended headers before one entry`);
  }
  if (header.sizeBytes === 0) {
    return NO_BYTES;
  }
  const body = yield { kind: "take", byteCount: padded(header.sizeBytes) };
  if (body.byteLength < header.sizeBytes) {
    throw cutShort();
  }
  return body.subarray(0, header.sizeBytes);
}

/** Skips the map before the content of an old sparse file, and returns its size in bytes. */
function* takeSparseMap(header: Uint8Array): Generator<TarStep, number, Uint8Array> {
  let isContinued = header[OLD_SPARSE_EXTENDED_AT] !== 0;
  let blockCount = 0;
  while (isContinued) {
    const block = yield TAKE_BLOCK;
    blockCount += 1;
    if (block.byteLength < BLOCK_BYTES) {
      throw cutShort();
    }
    if (blockCount > MAX_SPARSE_BLOCKS) {
      throw brokenTar(`has a sparse file of more than ${MAX_SPARSE_BLOCKS} blocks of holes`);
    }
    isContinued = block[NEXT_SPARSE_EXTENDED_AT] !== 0;
  }
  return blockCount * BLOCK_BYTES;
}

function withRecord(
  overrides: TarOverrides,
  type: string,
  body: Uint8Array,
  headerStart: number,
): TarOverrides {
  switch (type) {
    case "L":
      return { ...overrides, path: parseLongName(body) };
    case "K":
      return { ...overrides, target: parseLongName(body) };
    default:
      return withRecords(overrides, body, headerStart);
  }
}

function withRecords(overrides: TarOverrides, body: Uint8Array, headerStart: number): TarOverrides {
  const changed = { ...overrides };
  if (!applyPaxRecords(body, changed)) {
    throw brokenTar(`has a broken pax header at byte ${headerStart}`);
  }
  return changed;
}

function entryOf(header: TarHeader, overrides: TarOverrides, contentStart: number): TarEntry {
  const path = overrides.path ?? decodeUtf8(header.path);
  const { kind, fault } = kindOf(header.type, path.text, overrides.isSparse === true);
  const isLink = kind === "symlink" || kind === "hard-link";
  const target = isLink ? (overrides.target ?? decodeUtf8(header.target)) : NO_TARGET;
  const conversions: string[] = [];
  if (!path.isUtf8) {
    conversions.push("the name is not UTF-8; broken bytes replaced by U+FFFD");
  }
  if (!target.isUtf8) {
    conversions.push("the target is not UTF-8; broken bytes replaced by U+FFFD");
  }
  return {
    kind,
    path: path.text,
    target: target.text,
    fault,
    conversions,
    modifiedMs: overrides.modifiedMs ?? header.modifiedMs,
    unixMode: header.unixMode,
    contentStart,
    contentBytes: hasContent(header.type, kind) ? (overrides.sizeBytes ?? header.sizeBytes) : 0,
  };
}

const KINDS: ReadonlyMap<string, TarEntry["kind"]> = new Map([
  ["0", "file"],
  ["1", "hard-link"],
  ["2", "symlink"],
  ["5", "directory"],
  ["7", "file"],
  ["D", "directory"],
]);

const SPARSE = "is a sparse file";
const DEVICE = "is a device, a pipe or a socket";
const FAULTS: ReadonlyMap<string, string> = new Map([
  ["3", DEVICE],
  ["4", DEVICE],
  ["6", DEVICE],
  ["S", SPARSE],
  ["M", "is a part of a file whose rest is in another archive"],
  ["V", "is the archive's label and no file"],
]);

function kindOf(
  type: string,
  path: string,
  isSparse: boolean,
): { readonly kind: TarEntry["kind"]; readonly fault: string } {
  if (isSparse && "07\0".includes(type)) {
    return { kind: "unreadable", fault: SPARSE };
  }
  if (type === "\0") {
    // The oldest format has no type for directories, and marks them by a slash.
    return { kind: path.endsWith("/") ? "directory" : "file", fault: NO_FAULT };
  }
  const kind = KINDS.get(type);
  const fault = FAULTS.get(type) ?? `is of the unknown type ${type.charCodeAt(0)}`;
  return kind === undefined ? { kind: "unreadable", fault } : { kind, fault: NO_FAULT };
}

/** Tells whether the archive has content for an entry; links and devices have none. */
function hasContent(type: string, kind: TarEntry["kind"]): boolean {
  return kind === "file" || type === "D" || (kind === "unreadable" && !"346".includes(type));
}

function padded(byteCount: number): number {
  return Math.ceil(byteCount / BLOCK_BYTES) * BLOCK_BYTES;
}
