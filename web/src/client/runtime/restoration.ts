/** Telling a worker what the one before it knew. */
import { TreeglassError } from "../../protocol/errors.ts";
import type { KeptMount, KeptState, LostMount } from "./kept-state.ts";
import type { WorkerChannel } from "./worker-channel.ts";

/** The mounts that did not come back, or why not even the settings were taken; null: stopped. */
export type RestorationOutcome =
  | { readonly lost: readonly LostMount[] }
  | { readonly refusal: unknown }
  | null;

/** Sends the settings and the mounts, in their order. */
export class Restoration {
  readonly outcome: Promise<RestorationOutcome>;
  readonly #kept: KeptState;
  readonly channel: WorkerChannel;
  readonly #onFatal: (reason: string) => void;
  #running: KeptMount | null = null;
  #stop: (outcome: null) => void = () => undefined;
  #isStopped = false;

  /** `onFatal` hears that the worker did not survive it. */
  constructor(kept: KeptState, channel: WorkerChannel, onFatal: (reason: string) => void) {
    this.#kept = kept;
    this.channel = channel;
    this.#onFatal = onFatal;
    const stopped = new Promise<null>((resolve) => {
      this.#stop = resolve;
    });
    this.outcome = Promise.race([this.#restore(), stopped]);
  }

  /** Gives up, since the worker is gone. */
  stop(): void {
    this.#isStopped = true;
    this.channel.close();
    this.#stop(null);
  }

  /** Drops and returns the mount that was being restored; null where none was. */
  dropRunning(reason: string): LostMount | null {
    return this.#running === null ? null : this.#drop(this.#running, reason);
  }

  async #restore(): Promise<RestorationOutcome> {
    try {
      const configured = this.channel.ask("configure", this.#kept.settings, this.#hear(null));
      // Posted without waiting: the worker does one after the other.
      const mounted = [...this.#kept.mounts.values()].map((mount) => this.#mount(mount));
      await configured;
      const outcomes = await Promise.all(mounted);
      return { lost: outcomes.filter((outcome) => outcome !== null) };
    } catch (refusal) {
      return { refusal };
    }
  }

  async #mount(mount: KeptMount): Promise<LostMount | null> {
    const prepared = mount.prepare();
    try {
      const report = await this.channel.ask("mount", prepared.params, this.#hear(mount));
      this.#kept.keep({ ...mount, report, prepared });
      return null;
    } catch (error) {
      prepared.release();
      return this.#drop(mount, error instanceof TreeglassError ? error.message : String(error));
    } finally {
      this.#running = null;
    }
  }

  #hear(mount: KeptMount | null) {
    return {
      began: () => {
        this.#running = mount;
      },
      rejected: (error: TreeglassError, isFatal: boolean) => {
        if (isFatal && !this.#isStopped) {
          this.#onFatal(error.message);
        }
      },
    };
  }

  #drop(mount: KeptMount, reason: string): LostMount {
    const { path } = mount.report;
    this.#kept.drop(path);
    return { path, reason };
  }
}
