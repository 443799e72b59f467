/**
 * The heap of an image: its chunks by their kind, so that equal words lie close together.
 *
 *     heap address, chunks, groups, told sizes, row words, list head      six numbers
 *     bytes of a chunk or 0, treatment, row words                         of each group
 *     bytes of each chunk of a group with 0 bytes                         by address
 *     the rows of each group, by address
 *     group of each chunk, by address                                     16 bits each
 *
 * A heap is what `malloc` manages: chunks without gaps, each with four bytes that tell its size
 * before its content. A row is the content of one chunk; what a start can work out is zero there.
 */

/** The part of a group's chunks that a start works out. */
export const TREATMENT = {
  /** Nothing: the row is the content. */
  asItIs: 0,
  /** The chunk is free: the row is `FREE_ROW_WORDS` long at most, and zeros follow. */
  free: 1,
  /** The collector's two links, at the beginning of the object. */
  linked: 2,
  /** The same, behind the two words that some types have before them. */
  linkedLate: 3,
  /** The hash of a `str` in ASCII. */
  hashed: 4,
  /** The index of a `dict` whose keys are all `str`. */
  indexed: 5,
} as const;

export const HEAP_NUMBERS = 6;
export const GROUP_NUMBERS = 3;
/** A longer row is copied at once, which takes a while to begin. */
const MOST_SINGLE_WORDS = 48;
/** The words that `malloc` uses of a free chunk: its neighbours in a list or in a tree. */
const FREE_ROW_WORDS = 6;
/** Free chunks below this size are in lists, and have two words. */
const SMALLEST_OF_TREE_BYTES = 256;

/** Offsets of the words of a `str` and of a table of a `dict`, from their addresses. */
export const STRING = { length: 2, hash: 3, textBytes: 20 } as const;
export const KEYS = { sizes: 1, entries: 4, index: 5 } as const;

/** Hashes bytes of the memory as Python does. */
export type HashBytes = (address: number, length: number) => number;

export function rowWords(bytes: number, treatment: number): number {
  if (treatment !== TREATMENT.free) {
    return bytes / 4 - 1;
  }
  return bytes < SMALLEST_OF_TREE_BYTES ? 2 : FREE_ROW_WORDS;
}

/** By which word the links of a group begin; null if it has none. */
export function linksAt(treatment: number): number | null {
  switch (treatment) {
    case TREATMENT.linked:
      return 0;
    case TREATMENT.linkedLate:
      return 2;
    default:
      return null;
  }
}

/** Writes the heap of an image to a memory whose other parts are restored. */
export function restoreHeap(image: Uint8Array, memory: ArrayBufferLike, hash: HashBytes): void {
  const words = new Int32Array(memory);
  const packed = wordsOf(image);
  const [start = 0, chunks = 0, groups = 0, told = 0, rowsLength = 0, head = 0] = packed;
  const toldAt = HEAP_NUMBERS + groups * GROUP_NUMBERS;
  const rowsAt = toldAt + told;
  const idsAt = (rowsAt + rowsLength) * 4;
  const ids = new Uint16Array(packed.buffer, packed.byteOffset + idsAt, chunks);
  const nextRows = rowStarts(packed, groups, rowsAt);
  const found = { nodes: [head], strings: [], tables: [] };
  let at = start >> 2;
  let nextTold = toldAt;
  let isAfterUsed = 1;
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    const group = ids[chunk] ?? 0;
    let bytes = packed[HEAP_NUMBERS + group * GROUP_NUMBERS] ?? 0;
    const treatment = packed[HEAP_NUMBERS + group * GROUP_NUMBERS + 1] ?? 0;
    if (bytes === 0) {
      bytes = packed[nextTold] ?? 0;
      nextTold += 1;
    }
    const isUsed = treatment === TREATMENT.free ? 0 : 1;
    words[at + 1] = bytes | (isUsed << 1) | isAfterUsed;
    isAfterUsed = isUsed;
    const row = nextRows[group] ?? 0;
    const length = rowWords(bytes, treatment);
    nextRows[group] = row + length;
    copyWords(words, at + 2, packed, row, length);
    if (treatment === TREATMENT.free) {
      words.fill(0, at + 2 + length, at + (bytes >> 2));
      // A free chunk has its size at its end too.
      words[at + (bytes >> 2)] = bytes;
    } else if (treatment !== TREATMENT.asItIs) {
      note(found, treatment, at + 2);
    }
    at += bytes >> 2;
  }
  linkNodes(words, found.nodes);
  hashStrings(words, found.strings, hash);
  for (const table of found.tables) {
    writeIndex(words, memory, table);
  }
}

