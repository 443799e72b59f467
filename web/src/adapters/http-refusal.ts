/** Refused requests, and the JSON responses of both HTTP adapters. */

/** The reasons to refuse a request that only HTTP has. */
export type HttpRefusalKind =
  | "BadRequest"
  | "Forbidden"
  | "NotFound"
  | "MethodNotAllowed"
  | "TooLarge"
  | "UnsupportedMediaType";

const STATUS = {
  BadRequest: 400,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  TooLarge: 413,
  UnsupportedMediaType: 415,
} as const satisfies Record<HttpRefusalKind, number>;

/** Thrown for a wrong request; the message is for its sender. */
export class HttpRefusal extends Error {
  readonly kind: HttpRefusalKind;
  readonly headers: Readonly<Record<string, string>>;

  constructor(kind: HttpRefusalKind, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.kind = kind;
    this.headers = headers;
  }

  get status(): number {
    return STATUS[this.kind];
  }
}

/** The status after the sender has left, for the server's log; the sender does not read it. */
export const SENDER_LEFT_STATUS = 499;

/**
 * Returns a response with JSON.
 *
 * Not `Response.json`: its `Content-Type` differs between runtimes.
 */
export function jsonResponse(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...headers,
    },
  });
}
