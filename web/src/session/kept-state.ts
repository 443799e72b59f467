/** What a client keeps, so that another worker can take over. */
import type { MountParams, Settings } from "../protocol/methods.ts";
import type { MountReport } from "../protocol/mount-report.ts";
import type { SendBlob } from "./blob-sender.ts";
import { cannotBeSent } from "./worker-endpoint.ts";

/** A request's parameters, made anew for each worker that is asked. */
export interface Prepared<Params> {
  readonly params: Params;
  /** Lets go of what these parameters hold on the page; may be called twice. */
  readonly release: () => void;
}

/** Releases what holds nothing. */
export const releaseNothing = (): void => undefined;

/** Makes what one worker is to have, which its Blobs are handed to; throws what cannot be sent. */
export type Prepare<Params> = (handOver: SendBlob) => Prepared<Params>;

/** Returns what the page cannot change any more; throws `BadRequest` for what cannot be sent. */
export function copyOf<Value>(value: Value): Value {
  try {
    return structuredClone(value);
  } catch (cause) {
    throw cannotBeSent(cause);
  }
}

/** A tree that is mounted. */
export interface KeptMount {
  readonly report: MountReport;
  /** What the worker has now, to be released when that is over. */
  readonly prepared: Prepared<MountParams>;
  /** Makes what the next worker is to have. */
  readonly prepare: Prepare<MountParams>;
}

/** A mount that did not come back. */
export interface LostMount {
  readonly path: string;
  readonly reason: string;
}

/** The settings and the mounts, as the worker has confirmed them. */
export class KeptState {
  settings: Settings;
  /** In the order in which they were mounted. */
  readonly mounts = new Map<string, KeptMount>();

  constructor(settings: Settings) {
    this.settings = settings;
  }

  /** Keeps a mount, after all others; what was at its path is let go of. */
  keep(mount: KeptMount): void {
    this.drop(mount.report.path);
    this.mounts.set(mount.report.path, mount);
  }

  /** Keeps what another worker has of a mount, in the mount's own place. */
  restore(mount: KeptMount): void {
    this.mounts.get(mount.report.path)?.prepared.release();
    this.mounts.set(mount.report.path, mount);
  }

  /** Lets go of what is mounted at a path. */
  drop(path: string): void {
    this.mounts.get(path)?.prepared.release();
    this.mounts.delete(path);
  }

  /** Lets go of what a worker that is gone held of the page. */
  release(): void {
    for (const { prepared } of this.mounts.values()) {
      prepared.release();
    }
  }
}
