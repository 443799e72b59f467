/** An MCP transport between a page and an iframe in it, of any origin. */
import { isRecord } from "../lib/checks.ts";
import { TreeglassError } from "../protocol/errors.ts";

/** The other end of a transport. */
export interface WindowTransportOptions {
  /** The other window: `iframe.contentWindow` in the page, `window.parent` in the iframe. */
  readonly peer: Window;
  /** The exact origin of the other window's document, such as `https://tools.example`. */
  readonly origin: string;
  /** Keeps connections between the same two windows apart. @default "treeglass-mcp" */
  readonly channel?: string;
}

/** A message of MCP; the library checks its content. */
export interface JsonRpcMessage {
  readonly jsonrpc: "2.0";
}

/** A message of either end; an end sends `hello` when it starts, and gets a `welcome`. */
interface Envelope {
  readonly channel: string;
  /** The end that sends. */
  readonly from: string;
  /** The end that receives; null with `hello`, which is sent before the other end is known. */
  readonly to: string | null;
  readonly kind: "hello" | "welcome" | "message" | "close";
  readonly message?: JsonRpcMessage;
}

/**
 * Carries MCP between a page and an iframe. Each of them makes one, as client or as server.
 *
 * Accepts only messages from the peer window, of its origin, on the channel, and from the connected
 * end; never sends to another origin. Either end may start first: messages wait until the other end
 * listens. Closing one end, or reloading its window, closes the other end. One transport is one
 * connection.
 *
 * A document with an opaque origin, such as a sandboxed one, cannot be a peer.
 */
export class WindowTransport {
  onmessage?: ((message: JsonRpcMessage) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  readonly #peer: Window;
  readonly #origin: string;
  readonly #channel: string;
  readonly #id = randomId();
  /** The other end; null until its first message. */
  #peerId: string | null = null;
  /** True if either end has sent more than a greeting. */
  #isSpoken = false;
  #state: "new" | "started" | "closed" = "new";
  #waiting: JsonRpcMessage[] = [];
  readonly #listener = (event: MessageEvent) => this.#receive(event);

  /** Throws `BadRequest` if the peer is not another window, or the origin is not an exact one. */
  constructor({ peer, origin, channel = "treeglass-mcp" }: WindowTransportOptions) {
    if (!isOtherWindow(peer)) {
      throw new TreeglassError(
        "BadRequest",
        "The peer has to be another window: pass the contentWindow of an iframe that is in the page, or window.parent in an iframe.",
      );
    }
    if (!isExactOrigin(origin)) {
      throw new TreeglassError(
        "BadRequest",
        `The origin is ${JSON.stringify(origin)}; pass the exact one of the other window, such as "https://tools.example".`,
      );
    }
    this.#peer = peer;
    this.#origin = origin;
    this.#channel = channel;
  }

  /** Begins to listen, and greets the other end; the library's `connect` calls it. */
  async start(): Promise<void> {
    if (this.#state !== "new") {
      throw new TreeglassError(
        "BadRequest",
        "This WindowTransport was started already; make a new one for each connection.",
      );
    }
    this.#state = "started";
    window.addEventListener("message", this.#listener);
    if (!isStillBlank(this.#peer, this.#origin)) {
      this.#post("hello", null);
    }
  }

  /** Sends a message once the other end listens; rejects with `Closed` without a connection. */
  async send(message: JsonRpcMessage): Promise<void> {
    if (this.#state === "started" && this.#peer.closed) {
      this.#finish();
    }
    if (this.#state !== "started") {
      throw new TreeglassError("Closed", "The other window is not connected; connect anew.");
    }
    if (this.#peerId === null) {
      this.#waiting.push(message);
    } else {
      this.#speak(this.#peerId, message);
    }
  }

  /** Stops listening, and closes the other end; does nothing the second time. */
  async close(): Promise<void> {
    if (this.#state === "started" && this.#peerId !== null) {
      this.#post("close", this.#peerId);
    }
    this.#finish();
  }

  #finish(): void {
    if (this.#state !== "closed") {
      this.#state = "closed";
      this.#waiting = [];
      window.removeEventListener("message", this.#listener);
      this.onclose?.();
    }
  }

  #post(kind: Envelope["kind"], to: string | null, message?: JsonRpcMessage): void {
    const about = { channel: this.#channel, from: this.#id, to, kind };
    const envelope: Envelope = message === undefined ? about : { ...about, message };
    this.#peer.postMessage(envelope, this.#origin);
  }

  #receive({ source, origin, data }: MessageEvent): void {
    if (source !== this.#peer || origin !== this.#origin) {
      return;
    }
    if (!isEnvelope(data) || data.channel !== this.#channel) {
      return;
    }
    const { from, to, kind, message } = data;
    if (to !== this.#id && !(to === null && kind === "hello")) {
      return;
    }
    if (kind === "hello" || kind === "welcome") {
      this.#meet(from, kind);
    } else if (from !== this.#peerId) {
      return;
    } else if (kind === "close") {
      this.#finish();
    } else if (message !== undefined) {
      this.#isSpoken = true;
      this.onmessage?.(message);
    }
  }

  #meet(from: string, kind: "hello" | "welcome"): void {
    if (this.#isSpoken && this.#peerId !== from) {
      // The window was reloaded, or made another end: the end of this connection is gone.
      this.#finish();
      return;
    }
    // A page that tries again replaces an end that has sent only a greeting.
    const isNew = this.#peerId === null;
    this.#peerId = from;
    if (kind === "hello") {
      this.#post("welcome", from);
    }
    if (isNew) {
      for (const message of this.#waiting.splice(0)) {
        this.#speak(from, message);
      }
    }
  }

  #speak(to: string, message: JsonRpcMessage): void {
    this.#isSpoken = true;
    this.#post("message", to, message);
  }
}

function isEnvelope(value: unknown): value is Envelope {
  if (!isRecord(value) || typeof value.channel !== "string" || typeof value.from !== "string") {
    return false;
  }
  const { to, kind, message } = value;
  if (kind === "message") {
    return typeof to === "string" && isJsonRpc(message);
  }
  return kind === "hello" || ((kind === "welcome" || kind === "close") && typeof to === "string");
}

function isJsonRpc(value: unknown): value is JsonRpcMessage {
  if (!isRecord(value) || value.jsonrpc !== "2.0") {
    return false;
  }
  return typeof value.method === "string" || "result" in value || isRecord(value.error);
}

function isOtherWindow(peer: unknown): peer is Window {
  return typeof peer === "object" && peer !== null && peer !== window && "postMessage" in peer;
}

function isExactOrigin(origin: unknown): origin is string {
  return typeof origin === "string" && URL.canParse(origin) && new URL(origin).origin === origin;
}

/**
 * Tells whether an iframe has not loaded its document yet.
 *
 * A browser logs an error for a message that it does not deliver. A greeting to a blank iframe is
 * unnecessary, since the other end sends its own when it starts.
 */
function isStillBlank(peer: Window, origin: string): boolean {
  try {
    return peer.location.origin !== origin;
  } catch {
    return false;
  }
}

/** Not `crypto.randomUUID`: pages that are neither on https nor on loopback do not have it. */
function randomId(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("-");
}
