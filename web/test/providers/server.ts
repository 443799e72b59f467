/** A loopback server that speaks the providers' protocols, with scripted models behind them. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { isRecord } from "../../src/lib/checks.ts";
import { anthropicMessages } from "./anthropic.ts";
import { type Protocol, Refused, type StreamEvent } from "./conversation.ts";
import { gemini } from "./gemini.ts";
import { openAiChat } from "./openai-chat.ts";
import { openAiResponses } from "./openai-responses.ts";
import { SCRIPTS } from "./scripts.ts";

/** A request to the server, except preflights and those for `/recorded`. */
export interface RecordedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed; null if it was not JSON. */
  readonly body: unknown;
  /** Why the provider refused it; null if it did not. */
  readonly refusal: string | null;
}

export interface Providers {
  /** Without a slash at its end; OpenAI's base address is this and `/v1`. */
  readonly origin: string;
  /** Returns the requests since its last call, in their order. */
  takeRecorded(): readonly RecordedRequest[];
  /** Ends pending requests too. */
  close(): Promise<void>;
}

/** The parts of a request's path. */
interface Asked {
  readonly protocol: Protocol;
  readonly hasKey: boolean;
  readonly model: string;
  readonly isStreamed: boolean;
  /** True if it comes from a page without the header that the provider demands of pages. */
  readonly isForbiddenToPages?: boolean;
}

/** The models whose requests fail. */
const FAILING_STATUSES: Readonly<Record<string, readonly [number, string]>> = {
  "status-401": [401, "The key is not valid."],
  "status-429": [429, "The rate limit is reached."],
  "status-500": [500, "The provider failed."],
};
const BREAKING_MODELS = ["hangs", "stalls-stream", "drops-stream"];

/** All models, by name. */
export const MODELS: readonly string[] = [
  ...Object.keys(SCRIPTS),
  ...Object.keys(FAILING_STATUSES),
  ...BREAKING_MODELS,
];

