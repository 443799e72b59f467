/** Reads the entries of one mounted tree. */
import { reasonOf } from "../lib/report-error.ts";
import {
  type DeferredDirectory,
  DeferredError,
  type DeferredFault,
  type DirectoryEntry,
  type FileEntry,
  type Listing,
  LOST_FILE,
  type TreeEntry,
} from "../sources/tree.ts";
import type { BulkReader, WholeFile } from "./bulk-reader.ts";
import type { ByteCache, ReadAhead } from "./byte-cache.ts";
import type { CallView } from "./call-view.ts";
import { directoryStatusOf, ERRNO, modeOf, type Status, sizeOf, TreeError } from "./tree-status.ts";

/** Called with the names that lead to an entry that cannot be read, and the reason. */
type ReportError = (names: readonly string[], reason: string) => void;

/** The reads that trees share; all but the cache are those of the present call. */
export interface CallReads {
  readonly cache: ByteCache;
  readonly view: CallView;
  readonly readAhead: ReadAhead;
  readonly bulk: BulkReader;
}

/** An entry and the way to it; the top of a tree is called `/`. */
export interface Place extends Step {
  readonly entry: TreeEntry;
}

interface Step {
  readonly name: string;
  readonly parent: Step | null;
}

const FAULT_ERRNO: Readonly<Record<DeferredFault, number>> = {
  missing: ERRNO.ENOENT,
  forbidden: ERRNO.EACCES,
  unreadable: ERRNO.EIO,
};

const NO_BYTES = new Uint8Array();

/** Thrown for bytes that arrive later; the call runs again, so its answer never contains this. */
class NotYet extends Error {}

/**
 * Reads a tree.
 *
 * An entry that cannot be read is EIO, or the errno of its `DeferredFault`, and is reported. Every
 * method throws `TreeError` and no other exception.
 *
 * Content that arrives later looks missing or empty until it is there; see `CallView`.
 */
export class TreeReader {
  readonly root: DirectoryEntry | DeferredDirectory;
  readonly #reads: CallReads;
  readonly #reportError: ReportError;

  constructor(
    root: DirectoryEntry | DeferredDirectory,
    reads: CallReads,
    reportError: ReportError,
  ) {
    this.root = root;
    this.#reads = reads;
    this.#reportError = reportError;
  }

  status(at: Place): Status {
    const { entry } = at;
    const file = this.#fileAt(at);
    const seen = file ?? directoryStatusOf(entry);
    const lasting = entry.kind === "deferred-file" ? entry.seen : entry;
    return {
      lasting:
        lasting?.kind === "file" && lasting.content.kind !== "remote" ? lasting.content : null,
      mode: modeOf(entry, file?.permissions),
      sizeBytes: seen?.sizeBytes ?? sizeOf(entry),
      modifiedMs: seen?.modifiedMs ?? ("modifiedMs" in entry ? entry.modifiedMs : 0),
      modifiedNs: seen?.modifiedNs ?? 0,
    };
  }

  find(at: Place, name: string): TreeEntry {
    const { entry } = at;
    const child =
      entry.kind === "deferred-directory"
        ? this.#orTreeError(at, name, () => this.#reads.view.find(entry, name))?.entry
        : entry.kind === "directory"
          ? entry.children.get(name)
          : null;
    if (child === null || child === undefined) {
      throw new TreeError(ERRNO.ENOENT);
    }
    return child;
  }

  list(at: Place): ReadonlyMap<string, TreeEntry> {
    const { entry } = at;
    if (entry.kind === "directory") {
      return entry.children;
    }
    if (entry.kind !== "deferred-directory") {
      // A file that cannot be inspected may be anything; then that is its error.
      this.#fileAt(at);
      throw new TreeError(ERRNO.ENOTDIR);
    }
    const listing = this.#orTreeError(at, null, () =>
      orUnreadable(() => this.#reads.view.list(entry)),
    );
    for (const [name, reason] of listing?.leftOut ?? []) {
      this.#reportError([...namesOf(at), name], reason);
    }
    return listing ?? new Map();
  }

