/** One request to the server that the visitor chose, which tells why no whole answer came. */

import { ModelFailure, WORDS } from "./model-failure.ts";

/** The longest wait for the first byte; a local server may load its model before it answers. */
const FIRST_BYTE_MS = 300_000;

/** The longest silence in the middle of an answer. */
const SILENCE_MS = 60_000;

/** The event about a violated policy arrives up to this long after the request has failed. */
const POLICY_REPORT_MS = 50;

export interface AnswerWaits {
  /** The wait for the first byte. @default 300,000 */
  readonly firstByteMs?: number;
  /** The wait for each further byte. @default 60,000 */
  readonly silenceMs?: number;
}

/**
 * Resolves with the answer, of any status.
 *
 * Sends no cookie and follows no redirect, so a key reaches one origin alone. Rejects with a
 * `ModelFailure` if the server gives no answer; the body fails with one if it breaks off or falls
 * silent. Both reject with the signal's reason after an abort.
 */
export async function fetchAnswer(
  address: string,
  init: RequestInit & { readonly signal: AbortSignal },
  { firstByteMs = FIRST_BYTE_MS, silenceMs = SILENCE_MS }: AnswerWaits = {},
): Promise<Response> {
  const { origin } = new URL(address);
  const silence = startSilenceClock(origin, firstByteMs);
  const policy = watchPolicy(origin);
  try {
    const response = await fetch(address, {
      ...init,
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.any([init.signal, silence.signal]),
    });
    return new Response(watchBody(response.body, silence, silenceMs, init.signal), response);
  } catch {
    silence.stop();
    init.signal.throwIfAborted();
    silence.signal.throwIfAborted();
    throw new ModelFailure(WORDS[await policy.settle()](origin));
  } finally {
    policy.stop();
  }
}

/** Passes the bytes on, and restarts the clock at each part. */
function watchBody(
  body: ReadableStream<Uint8Array> | null,
  silence: ReturnType<typeof startSilenceClock>,
  silenceMs: number,
  signal: AbortSignal,
): ReadableStream<Uint8Array> | null {
  const reader = body?.getReader();
  if (reader === undefined) {
    silence.stop();
    return null;
  }
  // Node's fetch no longer hears its signal once the request has been collected as garbage.
  for (const each of [silence.signal, signal]) {
    each.addEventListener("abort", () => reader.cancel().catch(() => undefined), { once: true });
  }
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const part = await reader.read().catch(() => null);
      try {
        signal.throwIfAborted();
        silence.signal.throwIfAborted();
        if (part === null) {
          throw new ModelFailure(WORDS.dropped(silence.origin));
        }
      } catch (error) {
        silence.stop();
        throw error;
      }
      if (part.done) {
        silence.stop();
        controller.close();
      } else {
        silence.restart(silenceMs);
        controller.enqueue(part.value);
      }
    },
    cancel: async (reason) => {
      silence.stop();
      await reader.cancel(reason);
    },
  });
}

/** Aborts its signal, with the failure as the reason, when no byte arrives for too long. */
function startSilenceClock(origin: string, firstByteMs: number) {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  const restart = (silenceMs: number) => {
    stop();
    const failure = new ModelFailure(WORDS.silent(origin, silenceMs));
    timer = setTimeout(() => controller.abort(failure), silenceMs);
  };
  restart(firstByteMs);
  return { origin, signal: controller.signal, restart, stop };
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