/** Starts a server on a free port. */
export async function startProviders(port = 0): Promise<Providers> {
  const recorded: RecordedRequest[] = [];
  const routes = new Routes();
  const server = createServer((request, response) => {
    allowAnyPage(request, response);
    if (request.method === "OPTIONS") {
      response.writeHead(204).end();
    } else if (request.url === "/recorded") {
      sendJson(response, 200, recorded);
    } else {
      answer(routes, request, response, recorded);
    }
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new Error("the server has no port");
  }
  return {
    origin: `http://127.0.0.1:${address.port}`,
    takeRecorded: () => recorded.splice(0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

class Routes {
  readonly #responses = openAiResponses();
  readonly #messages = anthropicMessages();

  /** Returns the route of a request; null for an unknown path. */
  find({ url = "", headers }: IncomingMessage, body: unknown): Asked | null {
    const { pathname, searchParams } = new URL(url, "http://loopback");
    const { model = "", stream = false } = isRecord(body) ? body : {};
    const named = { model: String(model), isStreamed: stream === true };
    const hasBearer = headers.authorization !== undefined;
    switch (pathname) {
      case "/v1/chat/completions":
        return { ...named, protocol: openAiChat, hasKey: hasBearer };
      case "/v1/responses":
        return { ...named, protocol: this.#responses, hasKey: hasBearer };
      case "/v1/messages":
        return {
          ...named,
          protocol: this.#messages,
          isForbiddenToPages:
            headers.origin !== undefined &&
            headers["anthropic-dangerous-direct-browser-access"] !== "true",
          hasKey: hasBearer || headers["x-api-key"] !== undefined,
        };
    }
    const method = /^\/v1(?:beta)?\/models\/([^/:]+):(generateContent|streamGenerateContent)$/.exec(
      pathname,
    );
    return method === null
      ? null
      : {
          protocol: gemini,
          hasKey: headers["x-goog-api-key"] !== undefined || searchParams.has("key"),
          model: method[1] ?? "",
          isStreamed: method[2] === "streamGenerateContent",
        };
  }
}

async function answer(
  routes: Routes,
  request: IncomingMessage,
  response: ServerResponse,
  recorded: RecordedRequest[],
): Promise<void> {
  const body = parseJson(await readText(request));
  const { method = "", url: path = "", headers } = request;
  const record = (refusal: string | null) =>
    recorded.push({ method, path, headers, body, refusal });
  if (method === "GET" && /^\/v1(beta)?\/models(\?|$)/.test(path)) {
    record(null);
    sendJson(response, 200, modelList(path.startsWith("/v1beta")));
    return;
  }
  const asked = routes.find(request, body);
  if (asked === null) {
    record("There is nothing at this path.");
    sendJson(response, 404, openAiChat.error(404, "There is nothing at this path."));
    return;
  }
  const { protocol, model, isStreamed } = asked;
  try {
    requireAccess(asked);
    const turn = nextTurn(protocol, model, body);
    record(null);
    if (turn === null) {
      return;
    }
    if (isStreamed) {
      await sendStream(response, protocol.stream(turn, model), model);
    } else {
      sendWhole(response, protocol.render(turn, model), model);
    }
  } catch (error) {
    const status = error instanceof Refused ? error.status : 500;
    const message = error instanceof Error ? error.message : String(error);
    record(message);
    sendJson(response, status, protocol.error(status, message));
  }
}

/** Refuses a request without a key, and one that a page must not make. */
function requireAccess({ hasKey, model, isForbiddenToPages = false }: Asked): void {
  if (!hasKey) {
    throw new Refused("There is no key.", 401);
  }
  const failing = FAILING_STATUSES[model];
  if (failing !== undefined) {
    throw new Refused(failing[1], failing[0]);
  }
  if (isForbiddenToPages) {
    throw new Refused(
      "CORS requests must set 'anthropic-dangerous-direct-browser-access' header",
      401,
    );
  }
}

/** Returns null for a model that never answers. */
function nextTurn(protocol: Protocol, model: string, body: unknown) {
  if (!isRecord(body)) {
    throw new Refused("The body is no JSON object.");
  }
  const conversation = protocol.parse(body);
  if (model === "hangs") {
    return null;
  }
  const script = SCRIPTS[BREAKING_MODELS.includes(model) ? "explorer" : model];
  if (script === undefined) {
    throw new Refused(`There is no model ${JSON.stringify(model)}.`, 404);
  }
  return script(conversation);
}

async function sendStream(
  response: ServerResponse,
  events: readonly StreamEvent[],
  model: string,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const isCut = model === "drops-stream" || model === "stalls-stream";
  const sent = isCut ? events.slice(0, Math.ceil(events.length / 2)) : events;
  for (const { event, data } of sent) {
    const name = event === null ? "" : `event: ${event}\n`;
    const text = typeof data === "string" ? data : JSON.stringify(data);
    await new Promise((resolve) => response.write(`${name}data: ${text}\n\n`, resolve));
  }
  if (model === "drops-stream") {
    // Ended, not destroyed: the bytes that were sent must still arrive.
    response.socket?.end();
  } else if (model !== "stalls-stream") {
    response.end();
  }
}

function sendWhole(response: ServerResponse, body: object, model: string): void {
  if (model === "drops-stream") {
    const text = JSON.stringify(body);
    response.writeHead(200, { "content-type": "application/json", "content-length": text.length });
    response.write(text.slice(0, text.length / 2), () => response.socket?.end());
  } else if (model !== "stalls-stream") {
    sendJson(response, 200, body);
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  // A client should retry at once.
  const headers = { "content-type": "application/json", "retry-after-ms": "1" };
  response.writeHead(status, headers).end(JSON.stringify(body));
}

/** OpenAI and Anthropic use the same path, and each expects its own members. */
function modelList(isGemini: boolean): object {
  const names = MODELS.map((name) => ({ name: `models/${name}`, displayName: name }));
  const data = MODELS.map((id) => ({
    id,
    object: "model",
    created: 0,
    owned_by: "loopback",
    type: "model",
    display_name: id,
    created_at: "2026-01-01T00:00:00Z",
  }));
  return isGemini ? { models: names } : { object: "list", data, has_more: false };
}

function allowAnyPage({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-allow-methods", "GET, POST");
  response.setHeader(
    "access-control-allow-headers",
    headers["access-control-request-headers"] ?? "*",
  );
  response.setHeader("access-control-max-age", "600");
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
