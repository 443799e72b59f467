/** Writes zip archives, broken ones included: every number can be set to a lie. */
import { deflateRawSync } from "node:zlib";

export interface ZipMember {
  readonly name: string | Uint8Array;
  readonly content?: string | Uint8Array;
  /** 0 stored, 8 deflated, anything else for an unknown method. */
  readonly method?: number;
  readonly flags?: number;
  /** With file type; given one, the maker is a Unix. */
  readonly unixMode?: number;
  readonly extra?: Uint8Array;
  readonly declaredBytes?: number;
  /** The compressed form, whatever the content is. */
  readonly body?: Uint8Array;
  /** Sizes after the content and zeros before it, as a streaming writer leaves them. */
  readonly hasDataDescriptor?: boolean;
  /** Sizes and offset in the 64-bit extra field. */
  readonly isZip64?: boolean;
  readonly crc32?: number;
  /** DOS date and time. */
  readonly dosTime?: readonly [number, number];
}

export interface ZipOptions {
  /** Bytes before the first entry that no offset counts. */
  readonly prefix?: Uint8Array;
  readonly comment?: string;
  /** What the end record says of the number of entries. */
  readonly declaredEntries?: number;
  /** Directory numbers in the 64-bit end record. */
  readonly isZip64?: boolean;
}

export function writeZip(members: readonly ZipMember[], options: ZipOptions = {}): Uint8Array {
  const locals: Uint8Array[] = [];
  const centrals: Uint8Array[] = [];
  let offset = 0;
  for (const member of members) {
    const parts = partsOf(member, offset);
    locals.push(parts.local);
    centrals.push(parts.central);
    offset += parts.local.byteLength;
  }
  const central = Buffer.concat(centrals);
  const count = options.declaredEntries ?? members.length;
  const end = endRecords(count, central.byteLength, offset, options);
  return new Uint8Array(
    Buffer.concat([options.prefix ?? new Uint8Array(), ...locals, central, end]),
  );
}

function partsOf(member: ZipMember, offset: number): { local: Uint8Array; central: Uint8Array } {
  const name = typeof member.name === "string" ? Buffer.from(member.name) : member.name;
  const content = Buffer.from(member.content ?? "");
  const method = member.method ?? 8;
  const body = member.body ?? (method === 8 ? deflateRawSync(content) : content);
  const size = member.declaredBytes ?? content.byteLength;
  const flags =
    (member.flags ?? (typeof member.name === "string" ? 0x800 : 0)) |
    (member.hasDataDescriptor ? 8 : 0);
  const crc = member.crc32 ?? crc32(content);
  const [date, time] = member.dosTime ?? [(20 << 9) | (1 << 5) | 1, 0];
  const wide = member.isZip64 ? zip64Extra([size, body.byteLength, offset]) : new Uint8Array();
  const extra = Buffer.concat([wide, member.extra ?? new Uint8Array()]);
  const shared = (sizes: readonly [number, number, number]) =>
    u16(20, flags, method, time, date).concat(u32(...sizes), u16(name.byteLength));
  const sizes: [number, number, number] = [crc, body.byteLength, size];
  const local = [
    ...u32(0x04034b50),
    ...shared(member.hasDataDescriptor ? [0, 0, 0] : sizes),
    ...u16(0),
  ];
  const descriptor = member.hasDataDescriptor ? u32(0x08074b50, ...sizes) : [];
  const madeBy = ((member.unixMode === undefined ? 0 : 3) << 8) | 20;
  const saturated = 0xffffffff;
  const central = [
    ...u32(0x02014b50),
    ...u16(madeBy),
    ...shared(member.isZip64 ? [crc, saturated, saturated] : sizes),
    ...u16(extra.byteLength, 0, 0, 0),
    ...u32(((member.unixMode ?? 0) << 16) >>> 0, member.isZip64 ? saturated : offset),
  ];
  return {
    local: Buffer.concat([Buffer.from(local), name, body, Buffer.from(descriptor)]),
    central: Buffer.concat([Buffer.from(central), name, extra]),
  };
}

function endRecords(
  count: number,
  centralBytes: number,
  start: number,
  { comment = "", isZip64 = false }: ZipOptions,
): Uint8Array {
  const wide = isZip64
    ? [
        ...u32(0x06064b50),
        ...u64(44),
        ...u16(45, 45),
        ...u32(0, 0),
        ...u64(count, count, centralBytes, start),
        ...u32(0x07064b50, 0),
        ...u64(start + centralBytes),
        ...u32(1),
      ]
    : [];
  const numbers = isZip64 ? [0xffff, 0xffffffff, 0xffffffff] : [count, centralBytes, start];
  const [entries = 0, bytes = 0, at = 0] = numbers;
  return Buffer.from([
    ...wide,
    ...u32(0x06054b50),
    ...u16(0, 0, entries, entries),
    ...u32(bytes, at),
    ...u16(comment.length),
    ...Buffer.from(comment),
  ]);
}

/** Returns an extra field with a Unix time in seconds. */
export function extendedTime(seconds: number): Uint8Array {
  return Uint8Array.from([...u16(0x5455, 5), 1, ...u32(seconds >>> 0)]);
}

function zip64Extra(numbers: readonly number[]): Uint8Array {
  return Uint8Array.from([...u16(1, numbers.length * 8), ...u64(...numbers)]);
}

/** Bit by bit, unlike the reader, which has a table; Node's own came after version 20.0. */
function crc32(bytes: Uint8Array): number {
  let remainder = 0xffffffff;
  for (const byte of bytes) {
    for (let bit = 0; bit < 8; bit += 1) {
      const isOdd = ((remainder ^ (byte >>> bit)) & 1) === 1;
      remainder = (remainder >>> 1) ^ (isOdd ? 0xedb88320 : 0);
    }
  }
  return ~remainder >>> 0;
}

function little(values: readonly number[], bytes: number): number[] {
  return values.flatMap((value) =>
    Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** index) % 256),
  );
}

const u16 = (...values: number[]) => little(values, 2);
const u32 = (...values: number[]) => little(values, 4);
const u64 = (...values: number[]) => little(values, 8);
