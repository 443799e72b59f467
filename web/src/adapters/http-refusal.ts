/** What a server says where it does not do what a request asks for. */

/** Which of the things went wrong that only HTTP knows. */
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

/** Thrown where a request is wrong; the message is for who sent it. */
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

/** A body is not read for longer than its sender is there; no one hears this answer. */
export const SENDER_LEFT_STATUS = 499;

/**
 * Returns a response with JSON.
 *
 * `Response.json` is worded differently by each runtime's own `Content-Type`.
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
