/** Files at addresses of their own, fetched when they are read or ahead of that. */
import { TreeglassError } from "../../protocol/errors.ts";
import type { MountContext } from "../source-context.ts";
import type { DirectoryEntry, FileContent, FileEntry } from "../tree.ts";
import { FetchFault, fetchBytes } from "./fetch-bytes.ts";
import { findMismatch, type Integrity } from "./integrity.ts";

/** Files that are fetched side by side; more would only queue in the browser. */
const CONCURRENT_DOWNLOADS = 8;
const REPORT_EVERY_MS = 30;
const OUT_OF_STEP = "the list and its files are out of step, so publish both anew";

export interface RemoteFile {
  readonly sizeBytes: number;
  readonly address: string;
  /** In base64; null if the list has none. */
  readonly sha256: string | null;
  /** See `FetchOptions`. */
  readonly sendsCookies: boolean;
}

/** Returns content that is fetched whole and must match the list exactly. */
export function remoteContent({
  sizeBytes,
  address,
  sha256,
  sendsCookies,
}: RemoteFile): FileContent {
  const integrity: Integrity | null =
    sha256 === null ? null : { algorithm: "SHA-256", hashes: [sha256] };
  const ceiling = {
    bytes: sizeBytes,
    exceeded: () => new FetchFault("the content is larger than declared", OUT_OF_STEP),
  };
  return {
    kind: "remote",
    async fetchWhole(signal) {
      const fetched = await fetchBytes(address, { ceiling, signal, integrity, sendsCookies });
      const bytes = await toArray(fetched.bytes);
      if (bytes.byteLength < sizeBytes) {
        throw new FetchFault("the content is smaller than declared", OUT_OF_STEP);
      }
      if ((await findMismatch(bytes, integrity)) !== null) {
        throw new FetchFault("the content differs from its sha256", OUT_OF_STEP);
      }
      signal.throwIfAborted();
      return bytes;
    },
  };
}

export async function toArray(bytes: Uint8Array | Blob): Promise<Uint8Array> {
  return bytes instanceof Blob ? new Uint8Array(await bytes.arrayBuffer()) : bytes;
}

interface Place {
  readonly path: string;
  readonly file: FileEntry;
  readonly replace: (file: FileEntry) => void;
}

/**
 * Fetches every remote file of a tree, a few at a time, and keeps the bytes in the tree.
 *
 * Throws `SourceUnreadable`, which names the path, for the first file that cannot be fetched, and
 * stops the other downloads.
 */
export async function prefetchFiles(
  root: DirectoryEntry,
  { report, signal }: MountContext,
): Promise<void> {
  const places = remoteFilesOf(root);
  const total = places.reduce((sum, { file }) => sum + file.sizeBytes, 0);
  const downloads = new AbortController();
  const withdraw = () => downloads.abort(signal.reason);
  signal.addEventListener("abort", withdraw, { once: true });
  let loaded = 0;
  let reportedMs = performance.now();
  // The workers share one iterator; removing a list's first member would move all others.
  const queue = places.values();
  const work = async () => {
    for (const place of queue) {
      downloads.signal.throwIfAborted();
      await prefetch(place, downloads.signal);
      loaded += place.file.sizeBytes;
      if (performance.now() - reportedMs >= REPORT_EVERY_MS || loaded === total) {
        reportedMs = performance.now();
        report({ phase: "fetch", loaded, total, item: place.path });
      }
    }
  };
  try {
    signal.throwIfAborted();
    await Promise.all(Array.from({ length: CONCURRENT_DOWNLOADS }, work));
  } catch (error) {
    downloads.abort();
    throw error;
  } finally {
    signal.removeEventListener("abort", withdraw);
  }
}

async function prefetch({ path, file, replace }: Place, signal: AbortSignal): Promise<void> {
  if (file.content.kind !== "remote") {
    return;
  }
  try {
    const bytes = await file.content.fetchWhole(signal);
    replace({ ...file, content: { kind: "bytes", bytes } });
  } catch (error) {
    if (!(error instanceof FetchFault)) {
      throw error;
    }
    throw new TreeglassError(
      "SourceUnreadable",
      `The file '${path}' cannot be fetched: ${error.message}; ${error.advice}, or mount without prefetch.`,
      { cause: error },
    );
  }
}

function remoteFilesOf(root: DirectoryEntry): Place[] {
  const places: Place[] = [];
  const pending: [string, DirectoryEntry][] = [["", root]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [prefix, { children }] = next;
    for (const [name, entry] of children) {
      const path = `${prefix}${name}`;
      if (entry.kind === "directory") {
        pending.push([`${path}/`, entry]);
      } else if (entry.kind === "file" && entry.content.kind === "remote") {
        places.push({ path, file: entry, replace: (file) => children.set(name, file) });
      }
    }
  }
  return places;
}
