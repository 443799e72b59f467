/** The state of a client that a replacement worker needs. */
import { notify, reasonOf } from "../lib/report-error.ts";
import type { SavedChanges, SavedState } from "../protocol/changes.ts";
import type { MountParams, Settings } from "../protocol/methods.ts";
import type { MountReport } from "../protocol/mount-report.ts";
import { copyOf, type Sendable } from "./sendable.ts";

export interface KeptMount {
  readonly report: MountReport;
  /** Sends it to the next worker, too. */
  readonly sendable: Sendable<MountParams>;
}

/** A mount that could not be restored. */
export interface LostMount {
  readonly path: string;
  readonly reason: string;
}

/** The earlier proposals of a client, and the listeners for new ones. */
export interface ChangeOptions {
  readonly state?: SavedState | undefined;
  readonly onChanges?: ((event: { readonly version: number }) => void) | undefined;
}

/** The settings, the mounts and the record of changes, as the worker has confirmed them. */
export class KeptState {
  settings: Settings;
  /** The record of changes; undefined until there is one. */
  state: SavedState | undefined;
  readonly #onChanges: ChangeOptions["onChanges"];
  /** In the order in which they were mounted. */
  readonly mounts = new Map<string, KeptMount>();
  readonly #lost: LostMount[] = [];

  constructor(settings: Settings, { state, onChanges }: ChangeOptions = {}) {
    this.settings = settings;
    this.state = copyOf(state);
    this.#onChanges = onChanges;
  }

  /** Keeps the record of changes, and tells the page of a new version. */
  readonly keepChanges = ({ version, state }: SavedChanges): void => {
    this.state = state;
    if (version !== null) {
      notify(this.#onChanges, { version });
    }
  };

  /** Keeps a mount after all others; drops an earlier one at its path. */
  keep(mount: KeptMount): void {
    this.drop(mount.report.path);
    this.mounts.set(mount.report.path, mount);
  }

  /** Replaces a mount's report by that of another worker; keeps its place in the order. */
  restore(mount: KeptMount): void {
    this.mounts.set(mount.report.path, mount);
  }

  drop(path: string): void {
    this.mounts.get(path)?.sendable.release();
    this.mounts.delete(path);
  }

  lose(path: string, error: unknown): void {
    this.drop(path);
    this.#lost.push({ path, reason: reasonOf(error) });
  }

  /** The lost mounts that no caller was told of yet. */
  get lost(): readonly LostMount[] {
    return this.#lost;
  }

  /** Returns the lost mounts, for a caller that is told of them now. */
  takeLost(): readonly LostMount[] {
    return this.#lost.splice(0);
  }

  /** Releases what the mounts of a worker that is gone hold on the page. */
  release(): void {
    for (const { sendable } of this.mounts.values()) {
      sendable.release();
    }
  }
}
