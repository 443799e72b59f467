/** Restores the settings, the mounts and the record of changes in a replacement interpreter of the same isolate. */
import { TreeglassError } from "../../protocol/errors.ts";
import type { ProgressEvent } from "../../protocol/mount-report.ts";
import type { KeptMount, KeptState, LostMount } from "../../session/kept-state.ts";
import type { Checkpoint } from "../../sources/source-context.ts";
import { InterpreterFailed } from "../../worker/bridge.ts";
import type { RequestContext } from "../../worker/mounted-trees.ts";
import { RequestPerformer } from "../../worker/request-performer.ts";
import type { Interpreter } from "./interpreter.ts";
import { type IsolateBlobs, isolateHost } from "./isolate-blobs.ts";

export interface Opened {
  readonly interpreter: Interpreter;
  readonly performer: RequestPerformer;
}

export class IsolateRestoration {
  readonly #kept: KeptState;
  readonly #blobs: IsolateBlobs;
  readonly #context: RequestContext;
  /** A restoration that has begun; it stays unfinished if its visit is dropped. */
  #begun: Opened | null = null;

  /** `closed` ends it. */
  constructor(kept: KeptState, blobs: IsolateBlobs, closed: AbortSignal) {
    this.#kept = kept;
    this.#blobs = blobs;
    this.#context = { signal: closed, report: () => undefined };
  }

  get begun(): Opened | null {
    return this.#begun;
  }

  /** Returns the lost mounts once; an empty list if the caller has aborted. */
  takeLost(signal: AbortSignal | undefined): readonly LostMount[] {
    return signal?.aborted ? [] : this.#kept.takeLost();
  }

  forget(): void {
    this.#begun = null;
  }

  /**
   * Opens an interpreter that is new to the client.
   *
   * Rejects with `InterpreterFailed` if the interpreter dies; the mount that it died of is lost,
   * and all others are kept.
   */
  async open(interpreter: Interpreter): Promise<Opened> {
    const before = this.#begun;
    this.#begun = null;
    if (before?.interpreter === interpreter) {
      before.performer.close();
    }
    const performer = new RequestPerformer(interpreter.runtime, {
      host: isolateHost(this.#blobs),
      nextDirectory: () => interpreter.nextDirectory(),
      openFiles: this.#blobs.openTree,
      checkpointOf,
    });
    const opened = { interpreter, performer };
    this.#begun = opened;
    const configuration = { id: 0, method: "configure", params: this.#kept.settings } as const;
    await performer.perform(configuration, this.#context);
    for (const mount of [...this.#kept.mounts.values()]) {
      this.#requireBegun(opened);
      await this.#restore(mount, performer);
    }
    this.#requireBegun(opened);
    await this.#restoreChanges(performer);
    this.#requireBegun(opened);
    this.#begun = null;
    return opened;
  }

  async #restoreChanges(performer: RequestPerformer): Promise<void> {
    const { state } = this.#kept;
    if (state !== undefined) {
      const request = { id: 0, method: "restoreState", params: { state } } as const;
      await performer.perform(request, this.#context);
      // The page knows of them.
      await performer.takeChanges();
    }
  }

  /** Throws if another request has started over, because this one was silent for too long. */
  #requireBegun(opened: Opened): void {
    if (this.#begun !== opened) {
      opened.performer.close();
      throw new TreeglassError(
        "WorkerFailed",
        "The call was taken for an abandoned one; make it again.",
      );
    }
  }

  async #restore(mount: KeptMount, performer: RequestPerformer): Promise<void> {
    const { sendable } = mount;
    try {
      const request = { id: 0, method: "mount", params: sendable.wire(this.#blobs) } as const;
      const report = await performer.perform(request, this.#context);
      this.#kept.restore({ report, sendable });
    } catch (error) {
      this.#kept.lose(mount.report.path, error);
      if (error instanceof InterpreterFailed) {
        throw error;
      }
    }
  }
}

/** Lets no other task run: a timer would belong to one visit, and other visits cannot await it. */
function checkpointOf(report: (event: ProgressEvent) => void, signal: AbortSignal): Checkpoint {
  return async (loaded, total, phase = "index") => {
    signal.throwIfAborted();
    report({ phase, loaded, ...(total === undefined ? {} : { total }) });
  };
}
