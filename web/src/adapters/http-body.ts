/** Reads the JSON body of a request, up to a size limit, and words the refusal of a wrong one. */
import { joined } from "../lib/bytes.ts";

/** The deepest nesting that is accepted, so that every engine can write the value again. */
const MAX_JSON_DEPTH = 1000;

/**
 * Returns the JSON of a body.
 *
 * Throws an `HttpRefusal`. Reading stops at the first piece that
 * exceeds the limit. Rejects with the reason of the request's signal if the sender has left.
 */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  requireJsonType(request.headers);
  const bytes = await readBytes(request, maxBytes);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new HttpRefusal(400, "The body is not valid UTF-8; encode the JSON as UTF-8.");
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // The message of the engine differs between engines.
    throw new HttpRefusal(400, "The body is not valid JSON; send one JSON object.");
  }
  if (isNestedTooDeeply(body)) {
    const depth = MAX_JSON_DEPTH.toLocaleString("en-US");
    throw new HttpRefusal(400, `The body is nested more than ${depth} levels deep.`);
  }
  return body;
}

/** Goes level by level: a recursion as deep as the value could overflow the stack. */
function isNestedTooDeeply(json: unknown): boolean {
  let containers = [json].filter(isContainer);
  for (let depth = 0; depth < MAX_JSON_DEPTH; depth += 1) {
    containers = containers.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return containers.length > 0;
}

function isContainer(json: unknown): json is object {
  return typeof json === "object" && json !== null;
}

function requireJsonType(headers: Headers): void {
  const type = headers.get("content-type") ?? "";
  const [essence = "", ...parameters] = type.split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (essence !== "application/json" || !isUtf8) {
    throw new HttpRefusal(
      415,
      "The body has to be JSON in UTF-8; send it with Content-Type: application/json.",
      { "Accept-Post": "application/json" },
    );
  }
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    throw new HttpRefusal(
      415,
      "Compressed bodies are not read; send the body without Content-Encoding.",
      { "Accept-Encoding": "identity" },
    );
  }
}

async function readBytes({ body, headers, signal }: Request, maxBytes: number) {
  const tooLarge = () =>
    new HttpRefusal(
      413,
      `The body is larger than the ${maxBytes.toLocaleString("en-US")} bytes that are read; ` +
        "send less at once.",
    );
  if (Number(headers.get("content-length")) > maxBytes) {
    throw tooLarge();
  }
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  try {
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      size += read.value.byteLength;
      if (size > maxBytes) {
        // Not awaited: a sender that never stops would hold up the answer.
        reader?.cancel().catch(() => undefined);
        throw tooLarge();
      }
      pieces.push(read.value);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof HttpRefusal
      ? error
      : new HttpRefusal(400, "The body ended before all of it was there; send it again.");
  }
  return joined(pieces);
}

/** JSON-RPC's codes for a body that is no JSON, and for errors that a server defines itself. */
const PARSE_ERROR = -32_700;
const SERVER_ERROR = -32_000;

/** Thrown for a wrong request; the message is for its sender. */
export class HttpRefusal extends Error {
  readonly status: 400 | 403 | 413 | 415;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(
    status: HttpRefusal["status"],
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.#headers = headers;
  }

  toResponse(): Response {
    const code = this.status === 400 ? PARSE_ERROR : SERVER_ERROR;
    return rpcError(this.status, code, this.message, this.#headers);
  }
}

/**
 * Returns a response with a JSON-RPC error about no certain request.
 *
 * Not `Response.json`: its `Content-Type` differs between runtimes.
 */
export function rpcError(
  status: number,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null }), {
    status,
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...headers,
    },
  });
}
