/** Directories that answer after a wait, as handles do, and tell what they were asked. */
import {
  type DeferredDirectory,
  DeferredError,
  type DeferredFile,
  type FileEntry,
  type TreeEntry,
} from "../../src/sources/tree.ts";

/** A text, a failure, or names of the same. */
export type Sketch = string | DeferredError | { [name: string]: Sketch };

/** The questions to a sketched tree, in order: `list a`, `find a/b`, `look a/b`. */
export type Questions = string[];

export function deferredDirectory(
  sketch: Record<string, Sketch>,
  asked: Questions = [],
  path = "",
): DeferredDirectory {
  const at = (name: string): TreeEntry | null => {
    const child = Object.hasOwn(sketch, name) ? sketch[name] : undefined;
    return child === undefined ? null : entryOf(child, asked, `${path}${name}`);
  };
  return {
    kind: "deferred-directory",
    async find(name) {
      asked.push(`find ${path}${name}`);
      return at(name);
    },
    async list() {
      asked.push(`list ${path.replace(/\/$/, "") || "."}`);
      return new Map(
        Object.keys(sketch).flatMap((name) => {
          const entry = at(name);
          return entry === null ? [] : [[name, entry] as const];
        }),
      );
    },
  };
}

function entryOf(child: Sketch, asked: Questions, path: string): TreeEntry {
  return typeof child === "string" || child instanceof DeferredError
    ? deferredFile(child, asked, path)
    : deferredDirectory(child, asked, `${path}/`);
}

function deferredFile(child: string | DeferredError, asked: Questions, path: string): DeferredFile {
  return {
    kind: "deferred-file",
    seen: null,
    async inspect() {
      asked.push(`look ${path}`);
      if (child instanceof DeferredError) {
        throw child;
      }
      const bytes = new TextEncoder().encode(child);
      const file: FileEntry = {
        kind: "file",
        sizeBytes: bytes.byteLength,
        modifiedMs: 1000,
        content: { kind: "bytes", bytes },
      };
      return file;
    },
  };
}
