/** Addresses of remote trees and files, and how messages show them. */

import { toWellFormed } from "../../lib/well-formed.ts";
import { FETCHED_PROTOCOLS } from "../../protocol/source-kinds.ts";

/** A data address contains its content, which is not shown. */
const MAX_SHOWN_DATA_CHARACTERS = 64;

export function resolveAddress(address: string, base: string): string | null {
  try {
    const url = new URL(address, base);
    return FETCHED_PROTOCOLS.includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

export function isOfOneHost(address: string, other: string): boolean {
  return new URL(address).origin === new URL(other).origin;
}

export function encodePath(path: string): string {
  return path.split("/").map(encodeName).join("/");
}

/** Returns a name percent-encoded, with U+FFFD for each lone surrogate. */
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
