/** The numbers and texts of a WebAssembly module, read and written. */

/** Reads the parts of a module one after another. */
export class ByteReader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  /** Throws `RangeError` at the end. */
  byte(): number {
    const value = this.bytes[this.at];
    if (value === undefined) {
      throw new RangeError("the module ends too early");
    }
    this.at += 1;
    return value;
  }

  take(length: number): Uint8Array {
    if (this.at + length > this.bytes.length) {
      throw new RangeError("the module ends too early");
    }
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  /** An unsigned number of up to 32 bits. */
  unsigned(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) {
        return value;
      }
    }
  }

  /** A signed number of 32 bits, as the unsigned one of the same bits. */
  signed(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 127) << shift;
      if (byte < 128) {
        const isNegative = (byte & 64) !== 0 && shift < 25;
        return (isNegative ? value | (-1 << (shift + 7)) : value) >>> 0;
      }
    }
  }

  /** Skips a number of any size, with or without a sign. */
  skipNumber(): void {
    while (this.byte() >= 128) {
      // Each byte but the last has its highest bit set.
    }
  }

  text(): string {
    return new TextDecoder().decode(this.take(this.unsigned()));
  }

  /** The items of a vector, each as `read` returns it. */
  vector<Item>(read: () => Item): Item[] {
    return Array.from({ length: this.unsigned() }, read);
  }
}

/** Inverse of `ByteReader.unsigned`, in as few bytes as possible. */
export function unsigned(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest > 0 ? low | 128 : low);
  } while (rest > 0);
  return Uint8Array.from(bytes);
}

/** A number that instructions read as signed; it is not negative. */
export function constant(value: number): Uint8Array {
  const bytes = unsigned(value);
  // Bit 6 of the last byte is the sign.
  const last = bytes.length - 1;
  if (((bytes[last] ?? 0) & 64) === 0) {
    return bytes;
  }
  return Uint8Array.from([...bytes.subarray(0, last), (bytes[last] ?? 0) | 128, 0]);
}

/** Inverse of `ByteReader.text`. */
export function text(content: string): Uint8Array {
  const bytes = new TextEncoder().encode(content);
  return joined([unsigned(bytes.length), bytes]);
}

/** Inverse of `ByteReader.vector`, of items that are written already. */
export function vector(items: readonly Uint8Array[]): Uint8Array {
  return joined([unsigned(items.length), ...items]);
}

/** Bytes behind their length. */
export function sized(bytes: Uint8Array): Uint8Array {
  return joined([unsigned(bytes.length), bytes]);
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
