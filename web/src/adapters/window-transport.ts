/** An MCP transport between two windows: a page, and an iframe in it of any origin. */
import { isRecord } from "../lib/checks.ts";
import { TreeglassError } from "../protocol/errors.ts";

/** With whom a transport speaks, and about what. */
export interface WindowTransportOptions {
  /** The other window: `iframe.contentWindow` in the page, `window.parent` in the iframe. */
  readonly peer: Window;
  /** The exact origin of the other window's document, such as `https://tools.example`. */
  readonly origin: string;
  /** Keeps connections between the same two windows apart. @default "treeglass-mcp" */
  readonly channel?: string;
}

/** A message of MCP; what is in it is the library's to check. */
export interface JsonRpcMessage {
  readonly jsonrpc: "2.0";
}

/** How the two ends speak; `hello` is sent by whoever starts, and answered with `welcome`. */
interface Envelope {
  readonly channel: string;
  /** The end that sends. */
  readonly from: string;
  /** The end that is meant; null with `hello`, which is sent before the other end is known. */
  readonly to: string | null;
  readonly kind: "hello" | "welcome" | "message" | "close";
  readonly message?: JsonRpcMessage;
}

/**
 * Carries MCP between a page and an iframe; each of them makes one, in either role.
 *
 * Believes nothing that does not come from that window, with that origin, on that channel, from the
 * end that it speaks with; never sends to another origin. It does not matter which end starts
 * first: messages wait until the other one listens. An end that closes closes the other; so does a
 * window that loads anew. One transport is one connection.
 *
 * A document with an opaque origin, such as a sandboxed one, cannot be spoken with.
 */
export class WindowTransport {
  onmessage?: ((message: JsonRpcMessage) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  readonly #peer: Window;
  readonly #origin: string;
  readonly #channel: string;
  readonly #id = randomId();
  /** The other end; null until it was heard of. */
  #peerId: string | null = null;
  /** Whether anything but a greeting went either way. */
  #isSpoken = false;
  #state: "new" | "started" | "closed" = "new";
  #waiting: JsonRpcMessage[] = [];
  readonly #listener = (event: MessageEvent) => this.#receive(event);

  /** Throws `BadRequest` where there is no other window, or the origin is not an exact one. */
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

  /** Begins to listen, and tells the other end; called by the library's `connect`. */
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

  /** Sends a message, once the other end listens; rejects with `Closed` where none can be sent. */
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
      // The window was loaded anew, or made another end: whoever was spoken with is gone.
      this.#finish();
      return;
    }
    // An end that only said hello may have been given up for this one, by a page that tries again.
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
 * Tells whether an iframe has yet to load its document.
 *
 * A browser writes an error to the console for a message that it does not deliver; this one need
 * not be sent, since the other end says hello when it starts.
 */
function isStillBlank(peer: Window, origin: string): boolean {
  try {
    return peer.location.origin !== origin;
  } catch {
    return false;
  }
}

/** `crypto.randomUUID` is missing in a page that is neither on https nor on loopback. */
function randomId(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("-");
}
