/** Contents, and ways to deflate them, for tests of what inflates. */
import { constants, type ZlibOptions } from "node:zlib";

/** Numbers that look random, and are the same ones each time. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 8;
  };
}

export function noise(length: number): Buffer {
  const next = numbers(length);
  return Buffer.from(Array.from({ length }, () => next() & 255));
}

export function words(count: number): Buffer {
  const next = numbers(count);
  return Buffer.from(Array.from({ length: count }, () => `word${next() % 977}`).join(" "));
}

export const CONTENTS: readonly [string, Buffer][] = [
  ["nothing", Buffer.alloc(0)],
  ["one byte", Buffer.from("x")],
  ["all bytes", Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
  ["noise", noise(100_000)],
  ["words", words(15_000)],
  ["zeros", Buffer.alloc(200_000)],
  ["a pattern of two", Buffer.from("ab".repeat(50_000))],
  ["noise that comes back from far", Buffer.concat([noise(32_000), noise(700), noise(32_000)])],
  ["the longest way back", Buffer.concat([noise(32_768), noise(32_768).subarray(0, 300)])],
];
export const WAYS: readonly [string, ZlibOptions][] = [
  ["stored", { level: 0 }],
  ["fast", { level: 1 }],
  ["best", { level: 9, memLevel: 9 }],
  ["in small blocks", { level: 6, memLevel: 1 }],
  ["by fixed codes", { strategy: constants.Z_FIXED }],
  ["by codes alone", { strategy: constants.Z_HUFFMAN_ONLY }],
  ["by runs", { strategy: constants.Z_RLE }],
];
