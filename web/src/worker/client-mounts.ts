/** One client's mounts, with the trees that an undone mount would bring back. */
import type { DeferredDirectory, DirectoryEntry } from "../sources/tree.ts";
import type { Bridge } from "./bridge.ts";
import { askBridge } from "./bridge-client.ts";
import type { MountedTrees } from "./mounted-trees.ts";

interface Mount {
  readonly host: string;
  /** The request that mounted it; a cancel that comes late undoes it by this id. */
  readonly requestId: number;
}

/** Adds and removes mounts, and can undo one until the client has its report. */
export class ClientMounts {
  readonly #bridge: Bridge;
  readonly #trees: MountedTrees;
  /** For each path the mounted tree first, then the replaced ones, which return if it is undone. */
  readonly #stacks = new Map<string, readonly Mount[]>();

  constructor(bridge: Bridge, trees: MountedTrees) {
    this.#bridge = bridge;
    this.#trees = trees;
  }

  /** Throws `WorkspaceInvalid` if no tree can be mounted at the path. */
  require(path: string, replace: boolean): void {
    askBridge(this.#bridge, "checkMount", { path, replace });
  }

  /** Mounts a tree for a request; throws `WorkspaceInvalid` if the path is taken. */
  add(
    requestId: number,
    path: string,
    root: DirectoryEntry | DeferredDirectory,
    replace: boolean,
  ): void {
    const host = this.#trees.add(root, path);
    try {
      askBridge(this.#bridge, "mount", { path, host, replace });
    } catch (error) {
      this.#trees.remove(host);
      throw error;
    }
    this.#stacks.set(path, [{ host, requestId }, ...(this.#stacks.get(path) ?? [])]);
  }

  /** Removes the tree at a path; throws `WorkspaceInvalid` if nothing is mounted there. */
  remove(path: string): void {
    askBridge(this.#bridge, "unmount", { path });
    this.#drop(this.#stacks.get(path) ?? []);
    this.#stacks.delete(path);
  }

  /** Removes all trees; throws the first fault after it has tried them all. */
  removeAll(): void {
    const faults: unknown[] = [];
    for (const path of [...this.#stacks.keys()]) {
      try {
        this.remove(path);
      } catch (fault) {
        faults.push(fault);
      }
    }
    if (faults.length > 0) {
      throw faults[0];
    }
  }

  /** Drops the trees that a mount replaced: the client has its report, so the mount stays. */
  settle(requestId: number): void {
    for (const [path, stack] of this.#stacks) {
      const settled = stack.findIndex((mount) => mount.requestId === requestId);
      if (settled !== -1) {
        this.#drop(stack.slice(settled + 1));
        this.#stacks.set(path, stack.slice(0, settled + 1));
      }
    }
  }

  /** Undoes an abandoned mount; the tree that it replaced is mounted again. */
  takeBack(requestId: number): void {
    for (const [path, stack] of this.#stacks) {
      const left = stack.filter((mount) => mount.requestId !== requestId);
      const [top] = left;
      if (left.length === stack.length) {
        continue;
      }
      if (top === undefined) {
        this.remove(path);
        continue;
      }
      if (top !== stack[0]) {
        askBridge(this.#bridge, "mount", { path, host: top.host, replace: true });
      }
      this.#stacks.set(path, left);
      this.#drop(stack.filter((mount) => mount.requestId === requestId));
    }
  }

  #drop(mounts: readonly Mount[]): void {
    for (const { host } of mounts) {
      this.#trees.remove(host);
    }
  }
}
