/** The collector's longest list of objects, put into the order of their addresses. */
import { type Chunk, contentOf } from "./heap-chunks.ts";

/** The lowest bits of a link are flags. */
const FLAGS = 3;

/** The head of a list, which lies outside of the heap, and the nodes in the heap. */
export interface CollectorList {
  readonly head: number;
  readonly nodes: ReadonlySet<number>;
}

/**
 * Links the longest list anew; the collector does not mind the order.
 *
 * A list of others than objects of the heap is left as it is, and so are all shorter ones.
 */
export function sortLongestList(words: Int32Array, chunks: readonly Chunk[]): CollectorList {
  const first = chunks[0]?.address ?? 0;
  const end = chunks.at(-1)?.address ?? 0;
  const possible = new Set<number>();
  for (const chunk of chunks) {
    if (chunk.isUsed) {
      for (const at of [0, 2]) {
        possible.add((contentOf(chunk) + at) << 2);
      }
    }
  }
  let longest: CollectorList = { head: 0, nodes: new Set() };
  const seen = new Set<number>();
  for (const start of possible) {
    if (seen.has(start) || !isLinked(words, start)) {
      continue;
    }
    const list = walk(words, start, seen);
    const outside = list.filter((node) => node < first || node > end);
    const nodes = list.filter((node) => possible.has(node));
    const [head] = outside;
    if (
      head !== undefined &&
      list.length === nodes.length + 1 &&
      nodes.length > longest.nodes.size
    ) {
      longest = { head, nodes: new Set(nodes) };
    }
  }
  link(words, longest);
  return longest;
}

function isLinked(words: Int32Array, node: number): boolean {
  const next = (words[node >> 2] ?? 0) & ~FLAGS;
  const before = (words[(node >> 2) + 1] ?? 0) & ~FLAGS;
  return (
    next > 0 &&
    before > 0 &&
    ((words[(next >> 2) + 1] ?? 0) & ~FLAGS) === node &&
    ((words[before >> 2] ?? 0) & ~FLAGS) === node
  );
}

/** Returns the nodes of a circle; none if it is no circle. */
function walk(words: Int32Array, start: number, seen: Set<number>): number[] {
  const nodes: number[] = [];
  let node = start;
  do {
    if (!isLinked(words, node) || (node !== start && seen.has(node))) {
      return [];
    }
    seen.add(node);
    nodes.push(node);
    node = (words[node >> 2] ?? 0) & ~FLAGS;
  } while (node !== start);
  return nodes;
}

function link(words: Int32Array, { head, nodes }: CollectorList): void {
  if (head === 0) {
    return;
  }
  let last = head;
  for (const node of [...[...nodes].sort((one, other) => one - other), head]) {
    words[last >> 2] = ((words[last >> 2] ?? 0) & FLAGS) | node;
    words[(node >> 2) + 1] = ((words[(node >> 2) + 1] ?? 0) & FLAGS) | last;
    last = node;
  }
}
