/** A request as the session sends it, to one worker after another. */
import type { ClientMethod, RequestResults } from "../protocol/methods.ts";
import type { ProgressEvent } from "../protocol/mount-report.ts";
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

export interface CallOptions<M extends ClientMethod> {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((event: ProgressEvent) => void) | undefined;
  /** Returns how long it may run in the worker; called when it begins. @default Infinity */
  timeoutMs?(): number;
  /** Its name in messages. @default the method */
  readonly label?: string;
  /** True if the worker is told that the result has arrived. @default false */
  readonly acknowledges?: boolean;
  /** Called with the result, before the caller's promise resolves. */
  keep?(result: RequestResults[M]): void;
}

/** Returns parameters that are the same for each worker, and leave nothing on the page. */
export function plain<Params>(params: Params): Sendable<Params> {
  return { wire: () => params, release: () => undefined };
}
