/** The state of a client that a replacement worker needs. */
import { notify } from "../lib/report-error.ts";
import type { SavedChanges, SavedState } from "../protocol/changes.ts";
import type { MountParams, Settings } from "../protocol/methods.ts";
import type { MountReport } from "../protocol/mount-report.ts";
import type { FilesReply } from "../protocol/source-kinds.ts";
import { cannotBeSent } from "./worker-endpoint.ts";

/** A request's parameters, made anew for each worker. */
export interface Prepared<Params> {
  readonly params: Params;
  /** Releases what these parameters hold on the page; may be called twice. */
  readonly release: () => void;
  /** Makes the same parameters for another worker. */
  readonly prepare: Prepare<Params>;
}

/** The `release` of parameters that hold nothing. */
export const releaseNothing = (): void => undefined;

/** Makes the parameters for one worker. */
export type Prepare<Params> = (wire: Wire) => Prepared<Params>;

/** The way to one worker for what stays on the page. */
export interface Wire {
  /** Lets the worker ask for files by their indices. */
  openFiles(answer: (indices: readonly number[]) => void): FileLine;
}

/** The page's end of a worker's requests for the files of one tree. */
export interface FileLine {
  /** The number by which the worker asks. */
  readonly server: number;
  /** Throws `BadRequest` if the files cannot be sent. */
  send(reply: FilesReply): void;
  /** Tells the worker that the files are released; may be called twice. */
  close(): void;
}

/** Returns a copy that the page cannot change; throws `BadRequest` if it cannot be sent. */
export function copyOf<Value>(value: Value): Value {
  try {
    return structuredClone(value);
  } catch (cause) {
    throw cannotBeSent(cause);
  }
}

/** A mounted tree. */
export interface KeptMount {
  readonly report: MountReport;
  /** The parameters that the present worker has. */
  readonly prepared: Prepared<MountParams>;
}

/** A mount that could not be restored. */
export interface LostMount {
  readonly path: string;
  readonly reason: string;
}

/** What a client has proposed before, and who hears of what it proposes. */
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

  /** Replaces a mount's parameters by those of another worker; keeps its place in the order. */
  restore(mount: KeptMount): void {
    this.mounts.get(mount.report.path)?.prepared.release();
    this.mounts.set(mount.report.path, mount);
  }

  /** Drops the mount at a path. */
  drop(path: string): void {
    this.mounts.get(path)?.prepared.release();
    this.mounts.delete(path);
  }

  /** Releases what the mounts of a worker that is gone hold on the page. */
  release(): void {
    for (const { prepared } of this.mounts.values()) {
      prepared.release();
    }
  }
}
