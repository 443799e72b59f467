/** Numbered requests to a worker, and their replies. */
import { withResolvers } from "../lib/promises.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { NumberedMessage, PageMessage, Request, WorkerMessage } from "../protocol/messages.ts";
import type { ClientMethod, RequestParams, StartParams } from "../protocol/methods.ts";
import type { ProgressEvent } from "../protocol/mount-report.ts";
import { cannotBeSent } from "../protocol/refusals.ts";
import type { WorkerStart } from "../protocol/start.ts";
import type { FileLine } from "./sendable.ts";

/** The page's end of a worker's own channel: a worker, as far as it takes and sends messages. */
export interface WorkerEndpoint {
  postMessage(message: PageMessage): void;
  addEventListener(
    type: "message" | "messageerror",
    listener: (event: { readonly data: unknown }) => void,
  ): void;
}

/** A worker's message about one request; a result, an error or a cancellation ends it. */
export type RequestMessage = Exclude<WorkerMessage, { readonly type: "hello" | "wanted" }>;

type Receive = (message: RequestMessage) => void;

/** A start is of no client; those of clients count from 1. */
const NO_CLIENT = 0;

type AnswerFiles = (indices: readonly number[]) => void;

/** A message whose id the channel sets. */
type Unnumbered<Message> = Message extends NumberedMessage ? Omit<Message, "id"> : never;

/** Numbers the messages to a worker, and passes each reply to the listener of its request. */
export class WorkerChannel {
  readonly #endpoint: WorkerEndpoint;
  readonly #waiting = new Map<number, { readonly client: number; readonly receive: Receive }>();
  readonly #servers = new Map<number, AnswerFiles>();
  readonly #greeting = withResolvers<number | undefined>();
  #lastId = 0;
  #lastClient = 0;
  #lastServer = 0;
  #isClosed = false;

  /** `onUnreadable` is called with a reply that cannot be decoded, and so matches no request. */
  constructor(endpoint: WorkerEndpoint, onUnreadable: () => void) {
    this.#endpoint = endpoint;
    endpoint.addEventListener("message", ({ data }) => this.#receive(data as WorkerMessage));
    endpoint.addEventListener("messageerror", () => {
      if (!this.#isClosed) {
        onUnreadable();
      }
    });
  }

  /**
   * Resolves with the worker's `PROTOCOL` when it listens; send nothing before that. Undefined for
   * a worker of a release that had none.
   */
  get hello(): Promise<number | undefined> {
    return this.#greeting.promise;
  }

  /** Starts the runtime; rejects with the worker's refusal. */
  start(params: StartParams, progress?: (event: ProgressEvent) => void): Promise<WorkerStart> {
    const wantsProgress = progress !== undefined;
    const request = { type: "request", client: NO_CLIENT, wantsProgress } as const;
    return new Promise((resolve, reject) => {
      this.request({ ...request, method: "start", params }, (message) => {
        if (message.type === "progress") {
          progress?.(message.event);
        } else if (message.type === "result") {
          // The compiler does not see that the result is that of the method.
          resolve(message.result as WorkerStart);
        } else if (message.type === "error") {
          reject(new TreeglassError(message.name, message.message));
        }
      });
    });
  }

  openClient() {
    this.#lastClient += 1;
    const client = this.#lastClient;
    return {
      openFiles: (answer: AnswerFiles) => this.openFiles(answer),
      /** Returns the id of the request; throws `BadRequest` if it cannot be sent. */
      post: <M extends ClientMethod>(
        method: M,
        params: RequestParams[M],
        wantsProgress: boolean,
        receive: Receive,
      ) => {
        const request = { type: "request", client, wantsProgress, method, params } as const;
        // The compiler does not see that the parameters are those of the method.
        return this.request(request as Unnumbered<Request>, receive);
      },
      /** Tells the worker that a request is abandoned; it undoes a finished mount. */
      cancel: (id: number) => this.tell({ type: "cancel", id, client }),
      /** Tells the worker that a report has arrived, so that it drops the tree that was replaced. */
      acknowledge: (id: number) => this.tell({ type: "acknowledge", id, client }),
      sayGoodbye: () => this.tell({ type: "close", client }),
      /** Ignores all further replies. */
      close: () => this.forget(client),
    };
  }

  /** Sends a request and returns its id; throws `BadRequest` if it cannot be sent. */
  request(request: Unnumbered<Request>, receive: Receive): number {
    const id = this.number(request);
    this.#waiting.set(id, { client: request.client, receive });
    return id;
  }

  /** Sends a numbered message and returns its id; throws `BadRequest` if it cannot be sent. */
  number(message: Unnumbered<NumberedMessage>): number {
    const id = this.#lastId + 1;
    try {
      this.tell({ ...message, id } as NumberedMessage);
    } catch (cause) {
      throw cannotBeSent(cause);
    }
    this.#lastId = id;
    return id;
  }

  tell(message: PageMessage): void {
    if (!this.#isClosed) {
      this.#endpoint.postMessage(message);
    }
  }

  /** Ignores all further replies to a client. */
  forget(client: number): void {
    for (const [id, request] of this.#waiting) {
      if (request.client === client) {
        this.#waiting.delete(id);
      }
    }
  }

  openFiles(answer: AnswerFiles): FileLine {
    this.#lastServer += 1;
    const server = this.#lastServer;
    this.#servers.set(server, answer);
    return {
      server,
      send: (reply) => this.number({ type: "files", server, reply }),
      close: () => {
        if (this.#servers.delete(server)) {
          this.number({ type: "files", server, reply: null });
        }
      },
    };
  }

  /** Ignores all further messages, and sends none. */
  close(): void {
    this.#isClosed = true;
    this.#waiting.clear();
    this.#servers.clear();
  }

  #receive(message: WorkerMessage): void {
    if (this.#isClosed) {
      return;
    }
    if (message.type === "hello") {
      this.#greeting.resolve(message.protocol);
    } else if (message.type === "wanted") {
      this.#answerFiles(message.server, message.indices);
    } else {
      const request = this.#waiting.get(message.id);
      if (message.type !== "began" && message.type !== "progress") {
        this.#waiting.delete(message.id);
      }
      request?.receive(message);
    }
  }

  #answerFiles(server: number, indices: readonly number[]): void {
    const answer = this.#servers.get(server);
    if (answer === undefined) {
      this.number({ type: "files", server, reply: null });
    } else {
      answer(indices);
    }
  }
}

/** The requests of one client to a worker. */
export type ClientChannel = ReturnType<WorkerChannel["openClient"]>;
