/** Requests to a server that speaks Chat Completions, by `fetch` and nothing else. */

import { createParser } from "eventsource-parser";
import { isRecord } from "../../lib/checks.ts";
import { orAborted } from "../../lib/promises.ts";
import { fetchAnswer } from "./endpoint-fetch.ts";
import { ModelFailure, quoteDetail, WORDS } from "./model-failure.ts";
import type { Preset } from "./presets.ts";
import { StreamedReply } from "./streamed-reply.ts";

export interface ChatEndpoint {
  readonly preset: Preset;
  /** The address before `/chat/completions`. */
  readonly address: string;
  /** Empty if the server needs no key. */
  readonly key: string;
}

/** The signal of a turn, and its callbacks. */
export interface TurnOptions {
  readonly signal: AbortSignal;
  readonly onText: (delta: string) => void;
  /** Called with a sentence before the page waits and asks again. */
  readonly onRetry: (sentence: string) => void;
}

type ChatRequest = RequestInit & { readonly signal: AbortSignal };

/** A busy server is asked so often, all in all. */
const MAX_TRIES = 3;

/** The wait before the second try, if the server names none; it doubles. */
const FIRST_WAIT_MS = 1000;

/** A visitor who would have to wait longer asks again by hand. */
const MAX_WAIT_MS = 60_000;

/** An error's body may be long; only this much of it is searched for the error's sentence. */
const MAX_ERROR_CHARACTERS = 20_000;

const JSON_TYPE = "application/json";

/** Rejects with the signal's reason, or with a `ModelFailure`. */
export class ChatWire {
  readonly origin: string;
  readonly #endpoint: ChatEndpoint;

  constructor(endpoint: ChatEndpoint) {
    this.#endpoint = endpoint;
    this.origin = new URL(endpoint.address).origin;
  }

