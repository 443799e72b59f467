/**
 * The one filesystem under every mount: a tree of lazy entries.
 *
 * It is read-only because it has no code that writes.
 */
import type { DeferredDirectory, DirectoryEntry, TreeEntry } from "../sources/tree.ts";
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
import { attributesOf, type TreeNode, typeOf } from "./tree-node.ts";
import { TreeReader, type TreeReaderOptions } from "./tree-reader.ts";

/**
 * Shows a tree to the interpreter.
 *
 * Its `TreeReader` decides what each entry is. Every write is EROFS; so is opening a file for
 * writing. Only such numbers are thrown into the interpreter: any other exception would end it.
 */
export class TreeFs {
  readonly type: FsType;
  readonly reader: TreeReader;
  readonly root: DirectoryEntry | DeferredDirectory;
  readonly #fs: EmscriptenFs;
  /** Nodes of deferred directories, which the interpreter must look up again after each call. */
  readonly #deferredNodes: FsNode[] = [];

  constructor(
    fs: EmscriptenFs,
    root: DirectoryEntry | DeferredDirectory,
    options: TreeReaderOptions,
  ) {
    this.#fs = fs;
    this.root = root;
    this.reader = new TreeReader(fs.ErrnoError, options);
    this.type = { mount: () => this.#makeNode(null, "/", root) };
  }

  /** Makes the interpreter look at deferred entries anew. */
  forget(): void {
    // The interpreter would use a node that it keeps, though the entry may have changed.
    for (const node of this.#deferredNodes.splice(0)) {
      this.#fs.destroyNode(node);
    }
    this.reader.forget();
  }

  readonly #refuse = (): never => {
    throw new this.#fs.ErrnoError(ERRNO.EROFS);
  };

  readonly #getattr = (node: TreeNode): FsAttributes =>
    attributesOf(node.id, this.reader.status(node));

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
      readdir: (node: TreeNode) => [".", "..", ...this.reader.list(node).keys()],
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
        const bytes = this.reader.read(node, position, position + length);
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
        readlink: (node: TreeNode) => this.reader.target(node),
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
    const node = this.#makeNode(parent, name, this.reader.find(parent, name));
    if (parent.entry.kind === "deferred-directory") {
      this.#deferredNodes.push(node);
    }
    return node;
  }
}
