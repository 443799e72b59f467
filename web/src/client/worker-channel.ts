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
  postMessage(message: ClientMessage, transfer: Transferable[]): void;
  addEventListener(
    type: "message" | "messageerror",
    listener: (event: { readonly data: unknown }) => void,
  ): void;
}

/** What one request may bring along. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((event: ProgressEvent) => void) | undefined;
}

/** What a request asks; or what finds that out, and has to stop where nobody waits any more. */
export type Params<M extends Method> =
  | RequestParams[M]
  | ((withdrawn: AbortSignal) => Promise<RequestParams[M]>);

interface Pending {
  readonly settle: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: ((event: ProgressEvent) => void) | undefined;
  /** Aborted when nobody waits for the request any more. */
  readonly withdrawn: AbortSignal;
  isPosted: boolean;
}

/** Numbers requests, waits for their replies, and lets go of them when told to. */
export class WorkerChannel {
  /** Resolves when the worker listens; nothing may be sent before. */
  readonly hello: Promise<void>;
  readonly #endpoint: WorkerEndpoint;
  readonly #pending = new Map<number, Pending>();
  #greet: () => void = () => undefined;
  /** Done when all that was held up is posted; null where nothing is. */
  #held: Promise<void> | null = null;
  #lastId = 0;
  #failure: TreeglassError | null = null;

  constructor(endpoint: WorkerEndpoint) {
    this.#endpoint = endpoint;
    this.hello = new Promise((resolve) => {
      this.#greet = resolve;
    });
    endpoint.addEventListener("message", (event) => this.#receive(event.data));
    // Nobody can tell whose answer it was, and one that never comes must not be waited for.
    endpoint.addEventListener("messageerror", () => {
      const reason =
        "A message of the worker could not be read; close this client and connect again.";
      this.fail(new TreeglassError("WorkerFailed", reason));
    });
  }

  /**
   * Sends a request and returns what it is answered with.
   *
   * Requests are posted in the order of the calls: at once, but after one whose parameters are
   * still being found out.
   *
   * Rejects with a `TreeglassError`, or with the signal's reason as soon as that aborts; the late
   * answer of the worker is dropped.
   */
  send<M extends Method>(
    method: M,
    params: Params<M>,
    { signal, onProgress }: RequestOptions = {},
  ): Promise<RequestResults[M]> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) {
        throw this.#failure;
      }
      signal?.throwIfAborted();
      this.#lastId += 1;
      const id = this.#lastId;
      const withdrawal = new AbortController();
      const abort = () => this.#withdraw(id, signal?.reason);
      const finish = () => signal?.removeEventListener("abort", abort);
      signal?.addEventListener("abort", abort, { once: true });
      this.#pending.set(id, {
        settle: (result) => {
          finish();
          if (isResult(method, result)) {
            if (method === "mount") {
              this.#endpoint.postMessage({ type: "acknowledge", id }, []);
            }
            resolve(result);
          } else {
            reject(new TreeglassError("WorkerFailed", `The answer to ${method} makes no sense.`));
          }
        },
        reject: (error) => {
          finish();
          reject(error);
          withdrawal.abort(error);
        },
        onProgress,
        withdrawn: withdrawal.signal,
        isPosted: false,
      });
      this.#postInTurn(id, method, params);
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

  #withdraw(id: number, reason: unknown): void {
    const pending = this.#take(id);
    if (pending?.isPosted) {
      this.#endpoint.postMessage({ type: "cancel", id }, []);
    }
    pending?.reject(reason);
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  #postInTurn<M extends Method>(id: number, method: M, params: Params<M>): void {
    if (this.#held === null && typeof params !== "function") {
      this.#post(id, method, params);
      return;
    }
    const held = (this.#held ?? Promise.resolve())
      .then(async () => this.#post(id, method, await this.#findOut(id, params)))
      // What nobody waits for must not be posted, and still its turn must come.
      .catch((error) => this.#drop(id, error))
      .finally(() => {
        if (this.#held === held) {
          this.#held = null;
        }
      });
    this.#held = held;
  }

  /** Returns the parameters; rejects as soon as nobody waits for the request any more. */
  #findOut<M extends Method>(id: number, params: Params<M>): Promise<RequestParams[M]> {
    return new Promise((resolve, reject) => {
      const withdrawn = this.#pending.get(id)?.withdrawn ?? AbortSignal.abort();
      withdrawn.throwIfAborted();
      withdrawn.addEventListener("abort", () => reject(withdrawn.reason), { once: true });
      (typeof params === "function" ? params(withdrawn) : Promise.resolve(params)).then(
        resolve,
        reject,
      );
    });
  }

  #post<M extends Method>(id: number, method: M, params: RequestParams[M]): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) {
      this.#endpoint.postMessage({ type: "cancel", id }, []);
      return;
    }
    try {
      const request = requestOf(id, method, params);
      this.#endpoint.postMessage(request, transferablesOf(request));
      pending.isPosted = true;
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const message = `The request holds what cannot be sent to a worker: ${reason}`;
      this.#drop(id, new TreeglassError("BadRequest", message, { cause }));
    }
  }

  /** Rejects a request that is not posted; the worker gets its id all the same, see `Request`. */
  #drop(id: number, error: unknown): void {
    this.#endpoint.postMessage({ type: "cancel", id }, []);
    this.#take(id)?.reject(error);
  }

  #receive(message: unknown): void {
    if (!isWorkerMessage(message)) {
      return;
    }
    if (message.type === "hello") {
      this.#greet();
      return;
    }
    if (message.type === "progress") {
      this.#pending.get(message.id)?.onProgress?.(message.event);
      return;
    }
    const pending = this.#take(message.id);
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

/** The files of a page stay there, and the worker gets a port to ask for them. */
function transferablesOf(request: Request): Transferable[] {
  if (request.method === "mount" && request.params.source.kind === "files") {
    return [request.params.source.desk];
  }
  return [];
}

function requestOf<M extends Method>(id: number, method: M, params: RequestParams[M]): Request {
  // What `Request` says for each method holds for any one of them, which the checker cannot follow.
  return { type: "request", id, method, params } as Request;
}
