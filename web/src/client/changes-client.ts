/** The methods by which a person decides about the changes that calls propose. */
import type { Changes, ExportedChanges, FileDiff, Mark, Step } from "../protocol/changes.ts";
import type { ClientMethod, RequestParams, RequestResults } from "../protocol/methods.ts";
import { copyOf } from "../protocol/options.ts";
import { plain } from "../session/sendable.ts";
import type { ClientSession } from "../session/session.ts";
import { STATE } from "./connect-options.ts";

/**
 * The part of a client that shows and decides what calls propose to change.
 *
 * Nothing is ever written: what a tool changes lies in one record above all mounts, and every tool
 * shows the mounts with it. A decision waits its turn like a call, so it never runs during one. The
 * wheel checks the parameters, and refuses unknown names too.
 */
export class ChangesClient {
  readonly #session: ClientSession;

  /** @internal */
  constructor(session: ClientSession) {
    this.#session = session;
  }

  /**
   * Lists what is proposed, and the steps that led there.
   *
   * With the number of a step as `since`, lists what has changed after that step.
   */
  async changes(options?: { readonly since?: number }): Promise<Changes> {
    return JSON.parse(await this.#ask("changes", { ...options }));
  }

  /**
   * Compares a changed path at two points in time: by default its mount, and now.
   *
   * Rejects with `UnknownChange` if nothing is proposed at the path.
   */
  diff(path: string, options?: { readonly from?: Mark; readonly to?: Mark }): Promise<FileDiff> {
    return this.#ask("diffChange", { ...options, path });
  }

  /**
   * Takes back the change of a path, or only the hunks of these keys, by a step of its own.
   *
   * `takeNotes` then tells of it, with the reason. A call with `of`, the version that an earlier
   * rejection returned, takes nothing back and gives that one its reason. Rejects with
   * `UnknownChange`, `UnknownHunk`, or `StaleHunk` if the hunk has changed since its key was read.
   */
  reject(
    path: string,
    options?:
      | { readonly hunks?: readonly string[]; readonly reason?: string }
      | { readonly of: number; readonly reason: string },
  ): Promise<{ readonly version: number }> {
    return this.#ask("rejectChange", { ...options, path });
  }

  /**
   * Marks the change of a path as wanted, or only the hunks of these keys; rejects as `reject`.
   *
   * `isKept: false` takes the mark away.
   */
  keep(
    path: string,
    options?: { readonly hunks?: readonly string[]; readonly isKept?: boolean },
  ): Promise<{ readonly version: number }> {
    return this.#ask("keepChange", { ...options, path });
  }

  /** Takes the last step back, by a step of its own; that is null if there was nothing to undo. */
  undo(): Promise<{ readonly version: number; readonly step: Step | null }> {
    return this.#ask("undoChange", {});
  }

  /** Brings back what the last `undo` took; its step is null if there was nothing to redo. */
  redo(): Promise<{ readonly version: number; readonly step: Step | null }> {
    return this.#ask("redoChange", {});
  }

  /** Returns a sentence for the model about each decision that it was not told of yet. */
  takeNotes(): Promise<readonly string[]> {
    return this.#ask("takeNotes", {});
  }

  /** Returns the changes in a format, without those paths and hunks in `leaveOut`. */
  exportChanges<Format extends keyof ExportedChanges>(options: {
    readonly format: Format;
    readonly leaveOut?: readonly string[];
  }): Promise<ExportedChanges[Format]> {
    // The compiler does not see that the result is that of the format.
    return this.#ask("exportChanges", options) as Promise<ExportedChanges[Format]>;
  }

  /**
   * Returns the changes and steps as bytes, for `restoreState` or `connect({ state })`.
   *
   * They also hold which files were read until now, for tools that change only what was read. A
   * worker that replaces a dead one gets them, too.
   */
  async saveState(): Promise<Uint8Array> {
    const { kept } = this.#session;
    return this.#session.send("saveState", plain({}), {
      keep: (state) => {
        kept.state = copyOf(state);
      },
    });
  }

  /**
   * Puts the changes and steps of `saveState` in the place of all others.
   *
   * If a tree that they change is not mounted yet, they are there once it is; a call that changes
   * something before that takes their place. Rejects with `StateInvalid` for any other bytes.
   */
  async restoreState(state: Uint8Array): Promise<void> {
    STATE(state, "state");
    const { kept } = this.#session;
    const copy = copyOf(state);
    await this.#session.send("restoreState", plain({ state: copy }), {
      keep: () => {
        kept.state = copy;
      },
    });
  }

  /** Forgets all changes and steps, for good. */
  discardChanges(): Promise<{ readonly version: number }> {
    return this.#ask("discardChanges", {});
  }

  /** Sends a copy: the page may change its object, and a replacement worker needs the same. */
  async #ask<M extends ClientMethod>(
    method: M,
    params: RequestParams[M],
  ): Promise<RequestResults[M]> {
    return this.#session.send(method, plain(copyOf(params)));
  }
}
