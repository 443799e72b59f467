/** A flat object of paths as a tree. */
import { isRecord } from "../protocol/checks.ts";
import { TreeglassError } from "../protocol/errors.ts";
import { toWellFormed, utf8ByteLength } from "./names.ts";
import { CHECKPOINT_ENTRIES, type SourceContext } from "./source-context.ts";
import type { FileContent } from "./tree.ts";
import type { TreeBuilder } from "./tree-builder.ts";

/** Lists the entries; throws `SourceUnknown` for a value of a shape that is none of the known. */
export async function openEntries(
  entries: Readonly<Record<string, unknown>>,
  context: SourceContext,
): Promise<void> {
  const paths = Object.keys(entries);
  let loaded = 0;
  for (const path of paths) {
    addEntry(path, entries[path], context.builder);
    loaded += 1;
    if (loaded % CHECKPOINT_ENTRIES === 0) {
      await context.checkpoint(loaded, paths.length);
    }
  }
}

function addEntry(path: string, value: unknown, builder: TreeBuilder): void {
  if (value === null) {
    builder.addDirectory(path, 0);
  } else if (!isRecord(value) || isBytes(value)) {
    addFile(path, value, 0, builder);
  } else if (isOptionalTime(value.modifiedMs)) {
    const modifiedMs = value.modifiedMs ?? 0;
    if (typeof value.symlink === "string") {
      builder.addSymlink(path, value.symlink, modifiedMs);
    } else if (value.directory === true) {
      builder.addDirectory(path, modifiedMs);
    } else {
      addFile(path, value.content, modifiedMs, builder);
    }
  } else {
    throw unknownShape(path);
  }
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
    builder.reportConverted(path, "lone surrogates of the content replaced by U+FFFD");
  }
  return { kind: "whole", readWhole: () => new TextEncoder().encode(text) };
}

function isBytes(value: unknown): value is Uint8Array | ArrayBuffer {
  return value instanceof Uint8Array || value instanceof ArrayBuffer;
}

function isOptionalTime(value: unknown): value is number | undefined {
  return value === undefined || typeof value === "number";
}

function unknownShape(path: string): TreeglassError {
  return new TreeglassError(
    "SourceUnknown",
    `entries[${JSON.stringify(path)}] has no known shape; an entry is a string, a Uint8Array, an ArrayBuffer, null for a directory, { content, modifiedMs? }, { symlink, modifiedMs? } or { directory: true, modifiedMs? }`,
  );
}
