/** Restores the settings, the mounts and the record of changes in a replacement worker. */
import { withResolvers } from "../lib/with-resolvers.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { Loss } from "../protocol/messages.ts";
import type { KeptMount, KeptState, LostMount } from "./kept-state.ts";
import type { ClientChannel } from "./worker-channel.ts";

type OnCrash = (reason: string, loss: Exclude<Loss, "nothing">) => void;

/** The lost mounts, or the refusal of the settings or the record; null if it was stopped. */
export type RestorationOutcome =
  | { readonly lost: readonly LostMount[] }
  | { readonly refusal: unknown }
  | null;

/** The most time for one mount: an address that never responds would delay all others. */
const MAX_MOUNT_MS = 60_000;

const TOOK_TOO_LONG = new TreeglassError(
  "SourceUnreadable",
  `it took longer than ${MAX_MOUNT_MS / 1000} s`,
);

/** Sends the settings, the mounts in their order, and the record of changes. */
export class Restoration {
  readonly outcome: Promise<RestorationOutcome>;
  readonly #kept: KeptState;
  readonly channel: ClientChannel;
  readonly #onFatal: OnCrash;
  /** Releases the mounts that were sent and are not confirmed yet. */
  readonly #unkept = new Set<() => void>();
  #running: KeptMount | null = null;
  readonly #stopped = withResolvers<null>();
  #isStopped = false;

  /** `onFatal` is called if the worker or its interpreter dies meanwhile. */
  constructor(kept: KeptState, channel: ClientChannel, onFatal: OnCrash) {
    this.#kept = kept;
    this.channel = channel;
    this.#onFatal = onFatal;
    this.outcome = Promise.race([this.#restore(), this.#stopped.promise]);
  }

  /** Stops, because the worker is gone. */
  stop(): void {
    this.#isStopped = true;
    this.channel.close();
    for (const letGo of this.#unkept) {
      letGo();
    }
    this.#stopped.resolve(null);
  }

  /** Drops the mount that was being restored, if any, and returns it. */
  dropRunning(reason: string): readonly LostMount[] {
    return this.#running === null ? [] : [this.#drop(this.#running, reason)];
  }

  async #restore(): Promise<RestorationOutcome> {
    const { settings, mounts, state } = this.#kept;
    const hear = { rejected: this.#hearFatal };
    try {
      // Posted without waiting: the worker runs one request at a time.
      const configured = this.channel.ask("configure", settings, hear);
      const mounted = [...mounts.values()].map((mount) => this.#mount(mount));
      const restored = state && this.channel.ask("restoreState", { state }, hear);
      await Promise.all([configured, restored]);
      const outcomes = await Promise.all(mounted);
      return { lost: outcomes.filter((outcome) => outcome !== null) };
    } catch (refusal) {
      return { refusal };
    }
  }

  async #mount(mount: KeptMount): Promise<LostMount | null> {
    const { sendable } = mount;
    const limit = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const letGo = () => {
      clearTimeout(timer);
      sendable.release();
    };
    this.#unkept.add(letGo);
    // The time in the queue does not count.
    const began = () => {
      this.#running = mount;
      timer = setTimeout(() => limit.abort(TOOK_TOO_LONG), MAX_MOUNT_MS);
    };
    const hear = { began, rejected: this.#hearFatal };
    try {
      const params = sendable.wire(this.channel);
      const report = await this.channel.ask("mount", params, hear, limit.signal);
      clearTimeout(timer);
      this.#kept.restore({ report, sendable });
      return null;
    } catch (error) {
      clearTimeout(timer);
      return this.#drop(mount, error instanceof Error ? error.message : String(error));
    } finally {
      this.#unkept.delete(letGo);
      this.#running = null;
    }
  }

  readonly #hearFatal = (error: TreeglassError, loss: Loss) => {
    if (loss !== "nothing" && !this.#isStopped) {
      this.#onFatal(error.message, loss);
    }
  };

  #drop(mount: KeptMount, reason: string): LostMount {
    const { path } = mount.report;
    this.#kept.drop(path);
    return { path, reason };
  }
}
