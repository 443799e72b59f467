/** Fetches the bytes at an address, up to a ceiling. */
import { GrowingBuffer } from "../../lib/growing-buffer.ts";
import { canCheck } from "../../protocol/asset-files.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import type { ProgressEvent } from "../../protocol/mount-report.ts";
import { shownAddress } from "./addresses.ts";
import { formatIntegrity, type Integrity } from "./integrity.ts";

/** After this silence of the server the download fails. */
const IDLE_TIMEOUT_MS = 60_000;
const REPORT_EVERY_MS = 30;

export interface Ceiling {
  readonly bytes: number;
  readonly exceeded: () => Error;
}

export interface FetchOptions {
  readonly ceiling: Ceiling;
  /** Aborting ends the download, which then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Called at the start, with the first bytes, every 30 ms and at the end; `total` is null if it is unknown. */
  readonly onLoaded?: (loaded: number, total: number | null) => void;
  /** The caller checks it if `canCheck` is true; otherwise the browser does. */
  readonly integrity?: Integrity | null;
  /** True if the page's own host gets the visitor's cookies; another host never does. @default true */
  readonly sendsCookies?: boolean;
  readonly idleTimeoutMs?: number;
  /** More bytes than these are returned as a Blob. @default 64 MiB */
  readonly maxBufferedBytes?: number;
}

export interface Fetched {
  readonly bytes: Uint8Array | Blob;
  readonly address: string;
  readonly mediaType: string;
}

/**
 * A download failed.
 *
 * The message gives the reason in a clause, as for `FileContent`: "the server answered HTTP 404".
 */
export class FetchFault extends Error {
  readonly advice: string;
  /** The status of an unsuccessful HTTP response; else null. */
  readonly status: number | null;

  constructor(clause: string, advice: string, status: number | null = null) {
    super(clause);
    this.advice = advice;
    this.status = status;
  }
}

/** Returns the `onLoaded` that reports the download of an item to the page. */
export function reportFetch(
  item: string,
  report: (event: ProgressEvent) => void,
): NonNullable<FetchOptions["onLoaded"]> {
  return (loaded, total) =>
    report({ phase: "fetch", loaded, item, ...(total === null ? {} : { total }) });
}

/** Returns a fault as the error of a mount; returns any other error unchanged. */
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
 * Fetches the bytes at an address; checks the status before it reads the body.
 *
 * Rejects with a `FetchFault`, with the ceiling's error, or with the signal's reason.
 */
export async function fetchBytes(address: string, options: FetchOptions): Promise<Fetched> {
  const { signal, integrity = null, sendsCookies = true } = options;
  const { idleTimeoutMs = IDLE_TIMEOUT_MS } = options;
  signal.throwIfAborted();
  const download = new AbortController();
  const withdraw = () => download.abort(signal.reason);
  signal.addEventListener("abort", withdraw, { once: true });
  const idle = startIdleTimer(idleTimeoutMs, download);
  try {
    const left = integrity === null || canCheck() ? null : formatIntegrity(integrity);
    const response = await fetch(address, {
      referrerPolicy: "no-referrer",
      credentials: sendsCookies ? "same-origin" : "omit",
      signal: download.signal,
      ...(left === null ? {} : { integrity: left }),
    }).catch(() => {
      throw noReply(address, left);
    });
    if (!response.ok) {
      throw refusedBy(response.status);
    }
    const bytes = await readBody(response, options, idle.restart);
    const mediaType = (response.headers.get("content-type") ?? "").split(";", 1)[0] ?? "";
    return { bytes, address: response.url || address, mediaType: mediaType.trim().toLowerCase() };
  } catch (error) {
    signal.throwIfAborted();
    throw idle.fault ?? error;
  } finally {
    idle.stop();
    signal.removeEventListener("abort", withdraw);
    // Nothing more of the response is needed, whatever the outcome.
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
  let reportedMs = Number.NEGATIVE_INFINITY;
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

function totalOf(response: Response): number | null {
  const length = response.headers.get("content-length") ?? "";
  // With an encoding, the length is that of the compressed form.
  const isEncoded = response.headers.has("content-encoding");
  return /^\d{1,15}$/.test(length) && !isEncoded ? Number(length) : null;
}

/**
 * Returns by how many bytes a compressed form may exceed its content.
 *
 * A response of another origin does not tell that it is compressed.
 */
function encodingOverhead(bytes: number): number {
  return 65_536 + bytes / 1024;
}

/** Ends a download that receives nothing for a while; `fault` then says so. */
function startIdleTimer(timeoutMs: number, download: AbortController) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const idle = {
    fault: null as FetchFault | null,
    stop: () => clearTimeout(timer),
    restart() {
      idle.stop();
      timer = setTimeout(() => {
        idle.fault = new FetchFault(
          `the server sent nothing for ${timeoutMs / 1000} s`,
          "try again",
        );
        download.abort();
      }, timeoutMs);
    },
  };
  idle.restart();
  return idle;
}

/** A browser hides the cause, so that a page learns nothing about other hosts. */
function noReply(address: string, integrity: string | null): FetchFault {
  const reply = `no readable reply from ${new URL(address).host || "the address"}`;
  return new FetchFault(
    integrity === null ? reply : `${reply} with the integrity ${integrity}`,
    "check the address and your connection, and that the host lets this page read it (CORS)",
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
