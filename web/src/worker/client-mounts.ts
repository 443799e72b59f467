/** Which tree is mounted where, for as long as one may still have to come back. */
import type { DeferredDirectory, DirectoryEntry } from "../sources/tree.ts";
import type { Bridge } from "./bridge.ts";
import { askBridge } from "./bridge-client.ts";
import type { MountedTrees } from "./mounted-trees.ts";

interface Mount {
  readonly host: string;
  /** The request that mounted it, so that a cancel that comes late can still take it back. */
  readonly requestId: number;
}

/** Mounts and takes away, and can undo a mount until its report has arrived. */
export class ClientMounts {
  readonly #bridge: Bridge;
  readonly #trees: MountedTrees;
  /** For each path what is mounted, and behind it what it replaced and may have to come back. */
  readonly #stacks = new Map<string, readonly Mount[]>();

  constructor(bridge: Bridge, trees: MountedTrees) {
    this.#bridge = bridge;
    this.#trees = trees;
  }

  /** Throws `WorkspaceInvalid` where a tree cannot be mounted at a path. */
  require(path: string, replace: boolean): void {
    askBridge(this.#bridge, "checkMount", { path, replace });
  }

  /** Mounts a tree for a request; throws `WorkspaceInvalid` where that cannot be. */
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

  /** Takes away what is mounted at a path; throws `WorkspaceInvalid` where nothing is. */
  remove(path: string): void {
    askBridge(this.#bridge, "unmount", { path });
    this.#drop(this.#stacks.get(path) ?? []);
    this.#stacks.delete(path);
  }

  /** Takes away what is mounted, at every path; throws the first fault once all were tried. */
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

  /** Lets go of what a mount replaced: its report has arrived, so it stays. */
  settle(requestId: number): void {
    for (const [path, stack] of this.#stacks) {
      const settled = stack.findIndex((mount) => mount.requestId === requestId);
      if (settled !== -1) {
        this.#drop(stack.slice(settled + 1));
        this.#stacks.set(path, stack.slice(0, settled + 1));
      }
    }
  }

  /** Undoes a mount that nobody waited for; what it replaced is there again. */
  takeBack(requestId: number): void {
    for (const [path, stack] of this.#stacks) {
      const [top, next] = stack;
      if (!stack.some((mount) => mount.requestId === requestId)) {
        continue;
      }
      if (top?.requestId !== requestId) {
        // Another tree has taken its place already.
        this.#drop(stack.filter((mount) => mount.requestId === requestId));
      } else if (next === undefined) {
        this.remove(path);
        continue;
      } else {
        askBridge(this.#bridge, "mount", { path, host: next.host, replace: true });
        this.#drop([top]);
      }
      const left = stack.filter((mount) => mount.requestId !== requestId);
      this.#stacks.set(path, left);
    }
  }

  #drop(mounts: readonly Mount[]): void {
    for (const { host } of mounts) {
      this.#trees.remove(host);
    }
  }
}
