/**
 * The one filesystem under every mount: a tree of lazy entries.
 *
 * It is read-only because it has no code that writes.
 */
import { LOST_FILE } from "../sources/local/lost-file.ts";
import {
  type DeferredDirectory,
  DeferredError,
  type DeferredFault,
  type DirectoryEntry,
  type FileEntry,
  type Listing,
  type TreeEntry,
} from "../sources/tree.ts";
import type { ByteCache } from "./byte-cache.ts";
import type { CallView } from "./call-view.ts";
import {
  type EmscriptenFs,
  ERRNO,
  type FsAttributes,
  type FsNode,
  type FsStream,
  type FsType,
  SEEK,
  WRITE_FLAGS,
} from "./emscripten-fs.ts";
import { attributesOf, sizeOf, type TreeNode, typeOf } from "./tree-node.ts";

export interface TreeFsOptions {
  readonly cache: ByteCache;
  readonly view: CallView;
  /** Called with the names that lead to an entry that cannot be read, and the reason. */
  readonly reportError: (names: readonly string[], reason: string) => void;
}

const FAULT_ERRNO: Readonly<Record<DeferredFault, number>> = {
  missing: ERRNO.ENOENT,
  forbidden: ERRNO.EACCES,
  unreadable: ERRNO.EIO,
};

/** Thrown for bytes that arrive later; the call runs again, so its answer never contains this. */
class NotYet extends Error {}

/**
 * Shows a tree to the interpreter.
 *
 * An entry that cannot be read is EIO, or the errno of its `DeferredFault`, and is reported. Every
 * write is EROFS; so is opening a file for writing. Only such numbers are thrown into the
 * interpreter: any other exception would end it.
 *
 * Content that arrives later looks missing or empty until it is there; see `CallView`.
 */
export class TreeFs {
  readonly type: FsType;
  readonly #fs: EmscriptenFs;
  readonly #cache: ByteCache;
  readonly #view: CallView;
  readonly #reportError: TreeFsOptions["reportError"];
  /** Nodes of deferred directories, which the interpreter must look up again after each call. */
  readonly #deferredNodes: FsNode[] = [];

  constructor(
    fs: EmscriptenFs,
    root: DirectoryEntry | DeferredDirectory,
    { cache, view, reportError }: TreeFsOptions,
  ) {
    this.#fs = fs;
    this.#cache = cache;
    this.#view = view;
    this.#reportError = reportError;
    this.type = { mount: () => this.#makeNode(null, "/", root) };
  }

  /** Makes the interpreter look at deferred entries anew. */
  forget(): void {
    // The interpreter would use a node that it keeps, though the entry may have changed.
    for (const node of this.#deferredNodes.splice(0)) {
      this.#fs.destroyNode(node);
    }
  }

  readonly #refuse = (): never => {
    throw new this.#fs.ErrnoError(ERRNO.EROFS);
  };

