/** The state of a client that a replacement worker needs. */
import { notify, reasonOf } from "../lib/report-error.ts";
import type { SavedChanges, SavedState } from "../protocol/changes.ts";
import type { ClientMethod, MountParams, RequestParams, Settings } from "../protocol/methods.ts";
import type { MountReport } from "../protocol/mount-report.ts";
import { copyOf } from "../protocol/options.ts";
import { type CallOptions, plain, type Sendable } from "./sendable.ts";

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

/** Sends a request that restores a part of the state. */
export type SendRestore = <M extends ClientMethod>(
  method: M,
  sendable: Sendable<RequestParams[M]>,
  options: CallOptions<M>,
) => void;

/** The most time for one mount: an address that never responds would delay all others. */
const MAX_RESTORE_MS = 60_000;

/** The settings, the mounts and the record of changes, as the worker has confirmed them. */
export class KeptState {
  settings: Settings;
  /** The record of changes; undefined until there is one. */
  state: SavedState | undefined;
  readonly #onChanges: ChangeOptions["onChanges"];
  /** In the order in which they were mounted. */
  readonly mounts = new Map<string, KeptMount>();
  readonly #lost: LostMount[] = [];
  /** The lost mounts that no caller was told of yet. */
  readonly lost: readonly LostMount[] = this.#lost;

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

  /** Returns the lost mounts, for a caller that is told of them now. */
  takeLost(): readonly LostMount[] {
    return this.#lost.splice(0);
  }

  /** Sends the settings, the mounts in their order, and the record of changes to another worker. */
  sendAll(send: SendRestore): void {
    const { settings, mounts, state } = this;
    send("configure", plain(settings), {});
    for (const [label, { sendable }] of mounts) {
      const keep = (report: MountReport) => this.restore({ report, sendable });
      send("mount", sendable, { label, timeoutMs: () => MAX_RESTORE_MS, keep });
    }
    if (state !== undefined) {
      send("restoreState", plain({ state }), {});
    }
  }

  /** Releases what the mounts of a worker that is gone hold on the page. */
  release(): void {
    for (const { sendable } of this.mounts.values()) {
      sendable.release();
    }
  }
}
