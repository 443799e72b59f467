/**
 * The one filesystem under every mount: a tree of lazy entries, read-only because there is no code
 * that writes.
 */
import { utf8ByteLength } from "../sources/names.ts";
import type { DirectoryEntry, FileEntry, TreeEntry } from "../sources/tree.ts";
import type { ByteCache } from "./byte-cache.ts";
import {
  type EmscriptenFs,
  ERRNO,
  type FsAttributes,
  type FsNode,
  type FsStream,
  type FsType,
  MODE,
  SEEK,
  WRITE_FLAGS,
} from "./emscripten-fs.ts";

interface TreeNode extends FsNode {
  readonly entry: TreeEntry;
}

const READ_ONLY = 0o444;
const READ_AND_ENTER = 0o555;
const BLOCK_BYTES = 4096;

/**
 * Returns a filesystem type whose mount shows a tree.
 *
 * What cannot be read, for whatever reason, is EIO; what would write is EROFS, at the latest when
 * a file is opened for writing. Nothing else is ever thrown into the interpreter, which would not
 * survive it.
 */
export function createTreeFs(fs: EmscriptenFs, root: DirectoryEntry, cache: ByteCache): FsType {
  const refuse = (): never => {
    throw new fs.ErrnoError(ERRNO.EROFS);
  };

  const directoryOperations = {
    getattr: attributesOf,
    setattr: refuse,
    lookup(parent: TreeNode, name: string): TreeNode {
      const child = parent.entry.kind === "directory" ? parent.entry.children.get(name) : undefined;
      if (child === undefined) {
        throw new fs.ErrnoError(ERRNO.ENOENT);
      }
      return makeNode(parent, name, child);
    },
    readdir(node: TreeNode): string[] {
      const children = node.entry.kind === "directory" ? node.entry.children.keys() : [];
      return [".", "..", ...children];
    },
    mknod: refuse,
    rename: refuse,
    unlink: refuse,
    rmdir: refuse,
    symlink: refuse,
  };
  const fileOperations = { getattr: attributesOf, setattr: refuse };
  const symlinkOperations = {
    getattr: attributesOf,
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
      whence === SEEK.CUR ? stream.position : whence === SEEK.END ? sizeOf(stream.node.entry) : 0;
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
      const { entry } = stream.node;
      const end = Math.min(position + length, sizeOf(entry));
      if (entry.kind !== "file" || position >= end) {
        return 0;
      }
      try {
        const bytes = readRange(entry, position, end, cache);
        buffer.set(bytes, offset);
        return bytes.byteLength;
      } catch {
        throw new fs.ErrnoError(ERRNO.EIO);
      }
    },
    write: refuse,
  };

  const operations = {
    directory: { node_ops: directoryOperations, stream_ops: directoryStreamOperations },
    file: { node_ops: fileOperations, stream_ops: fileStreamOperations },
    symlink: { node_ops: symlinkOperations, stream_ops: {} },
  };

  function makeNode(parent: TreeNode | null, name: string, entry: TreeEntry): TreeNode {
    // Emscripten asks a node's own mode before it asks us, and would answer EACCES. With all bits
    // set here the question reaches `refuse`; `getattr` tells the mode that people see.
    const node = fs.createNode(parent, name, typeOf(entry) | 0o777);
    return Object.assign(node, { entry }, operations[entry.kind]);
  }

  return { mount: () => makeNode(null, "/", root) };
}

function readRange(file: FileEntry, start: number, end: number, cache: ByteCache): Uint8Array {
  const { content } = file;
  switch (content.kind) {
    case "bytes":
      return content.bytes.subarray(start, end);
    case "ranges":
      return content.readRange(start, end);
    case "whole":
      return cache.get(content, content.readWhole).subarray(start, end);
  }
}

function attributesOf(node: TreeNode): FsAttributes {
  const { entry } = node;
  const modified = new Date(entry.modifiedMs);
  const size = sizeOf(entry);
  return {
    dev: 1,
    ino: node.id,
    mode: typeOf(entry) | permissionsOf(entry),
    nlink: 1,
    uid: 0,
    gid: 0,
    rdev: 0,
    size,
    atime: modified,
    mtime: modified,
    ctime: modified,
    blksize: BLOCK_BYTES,
    blocks: Math.ceil(size / 512),
  };
}

function sizeOf(entry: TreeEntry): number {
  switch (entry.kind) {
    case "file":
      return entry.sizeBytes;
    case "directory":
      return BLOCK_BYTES;
    case "symlink":
      return utf8ByteLength(entry.target);
  }
}

function typeOf(entry: TreeEntry): number {
  switch (entry.kind) {
    case "file":
      return MODE.FILE;
    case "directory":
      return MODE.DIRECTORY;
    case "symlink":
      return MODE.SYMLINK;
  }
}

function permissionsOf(entry: TreeEntry): number {
  switch (entry.kind) {
    case "file":
      return READ_ONLY;
    case "directory":
      return READ_AND_ENTER;
    case "symlink":
      return 0o777;
  }
}
