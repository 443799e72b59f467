/** Sends requests to the endpoint that the visitor chose, and to no other origin. */

import { isRecord } from "../../lib/checks.ts";
import { failureOf, ModelFailure, quoteDetail, type WireFailure } from "./model-failure.ts";

/** The longest wait for the first byte; a local server may load its model before it answers. */
const FIRST_BYTE_MS = 300_000;

/** The longest silence in the middle of an answer. */
const SILENCE_MS = 60_000;

/** An error's body may be long; only this much of it is searched for the error's sentence. */
const MAX_ERROR_CHARACTERS = 20_000;

/** The event about a violated policy arrives up to this long after the request has failed. */
const POLICY_REPORT_MS = 50;

/** The endpoint of a model. */
export interface Endpoint {
  /** An absolute http(s) address. */
  readonly address: string;
  /** Never shown, even if the endpoint repeats it in an error. */
  readonly key: string;
  /** @default FIRST_BYTE_MS */
  readonly firstByteMs?: number;
  /** @default SILENCE_MS */
  readonly silenceMs?: number;
}

/** A `fetch` that sends no cookie, follows no redirect, and keeps why a request has failed. */
export class EndpointFetch {
  readonly origin: string;
  readonly #key: string;
  readonly #firstByteMs: number;
  readonly #silenceMs: number;
  #failure: WireFailure | null = null;

  constructor({ address, key, firstByteMs = FIRST_BYTE_MS, silenceMs = SILENCE_MS }: Endpoint) {
    this.origin = new URL(address).origin;
    this.#key = key;
    this.#firstByteMs = firstByteMs;
    this.#silenceMs = silenceMs;
  }

  /** Returns why a turn failed: from the recorded failure, or else from the error. */
  wordFailure(error: unknown): ModelFailure {
    if (error instanceof ModelFailure) {
      return error;
    }
    const detail = error instanceof Error ? quoteDetail(error.message, [this.#key]) : "";
    return failureOf(this.origin, this.#failure ?? { kind: "unusable", detail });
  }

  /** Returns the failure of an answer that has an error in it. */
  wordReported(part: object): ModelFailure {
    const detail = quoteDetail(findSentence(part), [this.#key]);
    const unusable = { kind: "unusable", detail: "the answer has an error in it" } as const;
    return failureOf(this.origin, detail === "" ? unusable : { kind: "reported", detail });
  }

  /** Returns the failure of an answer that stopped before its end. */
  wordBrokenAnswer(): ModelFailure {
    return failureOf(this.origin, this.#failure ?? { kind: "dropped" });
  }

  /** Makes a request to the endpoint's origin. */
  async fetch(address: string, init: RequestInit): Promise<Response> {
    this.#failure = null;
    const silence = new SilenceClock(this.#firstByteMs);
    const policy = watchPolicy(this.origin);
    try {
      const response = await fetch(address, {
        ...init,
        credentials: "omit",
        redirect: "error",
        referrerPolicy: "no-referrer",
        signal: anySignal([init.signal, silence.signal]),
      });
      return await this.#take(response, silence, init.signal);
    } catch (error) {
      silence.stop();
      if (init.signal?.aborted || error instanceof ModelFailure) {
        throw error;
      }
      throw this.#fail(silence.failure ?? { kind: await policy.settle() });
    } finally {
      policy.stop();
    }
  }

  async #take(
    response: Response,
    silence: SilenceClock,
    signal: RequestInit["signal"],
  ): Promise<Response> {
    if (!response.ok) {
      const text = await response.text();
      silence.stop();
      const detail = quoteDetail(findSentence(parse(text.slice(0, MAX_ERROR_CHARACTERS))), [
        this.#key,
      ]);
      this.#fail({ kind: "status", status: response.status, detail });
      return new Response(text, response);
    }
    if (response.headers.get("content-type")?.includes("text/html")) {
      silence.stop();
      await response.body?.cancel();
      throw this.#fail({ kind: "unusable", detail: "it is a web page" });
    }
    return new Response(this.#watch(response.body, silence, signal), response);
  }

  /** Passes the bytes on, restarts the clock at each part, and records an early end. */
  #watch(
    body: ReadableStream<Uint8Array> | null,
    silence: SilenceClock,
    signal: RequestInit["signal"],
  ) {
    const reader = body?.getReader();
    // Node's fetch no longer hears its signal once the request has been collected as garbage.
    for (const each of [silence.signal, signal]) {
      each?.addEventListener("abort", () => reader?.cancel().catch(() => undefined));
    }
    // A reader that finds an error in the stream cancels the rest, and says why itself.
    let isGivenUp = false;
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        try {
          const part = await reader?.read();
          silence.signal.throwIfAborted();
          signal?.throwIfAborted();
          silence.restart(this.#silenceMs);
          if (part === undefined || part.done) {
            silence.stop();
            controller.close();
          } else {
            controller.enqueue(part.value);
          }
        } catch (error) {
          silence.stop();
          if (!(isGivenUp || signal?.aborted)) {
            this.#fail(silence.failure ?? { kind: "dropped" });
          }
          controller.error(error);
        }
      },
      cancel: async (reason) => {
        isGivenUp = true;
        silence.stop();
        await reader?.cancel(reason);
      },
    });
  }

  #fail(failure: WireFailure): ModelFailure {
    this.#failure = failure;
    return failureOf(this.origin, failure);
  }
}

/** Aborts its signal when no byte arrives for too long. */
class SilenceClock {
  readonly #controller = new AbortController();
  #silenceMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(silenceMs: number) {
    this.restart(silenceMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Null until the wait was too long. */
  get failure(): WireFailure | null {
    return this.signal.aborted ? { kind: "silent", silenceMs: this.#silenceMs } : null;
  }

  restart(silenceMs: number): void {
    clearTimeout(this.#timer);
    this.#silenceMs = silenceMs;
    this.#timer = setTimeout(() => this.#controller.abort(), silenceMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

function anySignal(signals: readonly (AbortSignal | null | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter((signal) => signal instanceof AbortSignal));
}

/** Tells a request that the page's own policy blocked from one without an answer. */
function watchPolicy(origin: string) {
  let kind: "policy" | "unreachable" = "unreachable";
  const target = typeof document === "undefined" ? null : document;
  const note = (event: SecurityPolicyViolationEvent) => {
    if (event.effectiveDirective === "connect-src" && event.blockedURI.startsWith(origin)) {
      kind = "policy";
    }
  };
  target?.addEventListener("securitypolicyviolation", note);
  return {
    settle: async () => {
      if (target !== null) {
        await new Promise((resolve) => setTimeout(resolve, POLICY_REPORT_MS));
      }
      return kind;
    },
    stop: () => target?.removeEventListener("securitypolicyviolation", note),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns the sentence in a provider's error; each provider wraps it differently; "" if absent. */
function findSentence(value: unknown): string {
  const [first] = Array.isArray(value) ? value : [value];
  const error = isRecord(first) && "error" in first ? first.error : first;
  const sentence = isRecord(error) ? error.message : error;
  return typeof sentence === "string" ? sentence : "";
}
