/** Addresses, made absolute by the page's own. */
import { TreeglassError } from "../protocol/errors.ts";
import { FETCHED_PROTOCOLS } from "../protocol/source-kinds.ts";

const HOST_PROTOCOLS: readonly string[] = ["http:", "https:"];

/** The advice for a relative address in a program, which has no page address. */
const NO_SOURCE_BASE =
  "Pass a whole address, such as https://example.com/tree.zip, or { directory } or { archive } for what lies on this machine.";
const NO_HOST_BASE = "Pass a whole address, such as https://mirror.example.com/.";

/**
 * Returns an address of a source made absolute on the page, without its fragment.
 *
 * Throws `BadRequest`, which gives `name`, for an address that cannot be fetched.
 */
export function toSourceAddress(name: string, address: unknown): string {
  return toAddress(name, address, FETCHED_PROTOCOLS, NO_SOURCE_BASE).href;
}

/** Like `toSourceAddress`, for a folder on a host; the address ends in a slash. */
export function toHostAddress(name: string, address: unknown): string {
  const url = toAddress(name, address, HOST_PROTOCOLS, NO_HOST_BASE);
  url.search = "";
  return url.href.endsWith("/") ? url.href : `${url.href}/`;
}

function toAddress(
  name: string,
  address: unknown,
  protocols: readonly string[],
  otherwise: string,
): URL {
  const url = parseAddress(name, address, otherwise);
  if (!protocols.includes(url.protocol)) {
    const known = protocols.map((protocol) => protocol.slice(0, -1)).join(", ");
    throw new TreeglassError(
      "BadRequest",
      `The ${name} has the protocol ${url.protocol.slice(0, -1)}; those that can be fetched are ${known}.`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new TreeglassError(
      "BadRequest",
      `The ${name} has a user name or a password in it, which no browser sends; leave them out.`,
    );
  }
  url.hash = "";
  return url;
}

function parseAddress(name: string, address: unknown, otherwise: string): URL {
  // A worker may mount too, and has no document.
  const base = globalThis.document?.baseURI ?? globalThis.location?.href;
  try {
    return new URL(String(address), base);
  } catch (cause) {
    const said = `The ${name} is not an address: ${String(address)}`;
    const message = base === undefined ? `${said}. ${otherwise}` : said;
    throw new TreeglassError("BadRequest", message, { cause });
  }
}
