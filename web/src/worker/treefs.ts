/**
 * The one filesystem under every mount: a tree of lazy entries, read-only because there is no code
 * that writes.
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

/** What a tree's filesystem is made with. */
export interface TreeFsOptions {
  readonly cache: ByteCache;
  readonly view: CallView;
  /** Told of each entry that cannot be had, by its names, and why. */
  readonly reportError: (names: readonly string[], reason: string) => void;
}

/** A tree's filesystem. */
export interface TreeFs {
  readonly type: FsType;
  /** Makes the interpreter look at deferred entries anew. */
  readonly forget: () => void;
}

const FAULT_ERRNO: Readonly<Record<DeferredFault, number>> = {
  missing: ERRNO.ENOENT,
  forbidden: ERRNO.EACCES,
  unreadable: ERRNO.EIO,
};

/** Thrown where bytes have to be waited for; the call is run again and never shows it. */
class NotYet extends Error {}

/**
 * Returns a filesystem that shows a tree.
 *
 * What cannot be read is EIO, or the errno of its `DeferredFault`, and is reported; what would
 * write is EROFS, at the latest when a file is opened for writing. Nothing else is ever thrown into
 * the interpreter, which would not survive it.
 *
 * What has to be waited for looks missing or empty until it is there; see `CallView`.
 */
