/** The memory that a module brings: its data segments. */
import { ByteReader, constant, joined, sized, vector } from "./bytes.ts";

/** From `start` on, `end` not included; addresses of memory. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Bytes that a module writes into memory when it is instantiated. */
export interface Segment {
  readonly start: number;
  readonly bytes: Uint8Array;
}

/** A segment of the first memory, with a constant address. */
const ACTIVE = 0;
const I32_CONST = 0x41;
const END = 0x0b;

/** Reads the content of a data section; throws for a segment that no module here has. */
export function readSegments(content: Uint8Array): Segment[] {
  const reader = new ByteReader(content);
  return reader.vector(() => {
    const form = [reader.unsigned(), reader.byte()];
    const start = reader.signed();
    if (form.join() !== [ACTIVE, I32_CONST].join() || reader.byte() !== END) {
      throw new Error(`a data segment of the form ${form.join(" ")} is not expected`);
    }
    return { start, bytes: reader.take(reader.unsigned()) };
  });
}

/** Inverse of `readSegments`. */
export function writeSegments(segments: readonly Segment[]): Uint8Array {
  return vector(
    segments.map(({ start, bytes }) =>
      joined([Uint8Array.of(ACTIVE, I32_CONST), constant(start), Uint8Array.of(END), sized(bytes)]),
    ),
  );
}

/** Returns the memory up to the end of the last segment, as a module leaves it. */
export function memoryOf(segments: readonly Segment[]): Uint8Array {
  const bytes = Math.max(0, ...segments.map((segment) => endOf(segment)));
  const memory = new Uint8Array(bytes);
  for (const { start, bytes: content } of segments) {
    memory.set(content, start);
  }
  return memory;
}

/** Returns segments of what lies outside of the ranges, which are in order and do not overlap. */
export function without(segments: readonly Segment[], ranges: readonly Range[]): Segment[] {
  return segments.flatMap((segment) => {
    const pieces: Segment[] = [];
    let start = segment.start;
    for (const range of ranges) {
      if (range.end > start && range.start < endOf(segment)) {
        pieces.push(part(segment, start, range.start));
        start = Math.max(start, range.end);
      }
    }
    pieces.push(part(segment, start, endOf(segment)));
    return pieces.filter(({ bytes }) => bytes.length > 0);
  });
}

function part({ start, bytes }: Segment, from: number, to: number): Segment {
  return { start: from, bytes: bytes.subarray(Math.min(from, to) - start, to - start) };
}

function endOf({ start, bytes }: Segment): number {
  return start + bytes.length;
}
