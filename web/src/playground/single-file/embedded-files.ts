/** The files that the build writes into the page: data blocks of base64, most of them gzipped. */
import { fromBase64 } from "../../lib/base64.ts";
import { joined } from "../../lib/bytes.ts";
import type { AssetReader } from "../../protocol/asset-files.ts";

declare global {
  interface Uint8ArrayConstructor {
    /** Missing in browsers released before 2025. */
    readonly fromBase64?: (text: string) => Uint8Array<ArrayBuffer>;
  }
}

/**
 * Returns a reader of the page's files as if they lay in a folder.
 *
 * The reader rejects for any other file of that folder, since no file lies beside the page.
 */
export function embeddedFiles(folder: string): AssetReader {
  const blocks = document.querySelectorAll<HTMLScriptElement>("script[data-path]");
  const files = new Map(Array.from(blocks, (block) => [block.dataset.path, block]));
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

async function read(block: HTMLScriptElement) {
  const { path, sha256, encoding } = block.dataset;
  try {
    const base64 = block.textContent ?? "";
    const stored = Uint8Array.fromBase64?.(base64) ?? fromBase64(base64);
    const bytes = encoding === "gzip" ? await decompress(stored) : stored;
    // A file without a hash is checked by the caller. A page that may not compute hashes relies on
    // the checksums of gzip and of the archives.
    if (sha256 && crypto.subtle !== undefined && (await digest(bytes)) !== sha256) {
      throw new Error("its hash is another one");
    }
    return bytes;
  } catch (cause) {
    throw new Error(`${path} is damaged in this page; get the page again`, { cause });
  }
}

/**
 * Inflates bytes, or rejects if they are broken.
 *
 * Reads piece by piece, without a `Response` and without a Blob. If a `Response` reads a broken
 * stream, Firefox reports that to the page's console, even if the page handles the error. With a
 * Blob as the source, Chromium takes twice the time.
 */
async function decompress(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const { readable, writable } = new DecompressionStream("gzip");
  const writer = writable.getWriter();
  // The reader rejects with the same error.
  writer.write(bytes).catch(() => undefined);
  writer.close().catch(() => undefined);
  const reader = readable.getReader();
  const pieces: Uint8Array[] = [];
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    pieces.push(next.value);
  }
  return joined(pieces);
}

async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