export function createTreeFs(
  fs: EmscriptenFs,
  root: DirectoryEntry | DeferredDirectory,
  { cache, view, reportError }: TreeFsOptions,
): TreeFs {
  const deferredNodes: FsNode[] = [];

  const refuse = (): never => {
    throw new fs.ErrnoError(ERRNO.EROFS);
  };

  /** Returns what `ask` does; throws what the interpreter understands. */
  function orErrno<Value>(node: TreeNode, name: string | null, ask: () => Value): Value {
    try {
      return ask();
    } catch (error) {
      if (!(error instanceof NotYet)) {
        reportError([...namesOf(node), ...(name === null ? [] : [name])], reasonOf(error));
      }
      const fault = error instanceof DeferredError ? error.fault : "unreadable";
      throw new fs.ErrnoError(FAULT_ERRNO[fault]);
    }
  }

  const fileAt = (node: TreeNode): FileEntry | null => {
    const { entry } = node;
    if (entry.kind === "deferred-file") {
      return orErrno(node, null, () => view.look(entry));
    }
    return entry.kind === "file" ? entry : null;
  };

  const directoryAt = ({ entry }: TreeNode): Pick<FileEntry, "sizeBytes" | "modifiedMs"> | null => {
    // One that cannot be looked at can be listed or not: that is told when somebody tries.
    try {
      return entry.kind === "deferred-directory" ? (entry.look?.() ?? null) : null;
    } catch {
      return null;
    }
  };

  const getattr = (node: TreeNode): FsAttributes => {
    const { entry } = node;
    const file = fileAt(node) ?? directoryAt(node);
    const modifiedMs = file?.modifiedMs ?? ("modifiedMs" in entry ? entry.modifiedMs : 0);
    return attributesOf(node, file?.sizeBytes ?? sizeOf(entry), modifiedMs);
  };

  const childOf = (parent: TreeNode, name: string): TreeEntry | null | undefined => {
    const { entry } = parent;
    if (entry.kind === "deferred-directory") {
      return orErrno(parent, name, () => view.find(entry, name))?.entry;
    }
    return entry.kind === "directory" ? entry.children.get(name) : null;
  };

  /** The interpreter takes a listing that ends with ENOENT for an empty directory. */
  const listOf = (directory: DeferredDirectory): Listing | null => {
    try {
      return view.list(directory);
    } catch (cause) {
      if (cause instanceof DeferredError && cause.fault === "missing") {
        throw new DeferredError("unreadable", cause.message, { cause });
      }
      throw cause;
    }
  };

  const directoryOperations = {
    getattr,
    setattr: refuse,
    lookup(parent: TreeNode, name: string): TreeNode {
      const child = childOf(parent, name);
      if (child === null || child === undefined) {
        throw new fs.ErrnoError(ERRNO.ENOENT);
      }
      const node = makeNode(parent, name, child);
      if (parent.entry.kind === "deferred-directory") {
        deferredNodes.push(node);
      }
      return node;
    },
    readdir(node: TreeNode): string[] {
      const { entry } = node;
      if (entry.kind === "deferred-directory") {
        const listing = orErrno(node, null, () => listOf(entry));
        for (const [name, reason] of listing?.leftOut ?? []) {
          reportError([...namesOf(node), name], reason);
        }
        return [".", "..", ...(listing?.keys() ?? [])];
      }
      return [".", "..", ...(entry.kind === "directory" ? entry.children.keys() : [])];
    },
    mknod: refuse,
    rename: refuse,
    unlink: refuse,
    rmdir: refuse,
    symlink: refuse,
  };
  const fileOperations = { getattr, setattr: refuse };
  const symlinkOperations = {
    getattr,
    setattr: refuse,
    readlink(node: TreeNode): string {
      if (node.entry.kind !== "symlink") {
        throw new fs.ErrnoError(ERRNO.EINVAL);
      }
      return node.entry.target;
    },
  };

  const seek = (stream: FsStream<TreeNode>, offset: number, whence: number): number => {
    const base =
      whence === SEEK.CUR ? stream.position : whence === SEEK.END ? getattr(stream.node).size : 0;
    if (base + offset < 0) {
      throw new fs.ErrnoError(ERRNO.EINVAL);
    }
    return base + offset;
  };
  const directoryStreamOperations = { llseek: seek };
  const fileStreamOperations = {
    open(stream: FsStream<TreeNode>): void {
      if ((stream.flags & WRITE_FLAGS) !== 0) {
        // The stream has its number already, and nobody else gives it back.
        fs.closeStream(stream.fd);
        refuse();
      }
    },
    llseek: seek,
    read(
      stream: FsStream<TreeNode>,
      buffer: Uint8Array,
      offset: number,
      length: number,
      position: number,
    ): number {
      const { node } = stream;
      const file = fileAt(node);
      const end = Math.min(position + length, file?.sizeBytes ?? 0);
      if (file === null || position >= end) {
        return 0;
      }
      const bytes = orErrno(node, null, () => readRange(file, position, end));
      buffer.set(bytes, offset);
      return bytes.byteLength;
    },
    write: refuse,
  };

  function readRange({ content }: FileEntry, start: number, end: number): Uint8Array {
    switch (content.kind) {
      case "bytes":
        return content.bytes.subarray(start, end);
      case "ranges":
        return content.readRange(start, end);
      case "whole":
        return cache.get(content, content.readWhole).subarray(start, end);
      case "remote":
        return cache.get(content, () => arrived(view.fetch(content))).subarray(start, end);
    }
  }

  const directory = { node_ops: directoryOperations, stream_ops: directoryStreamOperations };
  const file = { node_ops: fileOperations, stream_ops: fileStreamOperations };
  const operations = {
    directory,
    "deferred-directory": directory,
    file,
    "deferred-file": file,
    symlink: { node_ops: symlinkOperations, stream_ops: {} },
    special: { node_ops: fileOperations, stream_ops: {} },
  };

  function makeNode(parent: TreeNode | null, name: string, entry: TreeEntry): TreeNode {
    // Emscripten asks a node's own mode before it asks us, and would answer EACCES. With all bits
    // set here the question reaches `refuse`; `getattr` tells the mode that people see.
    const node = fs.createNode(parent, name, typeOf(entry) | 0o777);
    return Object.assign(node, { entry }, operations[entry.kind]);
  }

  return {
    type: { mount: () => makeNode(null, "/", root) },
    forget() {
      // A node that is kept would be taken for what it was, whatever is there now.
      for (const node of deferredNodes.splice(0)) {
        fs.destroyNode(node);
      }
    },
  };
}

function arrived(bytes: Uint8Array | null): Uint8Array {
  if (bytes === null) {
    throw new NotYet();
  }
  return bytes;
}

/** Returns why reading failed. */
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