  /** Sends the messages; resolves with the whole answer, whose text has gone to `onText`. */
  async complete(request: object, options: TurnOptions): Promise<StreamedReply> {
    const { signal } = options;
    const { preset } = this.#endpoint;
    const body = JSON.stringify({
      ...request,
      stream: true,
      stream_options: { include_usage: true },
    });
    const headers = { ...this.#bearer(), ...preset.headers, "content-type": JSON_TYPE };
    try {
      const init = { method: "POST", headers, body, signal };
      const response = await this.#request("/chat/completions", init, options.onRetry);
      const reply = new StreamedReply();
      await readParts(response, (part) => {
        if (isRecord(part) && isRecord(part.error)) {
          throw new ModelFailure(WORDS.reported(this.origin, this.#quote(findSentence(part))));
        }
        const delta = reply.add(part);
        if (delta !== "") {
          options.onText(delta);
        }
      });
      signal.throwIfAborted();
      if (!reply.isEnded) {
        throw new ModelFailure(WORDS.dropped(this.origin));
      }
      return reply;
    } catch (error) {
      throw this.#word(error, signal);
    }
  }

  async listModels(signal: AbortSignal): Promise<readonly string[]> {
    const { preset, key } = this.#endpoint;
    const headers = { ...(preset.listHeaders?.(key) ?? this.#bearer()), ...preset.headers };
    try {
      const response = await this.#request("/models", { headers, signal });
      const list: unknown = await response.json();
      const models = isRecord(list) && Array.isArray(list.data) ? list.data : null;
      if (models === null) {
        throw new ModelFailure(WORDS.unusable(this.origin, "it lists no models"));
      }
      const names = models.map((model) => (isRecord(model) ? model.id : null));
      // Gemini lists `models/NAME`, and takes `NAME`.
      const known = names.filter((name) => typeof name === "string");
      return known.map((name) => name.replace(/^models\//, "")).sort();
    } catch (error) {
      throw this.#word(error, signal);
    }
  }

  #bearer(): Readonly<Record<string, string>> {
    const { key } = this.#endpoint;
    // Local servers need no key, and some refuse a request that has one.
    return key === "" ? {} : { authorization: `Bearer ${key}` };
  }

  /** Asks again while the server is busy or fails. */
  async #request(
    path: string,
    init: ChatRequest,
    onRetry: TurnOptions["onRetry"] = ignore,
  ): Promise<Response> {
    const { preset } = this.#endpoint;
    const needs = `${preset.needs} ${preset.command ?? ""}`.trimEnd();
    const advice = preset.isKeyRequired ? undefined : needs;
    const address = `${this.#endpoint.address.replace(/\/+$/, "")}${path}`;
    for (let tries = 1; ; tries += 1) {
      const response = await fetchAnswer(address, init, advice);
      if (response.headers.get("content-type")?.includes("text/html") && response.ok) {
        await response.body?.cancel();
        throw new ModelFailure(WORDS.unusable(this.origin, "it is a web page"));
      }
      if (response.ok) {
        return response;
      }
      const { status, headers } = response;
      const detail = this.#quote(findSentence(parseError(await response.text())));
      const waitMs = readWaitMs(headers) ?? FIRST_WAIT_MS * 2 ** (tries - 1);
      const mayRecover = status === 429 || status >= 500;
      if (!mayRecover || tries === MAX_TRIES || waitMs > MAX_WAIT_MS) {
        throw new ModelFailure(WORDS.status(this.origin, status, detail));
      }
      const wait = `${Math.ceil(waitMs / 1000)} s`;
      onRetry(`${this.origin} answered ${status}; the page asks again in ${wait}.`);
      await orAborted(new Promise((resolve) => setTimeout(resolve, waitMs)), init.signal);
    }
  }

  #quote(detail: string): string {
    return quoteDetail(detail, [this.#endpoint.key]);
  }

  /** Words an answer that breaks off, or that does not follow the protocol. */
  #word(error: unknown, signal: AbortSignal): ModelFailure {
    signal.throwIfAborted();
    if (error instanceof ModelFailure) {
      return error;
    }
    if (error instanceof TypeError) {
      return new ModelFailure(WORDS.dropped(this.origin));
    }
    const detail = error instanceof Error ? this.#quote(error.message) : "";
    return new ModelFailure(WORDS.unusable(this.origin, detail));
  }
}

function parseError(text: string): unknown {
  try {
    return JSON.parse(text.slice(0, MAX_ERROR_CHARACTERS));
  } catch {
    return null;
  }
}

/** Returns the sentence in a server's error; each server wraps it differently; "" if absent. */
function findSentence(value: unknown): string {
  const [first] = Array.isArray(value) ? value : [value];
  const error = isRecord(first) && "error" in first ? first.error : first;
  const sentence = isRecord(error) ? error.message : error;
  return typeof sentence === "string" ? sentence : "";
}

/** Passes on each part of a stream, or the whole of an answer that is no stream, as parsed JSON. */
async function readParts(response: Response, take: (part: unknown) => void): Promise<void> {
  if (response.headers.get("content-type")?.includes(JSON_TYPE)) {
    take(await response.json());
    return;
  }
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== "[DONE]") {
        take(JSON.parse(data));
      }
    },
  });
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  try {
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      parser.feed(decoder.decode(part.value, { stream: true }));
    }
  } catch (error) {
    await reader?.cancel().catch(ignore);
    throw error;
  }
}

/** Returns the wait that the server asks for; null if it asks for none, or hides it from pages. */
function readWaitMs(headers: Headers): number | null {
  const exact = Number(headers.get("retry-after-ms") ?? Number.NaN);
  const after = headers.get("retry-after") ?? "";
  const seconds = after === "" ? Number.NaN : Number(after);
  const wait = [exact, seconds * 1000, Date.parse(after) - Date.now()].find(Number.isFinite);
  return wait === undefined ? null : Math.max(0, wait);
}

function ignore(): void {}
