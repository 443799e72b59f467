/** The heap of an image, in the form that `heap-rows.ts` restores. */
import {
  type HashBytes,
  KEYS,
  linksAt,
  rowWords,
  STRING,
  TREATMENT,
  writeIndex,
} from "../../src/worker/start/heap-rows.ts";
import { type CollectorList, sortLongestList } from "./collector-list.ts";
import { type Chunk, clearFreeChunks, contentOf, findChunks, ObjectFinder } from "./heap-chunks.ts";

/** Larger chunks of a kind are one group, and their sizes are told one by one. */
const LARGEST_OF_A_SIZE_BYTES = 256;

/** What tells how the heap lies in a memory. */
export interface HeapFacts {
  /** An address before the heap, and at most 4 MiB before it. */
  readonly heapBase: number;
  /** The addresses of Python's types `type` and `str`. */
  readonly typeOfTypes: number;
  readonly typeOfStrings: number;
  readonly hash: HashBytes;
}

export interface PackedHeap {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface Group {
  readonly treatment: number;
  readonly type: number;
  /** 0 if the sizes of its chunks are told. */
  readonly bytes: number;
  readonly chunks: Chunk[];
}

/**
 * Returns the heap of a memory, which it changes: lists are sorted and free chunks are cleared.
 *
 * Throws if there is no heap.
 */
export function packHeap(memory: ArrayBuffer, facts: HeapFacts): PackedHeap {
  const words = new Int32Array(memory);
  const chunks = findChunks(words, facts.heapBase);
  clearFreeChunks(words, chunks);
  const list = sortLongestList(words, chunks);
  const { groups, groupOf } = sortedGroups(words, chunks, list, facts);
  const numbers = new Map(groups.map((group, number) => [group, number]));
  const rowsOf = groups.map((group) => group.chunks.map((chunk) => rowOf(words, chunk, group)));
  const lengths = rowsOf.map((rows) => rows.reduce((sum, row) => sum + row.length, 0));
  const told = chunks.filter((_, index) => groupOf[index]?.bytes === 0).map(({ bytes }) => bytes);
  const rowsLength = lengths.reduce((sum, length) => sum + length, 0);
  const start = chunks[0]?.address ?? 0;
  const last = chunks.at(-1);
  const packed = Int32Array.from([
    ...[start, chunks.length, groups.length, told.length, rowsLength, list.head],
    ...groups.flatMap(({ bytes, treatment }, number) => [bytes, treatment, lengths[number] ?? 0]),
    ...told,
  ]);
  const idsAt = (packed.length + rowsLength) * 4;
  const bytes = new Uint8Array(idsAt + Math.ceil(chunks.length / 2) * 4);
  const written = new Int32Array(bytes.buffer);
  written.set(packed);
  let at = packed.length;
  for (const row of rowsOf.flat()) {
    written.set(row, at);
    at += row.length;
  }
  new Uint16Array(bytes.buffer, idsAt).set(groupOf.map((group) => numbers.get(group) ?? 0));
  return { start, end: last === undefined ? start : last.address + last.bytes, bytes };
}

function rowOf(words: Int32Array, chunk: Chunk, { treatment }: Group): Int32Array {
  const content = contentOf(chunk);
  const row = words.slice(content, content + rowWords(chunk.bytes, treatment));
  const links = linksAt(treatment);
  if (links !== null) {
    row[links] = (row[links] ?? 0) & 3;
    row[links + 1] = (row[links + 1] ?? 0) & 3;
  }
  if (treatment === TREATMENT.hashed) {
    row[STRING.hash] = 0;
  }
  if (treatment === TREATMENT.indexed) {
    row.fill(0, KEYS.index, KEYS.index + indexBytesOf(words, content) / 4);
  }
  return row;
}

/** Returns the groups, those of the most frequent types first, and the group of each chunk. */
function sortedGroups(
  words: Int32Array,
  chunks: readonly Chunk[],
  list: CollectorList,
  facts: HeapFacts,
): { groups: Group[]; groupOf: Group[] } {
  const groups = new Map<string, Group>();
  const chunksOfType = new Map<number, number>();
  const finder = new ObjectFinder(words, facts.typeOfTypes);
  const groupOf = chunks.map((chunk) => {
    const found = chunk.isUsed ? finder.find(chunk) : null;
    const type = found?.type ?? 0;
    const treatment = treatmentOf(words, chunk, found?.objectAt ?? 0, type, list, facts);
    const bytes = chunk.bytes > LARGEST_OF_A_SIZE_BYTES ? 0 : chunk.bytes;
    const key = `${type} ${treatment} ${bytes}`;
    const group = groups.get(key) ?? { treatment, type, bytes, chunks: [] };
    groups.set(key, group);
    group.chunks.push(chunk);
    chunksOfType.set(type, (chunksOfType.get(type) ?? 0) + 1);
    return group;
  });
  const frequency = ({ type }: Group) => chunksOfType.get(type) ?? 0;
  const sorted = [...groups.values()].sort(
    (one, other) =>
      frequency(other) - frequency(one) ||
      one.type - other.type ||
      one.treatment - other.treatment ||
      one.bytes - other.bytes,
  );
  return { groups: sorted, groupOf };
}

function treatmentOf(
  words: Int32Array,
  chunk: Chunk,
  objectAt: number,
  type: number,
  list: CollectorList,
  facts: HeapFacts,
): number {
  const content = contentOf(chunk);
  if (!chunk.isUsed) {
    return TREATMENT.free;
  }
  if (objectAt > 0 && list.nodes.has((content + objectAt - 2) << 2)) {
    return objectAt === 2 ? TREATMENT.linked : TREATMENT.linkedLate;
  }
  if (type === facts.typeOfStrings && isHashed(words, chunk, facts.hash)) {
    return TREATMENT.hashed;
  }
  return type === 0 && isIndexed(words, chunk) ? TREATMENT.indexed : TREATMENT.asItIs;
}

/** Tells whether a string has the hash that a start works out. */
function isHashed(words: Int32Array, chunk: Chunk, hash: HashBytes): boolean {
  const content = contentOf(chunk);
  const length = words[content + STRING.length] ?? 0;
  return (
    length > 0 &&
    length <= chunk.bytes - STRING.textBytes &&
    words[content + STRING.hash] === hash((content << 2) + STRING.textBytes, length)
  );
}

/** Tells whether a chunk is a table of a `dict` with the index that a start works out. */
function isIndexed(words: Int32Array, chunk: Chunk): boolean {
  const content = contentOf(chunk);
  const sizes = words[content + KEYS.sizes] ?? 0;
  const logPlaces = sizes & 255;
  const kind = (sizes >> 16) & 255;
  const indexBytes = indexBytesOf(words, content);
  const entries = words[content + KEYS.entries] ?? 0;
  const expectedBytes = 2 ** (logPlaces + (logPlaces < 8 ? 0 : 1));
  if (
    !(kind === 1 || kind === 2) ||
    !(logPlaces >= 3 && logPlaces < 16 && indexBytes === expectedBytes) ||
    !(entries > 0 && entries < 2 ** logPlaces) ||
    KEYS.index * 4 + indexBytes + entries * 8 > chunk.bytes - 4
  ) {
    return false;
  }
  const [from, to] = [content + KEYS.index, content + KEYS.index + indexBytes / 4];
  const index = words.slice(from, to);
  writeIndex(words, words.buffer, content);
  const isSame = index.every((word, at) => word === words[from + at]);
  words.set(index, from);
  return isSame;
}

function indexBytesOf(words: Int32Array, content: number): number {
  return 2 ** (((words[content + KEYS.sizes] ?? 0) >> 8) & 255);
}
