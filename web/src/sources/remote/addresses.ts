/** Addresses of what lies elsewhere, and how they are shown. */
import { toWellFormed } from "../names.ts";

const FETCHED_PROTOCOLS: readonly string[] = ["http:", "https:", "blob:", "data:"];
/** A data address holds its content, of which nothing is shown. */
const MAX_SHOWN_DATA_CHARACTERS = 64;

/** Returns an address made absolute, or null where it is none that can be fetched. */
export function resolveAddress(address: string, base: string): string | null {
  try {
    const url = new URL(address, base);
    return FETCHED_PROTOCOLS.includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/** Tells whether what is at two addresses comes from the same host, by the same protocol and port. */
export function isOfOneHost(address: string, other: string): boolean {
  return new URL(address).origin === new URL(other).origin;
}

/** Returns a path as the path of an address: each name percent-encoded. */
export function encodePath(path: string): string {
  return path.split("/").map(encodeName).join("/");
}

/** Returns a name percent-encoded; a lone surrogate, which no address can hold, as U+FFFD. */
export function encodeName(name: string): string {
  return encodeURIComponent(toWellFormed(name));
}

/** Returns an address for messages: without its query and fragment, and without credentials. */
export function shownAddress(address: string): string {
  return withoutCredentials(address).replace(/[?#].*$/s, "");
}

/** Returns an address for reports: without its fragment, and without credentials. */
export function withoutCredentials(address: string): string {
  const url = new URL(address);
  if (url.protocol === "data:") {
    return `${url.href.slice(0, MAX_SHOWN_DATA_CHARACTERS).replace(/,.*$/s, "")},…`;
  }
  url.username = "";
  url.password = "";
  url.hash = "";
  return url.href;
}
