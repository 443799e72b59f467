/** The content of a request, which goes to one worker after another. */
import { reasonOf } from "../lib/report-error.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { FilesReply } from "../protocol/source-kinds.ts";

/** Parameters, or a part of them, in the form for each worker that they are sent to. */
export interface Sendable<Params> {
  /** Awaited before the first `wire`; missing if that may come at once. */
  readonly prepare?: ((withdrawn: AbortSignal) => Promise<void>) | undefined;
  /** Returns what goes over the wire to a worker, and releases what an earlier worker got. */
  wire(wire: Wire): Params;
  /** Releases what the page serves to the worker; may be called twice. */
  release(): void;
}

export function plain<Params>(params: Params): Sendable<Params> {
  return { wire: () => params, release: () => undefined };
}

/** The way to one worker for what stays on the page. */
export interface Wire {
  /** Lets the worker ask for files by their indices. */
  openFiles(answer: (indices: readonly number[]) => void): FileLine;
}

/** The page's end of a worker's requests for the files of one tree. */
export interface FileLine {
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

/** Returns the error for a request that holds what no message can carry. */
export function cannotBeSent(cause: unknown): TreeglassError {
  const message = `The request holds what cannot be sent to a worker: ${reasonOf(cause)}`;
  return new TreeglassError("BadRequest", message, { cause });
}
