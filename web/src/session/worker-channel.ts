/** Numbered requests to a worker, and their replies. */
import { withResolvers } from "../lib/with-resolvers.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { Loss, Request, WorkerMessage } from "../protocol/messages.ts";
import type { Method, RequestParams, RequestResults } from "../protocol/methods.ts";
import type { ProgressEvent } from "../protocol/mount-report.ts";
import type { SendBlob } from "./blob-sender.ts";
import { cannotBeSent, type WorkerEndpoint } from "./worker-endpoint.ts";

/** Listens to one request; one of the last three ends it. */
export interface RequestListener {
  began(run: number): void;
  progress(event: ProgressEvent): void;
  /** After the last one, the worker is to be ended. */
  resolved(result: unknown, isLast: boolean): void;
  rejected(error: TreeglassError, loss: Loss): void;
  cancelled(): void;
}

/** Numbers requests, and passes each reply to the listener of its request. */
export class WorkerChannel {
  /** Sends a Blob to the same worker; a request must not contain one. */
  readonly sendBlob: SendBlob;
  readonly #endpoint: WorkerEndpoint;
  readonly #listeners = new Map<number, RequestListener>();
  readonly #greeting = withResolvers<number | undefined>();
  #lastId = 0;
  #isClosed = false;

  /** `onUnreadable` is called with a reply that cannot be decoded, and so matches no request. */
  constructor(endpoint: WorkerEndpoint, sendBlob: SendBlob, onUnreadable: () => void) {
    this.#endpoint = endpoint;
    this.sendBlob = sendBlob;
    endpoint.addEventListener("message", ({ data }) => this.#receive(data as WorkerMessage));
    endpoint.addEventListener("messageerror", () => {
      if (!this.#isClosed) {
        onUnreadable();
      }
    });
  }

  /**
   * Resolves with the worker's `PROTOCOL` when it listens; send nothing to its own scope before
   * that. Undefined for a worker of a release that had none.
   */
  get hello(): Promise<number | undefined> {
    return this.#greeting.promise;
  }

  /** Returns the id of the request; throws `BadRequest` if it cannot be sent. */
  post<M extends Method>(method: M, params: RequestParams[M], listener: RequestListener): number {
    const id = this.#lastId + 1;
    try {
      const request = requestOf(id, method, params);
      this.#endpoint.postMessage(request, transferablesOf(request));
    } catch (cause) {
      throw cannotBeSent(cause);
    }
    this.#lastId = id;
    this.#listeners.set(id, listener);
    return id;
  }

  /**
   * Returns the result of a request; never settles if the channel is closed first.
   *
   * Rejects with the signal's reason as soon as that aborts; the worker then stops or undoes the
   * request.
   */
  ask<M extends Method>(
    method: M,
    params: RequestParams[M],
    hear: Partial<Pick<RequestListener, "began" | "progress" | "rejected">> = {},
    signal?: AbortSignal,
  ): Promise<RequestResults[M]> {
    return new Promise((resolve, reject) => {
      const id = this.post(method, params, {
        began: hear.began ?? (() => undefined),
        progress: hear.progress ?? (() => undefined),
        resolved: (result) => {
          if (signal?.aborted) {
            return;
          }
          this.acknowledge({ id, method });
          // The compiler does not see that the result is that of the method.
          resolve(result as RequestResults[M]);
        },
        rejected: (error, loss) => {
          hear.rejected?.(error, loss);
          reject(error);
        },
        cancelled: () => undefined,
      });
      const withdraw = () => {
        this.cancel(id);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", withdraw, { once: true });
    });
  }

  /** Tells the worker that a request is abandoned; it undoes a finished mount. */
  cancel(id: number): void {
    this.#endpoint.postMessage({ type: "cancel", id }, []);
  }

  /** Tells the worker that a mount's report has arrived, so that it drops the replaced tree. */
  acknowledge({ id, method }: { readonly id: number | null; readonly method: Method }): void {
    if (method === "mount" && id !== null) {
      this.#endpoint.postMessage({ type: "acknowledge", id }, []);
    }
  }

  /** Sends the last message. */
  sayGoodbye(): void {
    this.#endpoint.postMessage({ type: "close" }, []);
  }

  /** Ignores all further messages. */
  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
    this.#endpoint.close?.();
  }

  #receive(message: WorkerMessage): void {
    if (this.#isClosed) {
      return;
    }
    if (message.type === "hello") {
      this.#greeting.resolve(message.protocol);
      return;
    }
    const listener = this.#listeners.get(message.id);
    if (message.type === "began") {
      listener?.began(message.run);
    } else if (message.type === "progress") {
      listener?.progress(message.event);
    } else {
      this.#listeners.delete(message.id);
      hearReply(listener, message);
    }
  }
}

function hearReply(
  listener: RequestListener | undefined,
  reply: Exclude<WorkerMessage, { readonly type: "hello" | "began" | "progress" }>,
): void {
  if (reply.type === "result") {
    listener?.resolved(reply.result, reply.isLast ?? false);
  } else if (reply.type === "cancelled") {
    listener?.cancelled();
  } else {
    listener?.rejected(new TreeglassError(reply.kind, reply.message), reply.loss);
  }
}

/** Files and the parts of an image arrive one by one over a port that the request transfers. */
function transferablesOf(request: Request): Transferable[] {
  if (request.method === "start" && request.params.image !== null) {
    return [request.params.image.parts];
  }
  if (request.method === "mount" && request.params.source.kind === "files") {
    return [request.params.source.requests];
  }
  return [];
}

function requestOf<M extends Method>(id: number, method: M, params: RequestParams[M]): Request {
  // The compiler does not see that the parameters are those of the method.
  return { type: "request", id, method, params } as Request;
}