/** Work for a start once all rows are in their places: nodes by address, others by word. */
interface Found {
  readonly nodes: number[];
  readonly strings: number[];
  readonly tables: number[];
}

function note({ nodes, strings, tables }: Found, treatment: number, content: number): void {
  switch (treatment) {
    case TREATMENT.linked:
      nodes.push(content << 2);
      break;
    case TREATMENT.linkedLate:
      nodes.push((content + 2) << 2);
      break;
    case TREATMENT.hashed:
      strings.push(content);
      break;
    default:
      tables.push(content);
  }
}

/** A function of its own, which engines compile after few chunks. */
function copyWords(
  words: Int32Array,
  to: number,
  packed: Int32Array,
  from: number,
  length: number,
): void {
  if (length > MOST_SINGLE_WORDS) {
    words.set(packed.subarray(from, from + length), to);
    return;
  }
  for (let word = 0; word < length; word += 1) {
    words[to + word] = packed[from + word] ?? 0;
  }
}

/** Links the nodes in a circle; the lowest bits of both links are flags, which the rows have. */
function linkNodes(words: Int32Array, nodes: readonly number[]): void {
  let last = nodes.at(-1) ?? 0;
  for (const node of nodes) {
    if (node !== 0) {
      words[last >> 2] = (words[last >> 2] ?? 0) | node;
      words[(node >> 2) + 1] = (words[(node >> 2) + 1] ?? 0) | last;
      last = node;
    }
  }
}

function hashStrings(words: Int32Array, strings: readonly number[], hash: HashBytes): void {
  for (const string of strings) {
    const length = words[string + STRING.length] ?? 0;
    words[string + STRING.hash] = hash((string << 2) + STRING.textBytes, length);
  }
}

/** An image can begin at any byte of its buffer. */
function wordsOf(image: Uint8Array): Int32Array {
  const bytes = image.byteOffset % 4 === 0 ? image : image.slice();
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
}

/** By which word of the image the next row of each group begins. */
function rowStarts(packed: Int32Array, groups: number, rowsAt: number): Int32Array {
  const starts = new Int32Array(groups);
  let start = rowsAt;
  for (let group = 0; group < groups; group += 1) {
    starts[group] = start;
    start += packed[HEAP_NUMBERS + group * GROUP_NUMBERS + 2] ?? 0;
  }
  return starts;
}

/** The number of bits by which Python shifts a hash, on its way to a free place. */
const PERTURB_SHIFT = 5;

/** Writes by which entry of a table each place of its index is taken, as Python fills it. */
export function writeIndex(words: Int32Array, memory: ArrayBufferLike, table: number): void {
  const sizes = words[table + KEYS.sizes] ?? 0;
  const places = 1 << (sizes & 255);
  const indexBytes = 1 << ((sizes >> 8) & 255);
  const address = (table + KEYS.index) << 2;
  const index =
    indexBytes === places
      ? new Int8Array(memory, address, places)
      : indexBytes === places * 2
        ? new Int16Array(memory, address, places)
        : new Int32Array(memory, address, places);
  index.fill(-1);
  const entries = words[table + KEYS.entries] ?? 0;
  let entry = (address + indexBytes) >> 2;
  for (let number = 0; number < entries; number += 1) {
    const key = words[entry] ?? 0;
    const hash = words[(key >> 2) + STRING.hash] ?? 0;
    entry += 2;
    let perturb = hash >>> 0;
    let place = hash & (places - 1);
    while ((index[place] ?? 0) >= 0) {
      perturb >>>= PERTURB_SHIFT;
      place = (place * 5 + perturb + 1) & (places - 1);
    }
    index[place] = number;
  }
}
