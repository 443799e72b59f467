/**
 * Decides by host and origin which requests a server answers.
 *
 * The MCP library has checks of its own, which are weaker: they compare an origin's host name alone,
 * so that a page at another port or scheme of an allowed name passes. They also answer no preflight.
 */
import { isStringList } from "../lib/checks.ts";
import { TreeglassError } from "../protocol/errors.ts";
import { HttpRefusal } from "./http-body.ts";

/** Limits of the requests that a server answers. */
export interface HttpOptions {
  /**
   * The host names, without ports, that requests may name, such as `["localhost", "127.0.0.1"]`.
   * A server on a loopback address should set it. Otherwise a foreign page can point its own host
   * name at that address, and its requests count as same-origin. @default any
   */
  readonly allowedHosts?: readonly string[];
  /**
   * The origins, such as `https://app.example`, whose pages may send requests and read the answers.
   * Pages of any other origin are refused, except pages of the server's own host.
   * @default none
   */
  readonly allowedOrigins?: readonly string[];
  /** Most bytes of a request's body that are read. @default 1 MiB */
  readonly maxBodyBytes?: number;
}

export const HTTP_OPTION_NAMES: readonly string[] = [
  "allowedHosts",
  "allowedOrigins",
  "maxBodyBytes",
] satisfies (keyof HttpOptions)[];

const DEFAULT_MAX_BODY_BYTES = 1_048_576;

/** The time for which a browser may cache the answer to a preflight. */
const PREFLIGHT_MAX_AGE_SECONDS = 600;

/** Admits requests, and lets pages of allowed origins read the answers. */
export class HttpGate {
  readonly maxBodyBytes: number;
  readonly #hosts: ReadonlySet<string> | null;
  readonly #origins: ReadonlySet<string>;

  /** Throws `BadRequest` for invalid options. */
  constructor({ allowedHosts, allowedOrigins = [], maxBodyBytes }: HttpOptions) {
    this.maxBodyBytes = maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
    if (!(Number.isSafeInteger(this.maxBodyBytes) && this.maxBodyBytes > 0)) {
      throw new TreeglassError("BadRequest", "maxBodyBytes is a whole number of bytes above 0.");
    }
    if (allowedHosts !== undefined && !(isStringList(allowedHosts) && allowedHosts.every(isHost))) {
      throw new TreeglassError(
        "BadRequest",
        "allowedHosts are host names without a port, such as localhost, 127.0.0.1 or [::1].",
      );
    }
    if (!(isStringList(allowedOrigins) && allowedOrigins.every(isOrigin))) {
      throw new TreeglassError(
        "BadRequest",
        "allowedOrigins are whole origins and nothing more, such as https://app.example.",
      );
    }
    this.#hosts = allowedHosts === undefined ? null : new Set(allowedHosts);
    this.#origins = new Set(allowedOrigins);
  }

  /**
   * Admits a request, or throws an `HttpRefusal`.
   *
   * Returns the answer to a preflight, which the handler must not see; null for other requests.
   */
  admit(request: Request, methods: string): Response | null {
    // HTTP/1.1 requires the header. Without it, the runtime put its own choice into the URL.
    const named = request.headers.get("host") ?? new URL(request.url).host;
    const host = toUrl(`http://${named}`);
    if (host === null) {
      throw new HttpRefusal(
        403,
        `${quoted(named)} is not a host; send the server's own, such as Host: localhost:8080.`,
      );
    }
    if (this.#hosts !== null && !this.#hosts.has(host.hostname)) {
      throw new HttpRefusal(
        403,
        `Requests for the host ${quoted(host.hostname)} are not answered here; ` +
          "ask for a host that the server names in allowedHosts.",
      );
    }
    const origin = request.headers.get("origin");
    const isAllowed = origin !== null && this.#origins.has(origin);
    // Hosts only: behind a proxy that ends TLS, the schemes differ.
    if (origin !== null && !isAllowed && toUrl(origin)?.host !== host.host) {
      throw new HttpRefusal(
        403,
        `Pages of ${quoted(origin)} are not answered here; ` +
          "the server has to name their origin in allowedOrigins.",
      );
    }
    const isPreflight =
      request.method === "OPTIONS" && request.headers.has("access-control-request-method");
    return isPreflight && isAllowed ? this.#preflight(request, methods) : null;
  }

  /** Adds the headers that let a page of an allowed origin read the response. */
  open(request: Request, response: Response): Response {
    if (this.#origins.size === 0) {
      return response;
    }
    // A copy: the headers of a response may be immutable.
    const opened = new Response(response.body, response);
    opened.headers.append("Vary", "Origin");
    const origin = request.headers.get("origin");
    if (origin !== null && this.#origins.has(origin)) {
      opened.headers.set("Access-Control-Allow-Origin", origin);
    }
    return opened;
  }

  #preflight(request: Request, methods: string): Response {
    // A trusted origin may send any header.
    const headers = request.headers.get("access-control-request-headers") ?? "content-type";
    return new Response(null, {
      status: 204,
      headers: {
        "Access-Control-Allow-Methods": methods,
        "Access-Control-Allow-Headers": headers,
        "Access-Control-Max-Age": String(PREFLIGHT_MAX_AGE_SECONDS),
        Vary: "Access-Control-Request-Headers",
      },
    });
  }
}

/** A longer header is cut in a message. */
const MAX_QUOTED_CHARACTERS = 100;

function quoted(header: string): string {
  return JSON.stringify(header.slice(0, MAX_QUOTED_CHARACTERS));
}

function toUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function isHost(text: string): boolean {
  return text !== "" && toUrl(`http://${text}`)?.hostname === text;
}

function isOrigin(text: string): boolean {
  const url = toUrl(text);
  // Not `url.origin`: it is "null" for schemes that are not the web's, such as an extension's.
  return url !== null && `${url.protocol}//${url.host}` === text && url.host !== "";
}
