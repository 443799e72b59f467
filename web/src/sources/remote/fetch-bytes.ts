/** Bytes from an address: counted while they come, and never more than asked for. */

import { GrowingBuffer } from "../../lib/growing-buffer.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import { shownAddress } from "./addresses.ts";
import { canHash, formatIntegrity, type Integrity } from "./integrity.ts";

/** A server that sends nothing for so long will not go on. */
const IDLE_TIMEOUT_MS = 60_000;
/** Between two reports of how far a download has come. */
const REPORT_EVERY_MS = 30;

/** How much may come. */
export interface Ceiling {
  readonly bytes: number;
  /** Returns what is thrown where more comes. */
  readonly exceeded: () => Error;
}

export interface FetchOptions {
  readonly ceiling: Ceiling;
  /** Aborting ends the download, which then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Told at the start, every 30 ms and at the end; `total` is null where no server says it. */
  readonly onLoaded?: (loaded: number, total: number | null) => void;
  /** Left to the browser where `canHash` is false; to be checked by the caller where it is true. */
  readonly integrity?: Integrity | null;
  /** Whether the page's own host is sent the visitor's cookies; another one never is. @default true */
  readonly sendsCookies?: boolean;
  readonly idleTimeoutMs?: number;
  /** More bytes than these are returned as a Blob. @default 64 MiB */
  readonly maxBufferedBytes?: number;
}

export interface Fetched {
  readonly bytes: Uint8Array | Blob;
  /** Where the bytes came from in the end. */
  readonly address: string;
  readonly mediaType: string;
}

/**
 * Something elsewhere cannot be had.
 *
 * The message says why in a clause, as `FileContent` wants it: "the server answered HTTP 404".
 */
export class FetchFault extends Error {
  /** What to do about it. */
  readonly advice: string;
  /** The status of an answer that was none of success; else null. */
  readonly status: number | null;

  constructor(clause: string, advice: string, status: number | null = null) {
    super(clause);
    this.advice = advice;
    this.status = status;
  }
}

/** Returns a fault as the refusal of a mount; what is no fault stays what it is. */
export function refusalOf(address: string, error: unknown): unknown {
  if (!(error instanceof FetchFault)) {
    return error;
  }
  return new TreeglassError(
    "SourceUnreadable",
    `${shownAddress(address)} cannot be mounted: ${error.message}; ${error.advice}.`,
    { cause: error },
  );
}

/**
 * Fetches what is at an address; its status is looked at before its bytes are.
 *
 * Rejects with a `FetchFault`, with what the ceiling throws, or with the signal's reason.
 */
export async function fetchBytes(address: string, options: FetchOptions): Promise<Fetched> {
  const { signal, integrity = null, sendsCookies = true } = options;
  const { idleTimeoutMs = IDLE_TIMEOUT_MS } = options;
  signal.throwIfAborted();
  const download = new AbortController();
  const withdraw = () => download.abort(signal.reason);
  signal.addEventListener("abort", withdraw, { once: true });
  const idle = new IdleTimer(idleTimeoutMs, download);
  try {
    const left = integrity === null || canHash() ? null : formatIntegrity(integrity);
    const response = await fetch(address, {
      referrerPolicy: "no-referrer",
      credentials: sendsCookies ? "same-origin" : "omit",
      signal: download.signal,
      ...(left === null ? {} : { integrity: left }),
    }).catch(() => {
      throw noAnswer(left);
    });
    if (!response.ok) {
      throw refusedBy(response.status);
    }
    const bytes = await readBody(response, options, () => idle.restart());
    const mediaType = (response.headers.get("content-type") ?? "").split(";", 1)[0] ?? "";
    return { bytes, address: response.url || address, mediaType: mediaType.trim().toLowerCase() };
  } catch (error) {
    signal.throwIfAborted();
    throw idle.expired ?? error;
  } finally {
    idle.stop();
    signal.removeEventListener("abort", withdraw);
    // Whatever came to pass, nothing more of it is wanted.
    download.abort();
  }
}

async function readBody(
  response: Response,
  { ceiling, onLoaded = () => undefined, maxBufferedBytes }: FetchOptions,
  onPiece: () => void,
): Promise<Uint8Array | Blob> {
  const total = totalOf(response);
  if (total !== null && total > ceiling.bytes + encodingOverhead(ceiling.bytes)) {
    throw ceiling.exceeded();
  }
  const spool = new GrowingBuffer(maxBufferedBytes);
  const reader = response.body?.getReader();
  let reportedMs = performance.now();
  onLoaded(0, total);
  for (;;) {
    const piece = await reader?.read().catch(() => {
      throw new FetchFault(`the connection broke after ${spool.sizeBytes} bytes`, "try again");
    });
    if (piece === undefined || piece.done) {
      break;
    }
    onPiece();
    if (spool.sizeBytes + piece.value.byteLength > ceiling.bytes) {
      throw ceiling.exceeded();
    }
    spool.write(piece.value);
    if (performance.now() - reportedMs >= REPORT_EVERY_MS) {
      reportedMs = performance.now();
      onLoaded(spool.sizeBytes, total !== null && spool.sizeBytes <= total ? total : null);
    }
  }
  onLoaded(spool.sizeBytes, spool.sizeBytes);
  return spool.finish();
}

/** Returns how many bytes the server says it sends, or null. */
function totalOf(response: Response): number | null {
  const length = response.headers.get("content-length") ?? "";
  // The length is that of the compressed form, and the bytes come out of it.
  const isEncoded = response.headers.has("content-encoding");
  return /^\d{1,15}$/.test(length) && !isEncoded ? Number(length) : null;
}

/**
 * Returns by how much a compressed form may be larger than what is in it.
 *
 * Another origin's answer does not tell that it is compressed.
 */
function encodingOverhead(bytes: number): number {
  return 65_536 + bytes / 1024;
}

/** Ends a download that stands still. */
class IdleTimer {
  readonly #timeoutMs: number;
  readonly #download: AbortController;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #expired: FetchFault | null = null;

  constructor(timeoutMs: number, download: AbortController) {
    this.#timeoutMs = timeoutMs;
    this.#download = download;
    this.restart();
  }

  /** Why the download was ended; null where it was not. */
  get expired(): FetchFault | null {
    return this.#expired;
  }

  restart(): void {
    this.stop();
    this.#timer = setTimeout(() => {
      this.#expired = new FetchFault(
        `the server sent nothing for ${this.#timeoutMs / 1000} s`,
        "try again",
      );
      this.#download.abort();
    }, this.#timeoutMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** A browser does not say which of these it was, so that a page learns nothing of other hosts. */
function noAnswer(integrity: string | null): FetchFault {
  return new FetchFault(
    integrity === null
      ? "no answer came that may be read"
      : `no answer came that may be read and has the integrity ${integrity}`,
    "check the address and the network, and that its host allows this page to read it (CORS)",
  );
}

function refusedBy(status: number): FetchFault {
  let advice = "check the address";
  if (status === 401 || status === 403) {
    advice = "check that it can be read without signing in";
  } else if (status === 429 || status >= 500) {
    advice = "try again later";
  }
  return new FetchFault(`the server answered HTTP ${status}`, advice, status);
}
