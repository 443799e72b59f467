/** Reads the open file in pieces, and tells a text from an image and from other bytes. */

import type { TreeglassClient } from "../../index.ts";

/** The first piece, and each further one that the visitor asks for. */
export const PIECE_BYTES = 2 * 1024 * 1024;

const IMAGE_TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  bmp: "image/bmp",
  ico: "image/x-icon",
};

/** Images above this are shown as other bytes. */
const MAX_IMAGE_BYTES = 16 * 1024 * 1024;

export type FileContent =
  | {
      readonly kind: "text";
      readonly text: string;
      readonly shownBytes: number;
      readonly sizeBytes: number;
      /** True if bytes that are no UTF-8 are shown as replacement characters. */
      readonly isLossy: boolean;
    }
  | { readonly kind: "image"; readonly image: Blob; readonly sizeBytes: number }
  | { readonly kind: "binary"; readonly sizeBytes: number };

/**
 * Reads a file from its start.
 *
 * @throws TreeglassError if it is not there or is no file.
 */
export async function readContent(
  client: TreeglassClient,
  path: string,
  maxBytes: number,
): Promise<FileContent> {
  const type = IMAGE_TYPES[path.slice(path.lastIndexOf(".") + 1).toLowerCase()];
  const wanted = type === undefined ? maxBytes : MAX_IMAGE_BYTES;
  const { bytes, sizeBytes, isComplete } = await readUpTo(client, path, wanted);
  if (type !== undefined && isComplete) {
    return { kind: "image", image: new Blob([bytes], { type }), sizeBytes };
  }
  return bytes.includes(0)
    ? { kind: "binary", sizeBytes }
    : toText(bytes, { sizeBytes, isComplete });
}

/** Reads more than one piece where the client's largest is too small. */
async function readUpTo(client: TreeglassClient, path: string, maxBytes: number) {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let offsetBytes = 0;
  for (;;) {
    const piece = await client.readFile(path, {
      offsetBytes,
      maxBytes: Math.min(maxBytes - offsetBytes, MAX_IMAGE_BYTES),
    });
    pieces.push(piece.bytes);
    offsetBytes += piece.bytes.byteLength;
    if (piece.isComplete || offsetBytes >= maxBytes || piece.bytes.byteLength === 0) {
      const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
      return { bytes, sizeBytes: piece.sizeBytes, isComplete: piece.isComplete };
    }
  }
}

/** Decodes UTF-8; a character that the end of a piece cuts is left out. */
export function toText(
  bytes: Uint8Array<ArrayBuffer>,
  { sizeBytes, isComplete }: { readonly sizeBytes: number; readonly isComplete: boolean },
): FileContent {
  const shown = { kind: "text", shownBytes: bytes.byteLength, sizeBytes } as const;
  // The stream holds back a character that the next piece would complete.
  const options = { stream: !isComplete };
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, options);
    return { ...shown, text, isLossy: false };
  } catch {
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, options);
    return { ...shown, text, isLossy: true };
  }
}
