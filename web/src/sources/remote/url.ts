/** An archive or a manifest at an address, recognised by its content. */
import { TreeglassError } from "../../protocol/errors.ts";
import type { MountLimits } from "../../protocol/mount-report.ts";
import { formOf, LOOK_BYTES } from "../archives/archive.ts";
import type { MountContext } from "../source-context.ts";
import { shownAddress, withoutCredentials } from "./addresses.ts";
import { type Fetched, fetchBytes, refusalOf, reportFetch } from "./fetch-bytes.ts";
import { findMismatch, parseIntegrity } from "./integrity.ts";
import { MAX_LIST_BYTES } from "./json-list.ts";

/** The download; `origin` is its address in the report. */
export type Downloaded =
  | { readonly kind: "archive"; readonly archive: Uint8Array | Blob; readonly origin: string }
  | {
      readonly kind: "manifest";
      readonly bytes: Uint8Array;
      readonly address: string;
      readonly origin: string;
    };

const HTML_START = /^\s*<(?:!doctype\s+html|html|head|body)\b/i;

/**
 * Downloads the content of an address, up to `maxTotalBytes`.
 *
 * Throws `SourceUnreadable` if it cannot be fetched or has another integrity, `LimitExceeded` if it
 * is too large, and `BadRequest` for an integrity without a known hash.
 */
export async function download(
  url: string,
  integrityText: string | null,
  { maxTotalBytes }: MountLimits,
  { host, report, signal }: MountContext,
): Promise<Downloaded> {
  const integrity = integrityText === null ? null : parseIntegrity(integrityText);
  const item = shownAddress(url);
  const fetched = await fetchBytes(url, {
    signal,
    integrity,
    maxBufferedBytes: host.maxBufferedBytes,
    ceiling: { bytes: maxTotalBytes, exceeded: () => tooLarge(item, maxTotalBytes) },
    onLoaded: reportFetch(item, report),
  }).catch((error) => {
    throw refusalOf(url, error);
  });
  const start = await startOf(fetched.bytes);
  requireNoPage(item, fetched.mediaType, new TextDecoder().decode(start));
  const actual = await findMismatch(fetched.bytes, integrity);
  if (actual !== null) {
    throw new TreeglassError(
      "SourceUnreadable",
      `${item} cannot be mounted: its bytes have the integrity ${actual}, which is not the given one; check whether it was changed, and give the integrity of the bytes that you trust.`,
    );
  }
  return recognised(fetched, start);
}

function recognised({ bytes, address }: Fetched, start: Uint8Array): Downloaded {
  const origin = withoutCredentials(address);
  const isObject = new TextDecoder().decode(start).trimStart().startsWith("{");
  // A tar archive starts with a file's name, which may start with a brace.
  if (!isObject || formOf(start) !== null) {
    return { kind: "archive", archive: bytes, origin };
  }
  if (bytes instanceof Blob) {
    throw new TreeglassError(
      "SourceUnreadable",
      `${shownAddress(address)} cannot be mounted: a manifest has at most ${MAX_LIST_BYTES} bytes; publish the tree as an archive, or as several manifests.`,
    );
  }
  return { kind: "manifest", bytes, address, origin };
}

async function startOf(bytes: Uint8Array | Blob): Promise<Uint8Array> {
  return bytes instanceof Blob
    ? new Uint8Array(await bytes.slice(0, LOOK_BYTES).arrayBuffer())
    : bytes.subarray(0, LOOK_BYTES);
}

function requireNoPage(item: string, mediaType: string, start: string): void {
  const isCalledPage = mediaType === "text/html" && start.trimStart().startsWith("<");
  if (isCalledPage || HTML_START.test(start)) {
    throw new TreeglassError(
      "SourceUnreadable",
      `${item} cannot be mounted: an HTML page is there, and no archive or manifest; check the address, since servers answer many wrong ones with a page.`,
    );
  }
}

function tooLarge(item: string, maxTotalBytes: number): TreeglassError {
  return new TreeglassError(
    "LimitExceeded",
    `${item} has more than ${maxTotalBytes} bytes (maxTotalBytes); mount a smaller archive, or raise limits.maxTotalBytes.`,
  );
}
