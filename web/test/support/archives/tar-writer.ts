/** Writes tar archives; every field can be set to a lie. */

export interface TarMember {
  readonly name?: string | Uint8Array;
  readonly content?: string | Uint8Array;
  /** A file, "0", unless said otherwise. */
  readonly type?: string;
  readonly target?: string | Uint8Array;
  readonly modifiedSeconds?: number;
  /** What the header says of the size, whatever the content is. */
  readonly declaredBytes?: number;
  /** POSIX's unless said otherwise; the oldest writers have none. */
  readonly magic?: string;
  /** Bytes of the header that are written over all else, by their place. */
  readonly patches?: Readonly<Record<number, Uint8Array>>;
  /** What the header says its checksum is. */
  readonly checksum?: number;
}

export interface TarOptions {
  /** Blocks of zeros behind the last entry: two, unless said otherwise. */
  readonly endBlocks?: number;
}

const BLOCK_BYTES = 512;

export function writeTar(members: readonly TarMember[], options: TarOptions = {}): Uint8Array {
  const parts = members.flatMap(partsOf);
  return new Uint8Array(
    Buffer.concat([...parts, Buffer.alloc((options.endBlocks ?? 2) * BLOCK_BYTES)]),
  );
}

/** Returns a pax header with records for the member after it; with type "g", for all of them. */
export function pax(records: Readonly<Record<string, string>>, type = "x"): TarMember {
  const lines = Object.entries(records).map(([key, value]) => paxRecord(key, value));
  return { name: "PaxHeaders/0", type, content: Buffer.concat(lines) };
}

/** Returns GNU's header with a long name ("L") or a long target ("K") for the member after it. */
export function longName(text: string, type = "L"): TarMember {
  return { name: "././@LongLink", type, content: `${text}\0`, magic: "ustar  \0" };
}

/** Returns a number as headers hold one that has no room in octal digits. */
export function base256(value: bigint, byteCount = 12): Uint8Array {
  const bytes = new Uint8Array(byteCount);
  let rest = value;
  for (let at = byteCount - 1; at >= 0; at -= 1) {
    bytes[at] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  bytes[0] = value < 0n ? 0xff : 0x80;
  return bytes;
}

function paxRecord(key: string, value: string): Uint8Array {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + 1;
  while (length !== rest + String(length).length) {
    length = rest + String(length).length;
  }
  return Buffer.from(`${length} ${key}=${value}\n`);
}

function partsOf(member: TarMember): Uint8Array[] {
  const content = Buffer.from(member.content ?? "");
  const padding = Buffer.alloc((BLOCK_BYTES - (content.byteLength % BLOCK_BYTES)) % BLOCK_BYTES);
  return [headerOf(member, content.byteLength), content, padding];
}

function headerOf(member: TarMember, contentBytes: number): Uint8Array {
  const header = Buffer.alloc(BLOCK_BYTES);
  header.set(Buffer.from(member.name ?? "").subarray(0, 100), 0);
  header.write("0000644\0", 100);
  header.write(octal(member.declaredBytes ?? contentBytes), 124);
  header.write(octal(member.modifiedSeconds ?? 0), 136);
  header.write(member.type ?? "0", 156);
  header.set(Buffer.from(member.target ?? "").subarray(0, 100), 157);
  header.write(member.magic ?? "ustar\x0000", 257);
  for (const [at, bytes] of Object.entries(member.patches ?? {})) {
    header.set(bytes, Number(at));
  }
  header.fill(" ", 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${(member.checksum ?? sum).toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

function octal(value: number): string {
  return `${value.toString(8).padStart(11, "0")}\0`;
}