  target({ entry }: Place): string {
    if (entry.kind !== "symlink") {
      throw new TreeError(ERRNO.EINVAL);
    }
    return entry.target;
  }

  /**
   * Returns how many bytes the present call has to fetch, or has fetched, for a file; null if its
   * bytes are here.
   */
  fetchedBytes(at: Place): number | null {
    const file = this.#fileAt(at);
    if (file?.content.kind !== "remote") {
      return null;
    }
    const { content, sizeBytes } = file;
    return this.#reads.view.hasAsked(content) || !this.#reads.cache.has(content) ? sizeBytes : null;
  }

  /** Returns the bytes of a file from `start` up to `end`, or up to its end. */
  read(at: Place, start: number, end: number): Uint8Array {
    const file = this.#fileAt(at);
    const stop = Math.min(end, file?.sizeBytes ?? 0);
    if (file === null || start >= stop) {
      return NO_BYTES;
    }
    return this.#orTreeError(at, null, () => this.#readRange(file, start, stop));
  }

  /** Returns a file for a `BulkReader`, or null if it is no file or not here; reports no error. */
  wholeFile({ entry }: Place): WholeFile | null {
    try {
      const file = entry.kind === "deferred-file" ? this.#reads.view.inspect(entry) : entry;
      if (file?.kind !== "file") {
        return null;
      }
      return { file, read: this.#wholeReaderOf(file) };
    } catch {
      return null;
    }
  }

  #wholeReaderOf(file: FileEntry): WholeFile["read"] {
    const { content, sizeBytes } = file;
    switch (content.kind) {
      case "ranges":
        return () => content.readRange(0, sizeBytes);
      case "whole":
        return () => this.#reads.cache.get(content, content.readWhole);
      default:
        return () => this.#readRange(file, 0, sizeBytes);
    }
  }

  #fileAt(at: Place): FileEntry | null {
    const { entry } = at;
    if (entry.kind === "deferred-file") {
      return this.#orTreeError(at, null, () => this.#reads.view.inspect(entry));
    }
    return entry.kind === "file" ? entry : null;
  }

  #readRange({ content, sizeBytes }: FileEntry, start: number, end: number): Uint8Array {
    switch (content.kind) {
      case "bytes":
        return content.bytes.subarray(start, end);
      case "ranges":
        return this.#reads.readAhead.read(content, sizeBytes, start, end);
      case "whole":
        return this.#reads.cache.get(content, content.readWhole).subarray(start, end);
      case "remote":
        return this.#reads.cache
          .get(content, () => orNotYet(this.#reads.view.fetch(content)))
          .subarray(start, end);
    }
  }

  /** Returns what `read` returns; reports its error and throws a `TreeError` instead. */
  #orTreeError<Value>(at: Place, name: string | null, read: () => Value): Value {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof NotYet)) {
        const reason = error instanceof DOMException ? LOST_FILE : reasonOf(error);
        this.#reportError([...namesOf(at), ...(name === null ? [] : [name])], reason);
      }
      const fault = error instanceof DeferredError ? error.fault : "unreadable";
      throw new TreeError(FAULT_ERRNO[fault]);
    }
  }
}

/** Lists; a directory that vanished is unreadable: the call has found it, so its path exists. */
function orUnreadable(list: () => Listing | null): Listing | null {
  try {
    return list();
  } catch (cause) {
    if (cause instanceof DeferredError && cause.fault === "missing") {
      throw new DeferredError("unreadable", cause.message, { cause });
    }
    throw cause;
  }
}

function orNotYet(bytes: Uint8Array | null): Uint8Array {
  if (bytes === null) {
    throw new NotYet();
  }
  return bytes;
}

function namesOf(place: Step): string[] {
  const names: string[] = [];
  for (let at: Step | null = place; at !== null && at.name !== "/"; at = at.parent) {
    names.unshift(at.name);
  }
  return names;
}
