/** The files that the build has put into the page: data blocks of base64, most of them gzipped. */
import type { AssetHolder } from "../../protocol/asset-files.ts";

/** What the build writes about a file, as attributes of its block. */
interface EmbeddedFile {
  readonly block: HTMLScriptElement;
  readonly path: string;
  readonly isGzipped: boolean;
  /** In lower-case hexadecimal digits, of the file itself; null where whoever asks checks it. */
  readonly sha256: string | null;
}

declare global {
  interface Uint8ArrayConstructor {
    /** Browsers of before 2025 have none. */
    readonly fromBase64?: (text: string) => Uint8Array<ArrayBuffer>;
  }
}

/**
 * Returns what finds the page's files as if they lay in a folder.
 *
 * Rejects for any other file of that folder: what the page does not hold is nowhere else.
 */
export function embeddedFiles(folder: string): AssetHolder {
  const blocks = document.querySelectorAll<HTMLScriptElement>("script[data-path]");
  const files = new Map(Array.from(blocks, describe).map((file) => [file.path, file]));
  return async (address) => {
    if (!address.startsWith(folder)) {
      return null;
    }
    const path = address.slice(folder.length);
    const file = files.get(path);
    if (file === undefined) {
      throw new Error(`${path} is not in this page; get the page again`);
    }
    return read(file);
  };
}

/** Returns the text of the block with this id. */
export function embeddedText(id: string): string {
  return document.getElementById(id)?.textContent ?? "";
}

function describe(block: HTMLScriptElement): EmbeddedFile {
  const { path = "", sha256, encoding } = block.dataset;
  return { block, path, isGzipped: encoding === "gzip", sha256: sha256 ?? null };
}

async function read({ block, path, isGzipped, sha256 }: EmbeddedFile) {
  try {
    const stored = decode(block.textContent ?? "");
    const bytes = isGzipped ? await decompress(stored) : stored;
    // Where a page may not compute hashes, gzip's own sum and the archives' have to do.
    if (sha256 !== null && crypto.subtle !== undefined && (await digest(bytes)) !== sha256) {
      throw new Error("its hash is another one");
    }
    return bytes;
  } catch (cause) {
    throw new Error(`${path} is damaged in this page; get the page again`, { cause });
  }
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  return (
    Uint8Array.fromBase64?.(base64) ??
    Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  );
}

/**
 * Inflates bytes, or rejects where they are broken.
 *
 * Piece by piece: of a broken stream that a `Response` reads, Firefox tells the page's console too,
 * whoever has caught it; and a Blob as its source takes Chromium twice the time.
 */
async function decompress(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const { readable, writable } = new DecompressionStream("gzip");
  const writer = writable.getWriter();
  // What they object to, the reader learns as well.
  writer.write(bytes).catch(() => undefined);
  writer.close().catch(() => undefined);
  const reader = readable.getReader();
  const pieces: Uint8Array[] = [];
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    pieces.push(next.value);
  }
  return joined(pieces);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let position = 0;
  for (const piece of pieces) {
    whole.set(piece, position);
    position += piece.byteLength;
  }
  return whole;
}

async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
