/** Refused HTTP requests, as JSON-RPC errors. */

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
