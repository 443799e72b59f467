/** One request to the server that the visitor chose, which tells why no whole answer came. */

import { ModelFailure, WORDS } from "./model-failure.ts";

/** The longest wait for the first byte; a local server may load its model before it answers. */
const FIRST_BYTE_MS = 300_000;

/** The longest silence in the middle of an answer. */
const SILENCE_MS = 60_000;

/** The event about a violated policy arrives up to this long after the request has failed. */
const POLICY_REPORT_MS = 50;

const CHECK = "Check the address and your connection.";

/**
 * Resolves with the answer, of any status; `advice` says what to do if none comes.
 *
 * Sends no cookie and follows no redirect, so a key reaches one origin alone. Rejects with a
 * `ModelFailure` if the server gives no answer; the body fails with one if it falls silent, and with
 * a `TypeError` if it breaks off. Both reject with the signal's reason after an abort.
 */
export async function fetchAnswer(
  address: string,
  init: RequestInit & { readonly signal: AbortSignal },
  advice = CHECK,
): Promise<Response> {
  const { origin } = new URL(address);
  const silence = startSilenceClock(origin, FIRST_BYTE_MS);
  const policy = watchPolicy(origin);
  try {
    const signal = AbortSignal.any([init.signal, silence.signal]);
    const response = await fetch(address, {
      ...init,
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
      signal,
    });
    const watched = new TransformStream<Uint8Array, Uint8Array>({
      transform: (part, controller) => {
        silence.restart(SILENCE_MS);
        controller.enqueue(part);
      },
    });
    // By its own signal: Node's fetch no longer hears one once its request is collected as garbage.
    const passed = response.body?.pipeTo(watched.writable, { signal }) ?? Promise.resolve();
    void passed.then(silence.stop, silence.stop);
    return new Response(response.body && watched.readable, response);
  } catch {
    silence.stop();
    init.signal.throwIfAborted();
    silence.signal.throwIfAborted();
    throw new ModelFailure(WORDS[await policy.settle()](origin, advice));
  } finally {
    policy.stop();
  }
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
  return { signal: controller.signal, restart, stop };
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
