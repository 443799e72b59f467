/** Hashes of fetched bytes, written as in HTML's `integrity`. */
import { toBase64 } from "../../lib/base64.ts";
import { canCheck } from "../../protocol/asset-files.ts";
import { TreeglassError } from "../../protocol/errors.ts";

type Algorithm = "SHA-256" | "SHA-384" | "SHA-512";

/** The bytes must have one of the hashes. */
export interface Integrity {
  readonly algorithm: Algorithm;
  /** In base64. */
  readonly hashes: readonly string[];
}

/** From the strongest to the weakest. */
const ALGORITHMS: readonly (readonly [prefix: string, algorithm: Algorithm])[] = [
  ["sha512", "SHA-512"],
  ["sha384", "SHA-384"],
  ["sha256", "SHA-256"],
];
/** A hash may be followed by options, which have no meaning yet. */
const TOKEN = /^(sha256|sha384|sha512)-([\w+/-]+={0,2})(?:\?.*)?$/;

/**
 * Returns the hashes of the strongest kind in a text; other kinds and words do not count.
 *
 * Throws `BadRequest` if there is no known hash: otherwise the bytes would go unchecked silently.
 */
export function parseIntegrity(text: string): Integrity {
  const tokens = text.split(/\s+/).map((token) => TOKEN.exec(token));
  for (const [prefix, algorithm] of ALGORITHMS) {
    const hashes = tokens
      .filter((token) => token?.[1] === prefix)
      .map((token) => (token?.[2] ?? "").replaceAll("-", "+").replaceAll("_", "/"));
    if (hashes.length > 0) {
      return { algorithm, hashes };
    }
  }
  throw new TreeglassError(
    "BadRequest",
    `The integrity ${JSON.stringify(text)} has no hash that is known; write sha256-, sha384- or sha512- and the hash in base64.`,
  );
}

/** Returns the text that `fetch` takes; inverse of `parseIntegrity`. */
export function formatIntegrity({ algorithm, hashes }: Integrity): string {
  const prefix = algorithm.toLowerCase().replace("-", "");
  return hashes.map((hash) => `${prefix}-${hash}`).join(" ");
}

/**
 * Returns null if the bytes have one of the hashes, else their actual integrity.
 *
 * Null as well where no hash is asked for, or the browser has checked it, see `FetchOptions`.
 */
export async function findMismatch(
  bytes: Uint8Array | Blob,
  integrity: Integrity | null,
): Promise<string | null> {
  if (integrity === null || !canCheck()) {
    return null;
  }
  const { algorithm, hashes } = integrity;
  const digest = await crypto.subtle.digest(algorithm, await hashable(bytes));
  const hash = toBase64(new Uint8Array(digest));
  return hashes.includes(hash) ? null : formatIntegrity({ algorithm, hashes: [hash] });
}

/** Browsers cannot hash piece by piece, so a Blob has to be in memory once. */
async function hashable(bytes: Uint8Array | Blob): Promise<ArrayBuffer | Uint8Array<ArrayBuffer>> {
  if (bytes instanceof Blob) {
    return bytes.arrayBuffer();
  }
  return isInOwnMemory(bytes) ? bytes : new Uint8Array(bytes);
}

function isInOwnMemory(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer;
}