  readonly #getattr = (node: TreeNode): FsAttributes => {
    const { entry } = node;
    const seen = this.#fileAt(node) ?? statusOf(entry);
    const modifiedMs = seen?.modifiedMs ?? ("modifiedMs" in entry ? entry.modifiedMs : 0);
    return attributesOf(node, seen?.sizeBytes ?? sizeOf(entry), modifiedMs);
  };

  readonly #seek = (stream: FsStream<TreeNode>, offset: number, whence: number): number => {
    const base =
      whence === SEEK.CUR
        ? stream.position
        : whence === SEEK.END
          ? this.#getattr(stream.node).size
          : 0;
    if (base + offset < 0) {
      throw new this.#fs.ErrnoError(ERRNO.EINVAL);
    }
    return base + offset;
  };

  readonly #directory = {
    node_ops: {
      getattr: this.#getattr,
      lookup: (parent: TreeNode, name: string) => this.#lookUp(parent, name),
      readdir: (node: TreeNode) => [".", "..", ...this.#namesIn(node)],
      setattr: this.#refuse,
      mknod: this.#refuse,
      rename: this.#refuse,
      unlink: this.#refuse,
      rmdir: this.#refuse,
      symlink: this.#refuse,
    },
    stream_ops: { llseek: this.#seek },
  };

  readonly #file = {
    node_ops: { getattr: this.#getattr, setattr: this.#refuse },
    stream_ops: {
      open: (stream: FsStream<TreeNode>): void => {
        if ((stream.flags & WRITE_FLAGS) !== 0) {
          // Emscripten has numbered the stream already, and does not close it after a throw.
          this.#fs.closeStream(stream.fd);
          this.#refuse();
        }
      },
      llseek: this.#seek,
      read: (
        { node }: FsStream<TreeNode>,
        buffer: Uint8Array,
        offset: number,
        length: number,
        position: number,
      ): number => {
        const bytes = this.#read(node, position, length);
        buffer.set(bytes, offset);
        return bytes.byteLength;
      },
      write: this.#refuse,
    },
  };

  readonly #operations = {
    directory: this.#directory,
    "deferred-directory": this.#directory,
    file: this.#file,
    "deferred-file": this.#file,
    symlink: {
      node_ops: {
        getattr: this.#getattr,
        setattr: this.#refuse,
        readlink: ({ entry }: TreeNode): string => {
          if (entry.kind !== "symlink") {
            throw new this.#fs.ErrnoError(ERRNO.EINVAL);
          }
          return entry.target;
        },
      },
      stream_ops: {},
    },
    special: { node_ops: this.#file.node_ops, stream_ops: {} },
  };

  #makeNode(parent: TreeNode | null, name: string, entry: TreeEntry): TreeNode {
    // Emscripten checks a node's own mode before it calls us, and would answer EACCES. With all
    // bits set here the write reaches `#refuse`; `#getattr` returns the mode that callers see.
    const node = this.#fs.createNode(parent, name, typeOf(entry) | 0o777);
    return Object.assign(node, { entry }, this.#operations[entry.kind]);
  }

  #lookUp(parent: TreeNode, name: string): TreeNode {
    const { entry } = parent;
    if (entry.kind === "deferred-directory") {
      const found = this.#orErrno(parent, name, () => this.#view.find(entry, name));
      const node = this.#makeNode(parent, name, this.#orMissing(found?.entry));
      this.#deferredNodes.push(node);
      return node;
    }
    const child = entry.kind === "directory" ? entry.children.get(name) : null;
    return this.#makeNode(parent, name, this.#orMissing(child));
  }

  #orMissing(child: TreeEntry | null | undefined): TreeEntry {
    if (child === null || child === undefined) {
      throw new this.#fs.ErrnoError(ERRNO.ENOENT);
    }
    return child;
  }

  #namesIn(node: TreeNode): Iterable<string> {
    const { entry } = node;
    if (entry.kind !== "deferred-directory") {
      return entry.kind === "directory" ? entry.children.keys() : [];
    }
    const listing = this.#orErrno(node, null, () => orUnreadable(() => this.#view.list(entry)));
    for (const [name, reason] of listing?.leftOut ?? []) {
      this.#reportError([...namesOf(node), name], reason);
    }
    return listing?.keys() ?? [];
  }

  #fileAt(node: TreeNode): FileEntry | null {
    const { entry } = node;
    if (entry.kind === "deferred-file") {
      return this.#orErrno(node, null, () => this.#view.inspect(entry));
    }
    return entry.kind === "file" ? entry : null;
  }

  #read(node: TreeNode, position: number, length: number): Uint8Array {
    const file = this.#fileAt(node);
    const end = Math.min(position + length, file?.sizeBytes ?? 0);
    if (file === null || position >= end) {
      return NO_BYTES;
    }
    return this.#orErrno(node, null, () => this.#readRange(file, position, end));
  }

  #readRange({ content }: FileEntry, start: number, end: number): Uint8Array {
    switch (content.kind) {
      case "bytes":
        return content.bytes.subarray(start, end);
      case "ranges":
        return content.readRange(start, end);
      case "whole":
        return this.#cache.get(content, content.readWhole).subarray(start, end);
      case "remote":
        return this.#cache
          .get(content, () => orNotYet(this.#view.fetch(content)))
          .subarray(start, end);
    }
  }

  /** Returns what `read` returns; reports its error and throws an errno instead. */
  #orErrno<Value>(node: TreeNode, name: string | null, read: () => Value): Value {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof NotYet)) {
        this.#reportError([...namesOf(node), ...(name === null ? [] : [name])], reasonOf(error));
      }
      const fault = error instanceof DeferredError ? error.fault : "unreadable";
      throw new this.#fs.ErrnoError(FAULT_ERRNO[fault]);
    }
  }
}

const NO_BYTES = new Uint8Array();

/** Returns the size and time of a deferred directory whose source tells them. */
function statusOf(entry: TreeEntry): Pick<FileEntry, "sizeBytes" | "modifiedMs"> | null {
  // A directory without status may still be listed; the listing tells whether it can be read.
  try {
    return entry.kind === "deferred-directory" ? (entry.inspect?.() ?? null) : null;
  } catch {
    return null;
  }
}

/** Lists; a missing directory is unreadable, since the interpreter takes ENOENT for an empty one. */
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

function reasonOf(error: unknown): string {
  if (error instanceof DOMException) {
    return LOST_FILE;
  }
  return error instanceof Error ? error.message : String(error);
}

/** Returns the names that lead to a node from the top of its mount. */
function namesOf(node: FsNode): string[] {
  const names: string[] = [];
  for (let at = node; at.parent !== at && at.name !== "/"; at = at.parent) {
    names.unshift(at.name);
  }
  return names;
}
