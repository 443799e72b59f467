/** One client's record of changes, which has to outlive the interpreter. */
import { fromBase64, toBase64 } from "../lib/base64.ts";
import { isRecord } from "../lib/checks.ts";
import type { SavedChanges, SavedState } from "../protocol/changes.ts";
import { TreeglassError, type TreeglassErrorName } from "../protocol/errors.ts";
import type { ClientMethod } from "../protocol/methods.ts";
import { malformed } from "../protocol/refusals.ts";
import type { BridgeParams, BridgeResults } from "./bridge-client.ts";

/** Asks the bridge until all modules that the request imports are there. */
export type AskBridge = <M extends keyof BridgeParams>(
  method: M,
  params: BridgeParams[M],
) => Promise<BridgeResults[M]>;

/** The methods before which no held record is restored. */
const LEAVE_A_RECORD_HELD: ReadonlySet<ClientMethod> = new Set([
  "configure",
  "mount",
  "unmount",
  "restoreState",
  "discardChanges",
]);

/** The version of a record of which the page knows nothing. */
const UNKNOWN = -1;

/**
 * Saves the record when it has changed, and restores it.
 *
 * The bridge refuses a record while a mount that it changes is missing. Such a record is held until
 * it fits the mounts.
 */
export class ChangeRecord {
  readonly #ask: AskBridge;
  #version = 0;
  /** The version of the record that the page has. */
  #savedVersion = 0;
  /** True if marks or notes have changed, which move no version. */
  #hasNewMarks = false;
  /** The present record, if it was restored. */
  #restored: string | null = null;
  /** A record that waits for a mount. */
  #held: string | null = null;
  /** True if there is a mount that the held record was not tried with. */
  #mayFit = false;

  constructor(ask: AskBridge) {
    this.#ask = ask;
  }

  get isThere(): boolean {
    return this.#version !== 0;
  }

  /** Notes the version in an answer of the bridge, if it has one. */
  note(answer: unknown): void {
    if (isRecord(answer) && typeof answer.version === "number") {
      if (answer.version !== this.#version) {
        this.#restored = null;
        // There is only one record, and now it has a step.
        this.#held = null;
      }
      this.#version = answer.version;
    }
  }

  noteMount(): void {
    this.#mayFit = true;
  }

  noteMarks(): void {
    this.#hasNewMarks = true;
    this.#restored = null;
  }

  /** Returns the record if it has changed since the last time; null if it has not. */
  async takeChanged(): Promise<SavedChanges | null> {
    const version = this.#version;
    const isMoved = version !== this.#savedVersion;
    if (!isMoved && !this.#hasNewMarks) {
      return null;
    }
    const state = this.#restored ?? (await this.#ask("saveState", {})).state;
    this.#restored = null;
    this.#hasNewMarks = false;
    this.#savedVersion = version;
    return { version: isMoved ? version : null, state };
  }

  /** Returns the record, also while it is held. */
  async save(): Promise<Uint8Array> {
    return fromBase64(this.#held ?? (await this.#ask("saveState", {})).state);
  }

  /** Puts another record in the place of this one; throws `StateInvalid` for any other bytes. */
  async restore(saved: SavedState): Promise<void> {
    await this.#restore(textOf(saved));
  }

  /** Restores a held record before a request, if it may fit the mounts now. */
  async restoreBefore(method: ClientMethod): Promise<void> {
    if (this.#held === null || !this.#mayFit || LEAVE_A_RECORD_HELD.has(method)) {
      return;
    }
    try {
      await this.#restore(this.#held);
    } catch (error) {
      // An interrupt says nothing of the record.
      if (!isNamed(error, "TimedOut")) {
        this.#held = null;
      }
      throw error;
    }
  }

  async #restore(state: string): Promise<void> {
    try {
      const { version } = await this.#ask("restoreState", { state });
      this.#version = version;
      this.#savedVersion = UNKNOWN;
      this.#restored = state;
      this.#held = null;
    } catch (error) {
      if (!isNamed(error, "WorkspaceInvalid")) {
        throw error;
      }
      this.#held = state;
      this.#mayFit = false;
    }
  }
}

function isNamed(error: unknown, name: TreeglassErrorName): boolean {
  return error instanceof TreeglassError && error.name === name;
}

/** Returns a record as the bridge has it; throws `BadRequest` for what is neither bytes nor text. */
function textOf(saved: unknown): string {
  if (saved instanceof Uint8Array) {
    return toBase64(saved);
  }
  if (typeof saved === "string") {
    return saved;
  }
  throw malformed();
}
