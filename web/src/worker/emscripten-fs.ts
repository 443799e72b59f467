/**
 * The part of Emscripten's filesystem layer that a custom filesystem uses.
 *
 * Written down here because the published types leave out `closeStream` and describe the
 * operations loosely; everything is as of Emscripten 4 to 5, which Pyodide 314 is built with.
 */

/** Emscripten's error numbers are WASI's, not Linux's. */
export const ERRNO = {
  EACCES: 2,
  ENOENT: 44,
  EINVAL: 28,
  EIO: 29,
  ENOTDIR: 54,
  EROFS: 69,
} as const;

/** File types and permission bits of a mode. */
export const MODE = {
  DIRECTORY: 0o040000,
  FILE: 0o100000,
  SYMLINK: 0o120000,
  /** Stands for every entry that is neither file, directory nor link. */
  DEVICE: 0o020000,
  TYPE: 0o170000,
} as const;

/** The bits of a stream's flags that say whether it may be written; 0 is for reading only. */
export const WRITE_FLAGS = 0o3;

/** The positions that `llseek` counts from. */
export const SEEK = { SET: 0, CUR: 1, END: 2 } as const;

export interface FsNode {
  readonly id: number;
  readonly name: string;
  mode: number;
  parent: FsNode;
  node_ops: object;
  stream_ops: object;
}

export interface FsStream<Node extends FsNode = FsNode> {
  readonly node: Node;
  readonly fd: number;
  readonly flags: number;
  readonly position: number;
}

/** The result of `getattr`. */
export interface FsAttributes {
  readonly dev: number;
  readonly ino: number;
  readonly mode: number;
  readonly nlink: number;
  readonly uid: number;
  readonly gid: number;
  readonly rdev: number;
  readonly size: number;
  readonly atime: Date;
  readonly mtime: Date;
  readonly ctime: Date;
  readonly blksize: number;
  readonly blocks: number;
}

export interface FsType<Node extends FsNode = FsNode> {
  mount(mount: object): Node;
}

export interface EmscriptenFs {
  readonly ErrnoError: new (errno: number) => Error & { readonly errno: number };
  createNode(parent: FsNode | null, name: string, mode: number, rdev?: number): FsNode;
  destroyNode(node: FsNode): void;
  closeStream(fd: number): void;
  mkdirTree(path: string): void;
  rmdir(path: string): void;
  mount(type: FsType, options: object, mountpoint: string): unknown;
  unmount(mountpoint: string): void;
}
