/** A tree as an object, flat or nested. */
import { isRecord } from "../lib/checks.ts";
import { toWellFormed } from "../lib/well-formed.ts";
import { TreeglassError } from "../protocol/errors.ts";
import { utf8ByteLength } from "./names.ts";
import { CHECKPOINT_ENTRIES, type SourceContext } from "./source-context.ts";
import type { FileContent } from "./tree.ts";
import type { TreeBuilder } from "./tree-builder.ts";

/** The entries of one directory that are not added yet. */
interface Level {
  /** The directory's path, ending in a slash; empty for the top. */
  readonly prefix: string;
  readonly depth: number;
  readonly entries: Readonly<Record<string, unknown>>;
  /** The names, the next one at the end. */
  readonly names: string[];
}

/**
 * Lists the entries in the order of the object.
 *
 * Throws `SourceUnknown` for a value of an unknown shape.
 */
export async function openEntries(
  entries: Readonly<Record<string, unknown>>,
  context: SourceContext,
): Promise<void> {
  const { builder, checkpoint } = context;
  // A loop and no recursion: an object may contain itself.
  const levels = [levelOf("", 0, entries)];
  let total: number | undefined = levels[0]?.names.length;
  let loaded = 0;
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const name = level.names.pop();
    if (name === undefined) {
      levels.pop();
      continue;
    }
    const path = `${level.prefix}${name}`;
    const children = addEntry(path, level.depth, level.entries[name], builder);
    if (children !== null) {
      levels.push(levelOf(`${path}/`, level.depth + 1, children));
      total = undefined;
    }
    loaded += 1;
    if (loaded % CHECKPOINT_ENTRIES === 0) {
      await checkpoint(loaded, total);
    }
  }
}

function levelOf(prefix: string, depth: number, entries: Level["entries"]): Level {
  return { prefix, depth, entries, names: Object.keys(entries).reverse() };
}

/** Adds an entry and returns the entries below it, or null. */
function addEntry(
  path: string,
  depth: number,
  value: unknown,
  builder: TreeBuilder,
): Level["entries"] | null {
  if (value === null) {
    builder.addDirectory(path, 0);
    return null;
  }
  if (!isRecord(value) || isBytes(value)) {
    addFile(path, value, 0, builder);
    return null;
  }
  const modifiedMs = modifiedMsOf(path, value);
  const { directory, file } = value;
  if (isPlain(directory)) {
    return addNested(path, depth, modifiedMs, builder) ? directory : null;
  }
  if (directory === true) {
    builder.addDirectory(path, modifiedMs);
    return null;
  }
  const [link, content] = isPlain(file)
    ? [file.symlink, file.contents]
    : [value.symlink, value.content];
  if (typeof link === "string") {
    builder.addSymlink(path, link, modifiedMs);
  } else {
    addFile(path, content, modifiedMs, builder);
  }
  return null;
}

/** Adds a directory; returns false if no entry below it can be in the tree. */
function addNested(path: string, depth: number, modifiedMs: number, builder: TreeBuilder): boolean {
  const { maxDepth, maxPathBytes } = builder.limits;
  if (depth > maxDepth) {
    builder.skip(path, `lies ${depth} directories deep, over maxDepth (${maxDepth})`);
  } else if (path.length > maxPathBytes) {
    builder.skip(path, `has a path over maxPathBytes (${maxPathBytes})`);
  } else {
    builder.addDirectory(path, modifiedMs);
    return true;
  }
  return false;
}

function addFile(path: string, value: unknown, modifiedMs: number, builder: TreeBuilder): void {
  if (typeof value === "string") {
    builder.addFile(path, utf8ByteLength(value), modifiedMs, textContent(path, value, builder));
  } else if (isBytes(value)) {
    const bytes = value instanceof Uint8Array ? value : new Uint8Array(value);
    builder.addFile(path, bytes.byteLength, modifiedMs, { kind: "bytes", bytes });
  } else {
    throw unknownShape(path);
  }
}

function textContent(path: string, text: string, builder: TreeBuilder): FileContent {
  if (toWellFormed(text) !== text) {
    builder.report.convert(path, "lone surrogates of the content replaced by U+FFFD");
  }
  return { kind: "whole", readWhole: () => new TextEncoder().encode(text) };
}

function modifiedMsOf(
  path: string,
  { modifiedMs, mtime }: Readonly<Record<string, unknown>>,
): number {
  if (typeof modifiedMs === "number") {
    return modifiedMs;
  }
  if (modifiedMs !== undefined || (mtime !== undefined && !(mtime instanceof Date))) {
    throw unknownShape(path);
  }
  return mtime?.getTime() ?? 0;
}

function isPlain(value: unknown): value is Level["entries"] {
  return isRecord(value) && !isBytes(value) && !(value instanceof Date);
}

function isBytes(value: unknown): value is Uint8Array | ArrayBuffer {
  return value instanceof Uint8Array || value instanceof ArrayBuffer;
}

function unknownShape(path: string): TreeglassError {
  return new TreeglassError(
    "SourceUnknown",
    `entries[${JSON.stringify(path)}] has no known shape; an entry is a string, a Uint8Array, an ArrayBuffer, null for a directory, { content, modifiedMs? }, { symlink, modifiedMs? }, { directory: true, modifiedMs? }, { directory: { name: entry } }, { file: { contents } } or { file: { symlink } }`,
  );
}
