/** An entry of a tree as a node of Emscripten's filesystem. */
import { utf8ByteLength } from "../sources/names.ts";
import type { TreeEntry } from "../sources/tree.ts";
import { type FsAttributes, type FsNode, MODE } from "./emscripten-fs.ts";

export interface TreeNode extends FsNode {
  readonly entry: TreeEntry;
}

const READ_ONLY = 0o444;
const READ_AND_ENTER = 0o555;
const BLOCK_BYTES = 4096;

/** Returns the attributes of a node; no mode has a write bit. */
export function attributesOf(node: TreeNode, size: number, modifiedMs: number): FsAttributes {
  const modified = new Date(modifiedMs);
  return {
    dev: 1,
    ino: node.id,
    mode: typeOf(node.entry) | permissionsOf(node.entry),
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

/** Returns the size that an entry knows without being inspected. */
export function sizeOf(entry: TreeEntry): number {
  switch (entry.kind) {
    case "file":
      return entry.sizeBytes;
    case "deferred-file":
    case "special":
      return 0;
    case "directory":
    case "deferred-directory":
      return BLOCK_BYTES;
    case "symlink":
      return utf8ByteLength(entry.target);
  }
}

/** Returns the file type bits of an entry's mode. */
export function typeOf(entry: TreeEntry): number {
  switch (entry.kind) {
    case "file":
    case "deferred-file":
      return MODE.FILE;
    case "directory":
    case "deferred-directory":
      return MODE.DIRECTORY;
    case "symlink":
      return MODE.SYMLINK;
    case "special":
      return MODE.DEVICE;
  }
}

function permissionsOf(entry: TreeEntry): number {
  switch (entry.kind) {
    case "file":
    case "deferred-file":
    case "special":
      return READ_ONLY;
    case "directory":
    case "deferred-directory":
      return READ_AND_ENTER;
    case "symlink":
      return 0o777;
  }
}
