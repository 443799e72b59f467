/** Requests to a worker and their replies. */
import { TreeglassError } from "../protocol/errors.ts";
import type {
  ClientMessage,
  Method,
  Request,
  RequestParams,
  RequestResults,
} from "../protocol/messages.ts";
import type { ProgressEvent } from "../protocol/mounts.ts";
import { isWorkerMessage, RESULT_GUARDS } from "./parse-reply.ts";

/** A worker, or one end of a channel to what behaves like one. */
export interface WorkerEndpoint {
  postMessage(message: ClientMessage): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
}

/** What one request may bring along. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((event: ProgressEvent) => void) | undefined;
}

interface Pending {
  readonly settle: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: ((event: ProgressEvent) => void) | undefined;
}

/** Numbers requests, waits for their replies, and lets go of them when told to. */
export class WorkerChannel {
  /** Resolves when the worker listens; nothing may be sent before. */
  readonly hello: Promise<void>;
  readonly #endpoint: WorkerEndpoint;
  readonly #pending = new Map<number, Pending>();
  #greet: () => void = () => undefined;
  #lastId = 0;
  #failure: TreeglassError | null = null;

  constructor(endpoint: WorkerEndpoint) {
    this.#endpoint = endpoint;
    this.hello = new Promise((resolve) => {
      this.#greet = resolve;
    });
    endpoint.addEventListener("message", (event) => this.#receive(event.data));
  }

  /**
   * Sends a request and returns what it is answered with.
   *
   * Rejects with a `TreeglassError`, or with the signal's reason as soon as that aborts; the late
   * answer of the worker is dropped.
   */
  send<M extends Method>(
    method: M,
    params: RequestParams[M],
    { signal, onProgress }: RequestOptions = {},
  ): Promise<RequestResults[M]> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) {
        throw this.#failure;
      }
      signal?.throwIfAborted();
      this.#lastId += 1;
      const id = this.#lastId;
      const abort = () => {
        this.#pending.delete(id);
        this.#endpoint.postMessage({ type: "cancel", id });
        reject(signal?.reason);
      };
      const finish = () => signal?.removeEventListener("abort", abort);
      this.#post(requestOf(id, method, params));
      signal?.addEventListener("abort", abort, { once: true });
      this.#pending.set(id, {
        settle: (result) => {
          finish();
          if (isResult(method, result)) {
            resolve(result);
          } else {
            reject(new TreeglassError("WorkerFailed", `The answer to ${method} makes no sense.`));
          }
        },
        reject: (error) => {
          finish();
          reject(error);
        },
        onProgress,
      });
    });
  }

  /** Rejects what is pending and all that is sent from now on. */
  fail(error: TreeglassError): void {
    this.#failure ??= error;
    for (const { reject } of this.#pending.values()) {
      reject(error);
    }
    this.#pending.clear();
  }

  #post(message: ClientMessage): void {
    try {
      this.#endpoint.postMessage(message);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new TreeglassError(
        "BadRequest",
        `The request holds what cannot be sent to a worker: ${reason}`,
        { cause },
      );
    }
  }

  #receive(message: unknown): void {
    if (!isWorkerMessage(message)) {
      return;
    }
    if (message.type === "hello") {
      this.#greet();
      return;
    }
    const pending = this.#pending.get(message.id);
    if (message.type === "progress") {
      pending?.onProgress?.(message.event);
      return;
    }
    this.#pending.delete(message.id);
    if (message.type === "result") {
      pending?.settle(message.result);
    } else {
      pending?.reject(new TreeglassError(message.kind, message.message));
    }
  }
}

function isResult<M extends Method>(method: M, result: unknown): result is RequestResults[M] {
  return RESULT_GUARDS[method](result);
}

function requestOf<M extends Method>(id: number, method: M, params: RequestParams[M]): Request {
  // What `Request` says for each method holds for any one of them, which the checker cannot follow.
  return { type: "request", id, method, params } as Request;
}
