/** Makes a file of what a client exports, and hands it to the browser as a download. */

import { renderJson } from "../../page-parts/json.ts";
import { makeElement } from "../../page-parts/make-element.ts";
import type { ExportFormat } from "./reviewed-client.ts";

/** The detail of `treeglass-export`. */
export interface ExportedFile {
  readonly format: ExportFormat;
  readonly fileName: string;
  readonly blob: Blob;
}

const FILES = {
  patch: ["changes.patch", "text/plain"],
  archive: ["changes.zip", "application/zip"],
  manifest: ["changes.json", "application/json"],
} as const;

export function packExport(
  format: ExportFormat,
  content: string | Uint8Array | object,
): ExportedFile {
  const [fileName, type] = FILES[format];
  const isWhole = typeof content === "string" || content instanceof Uint8Array;
  // Copied, since a Blob takes no bytes that threads may share.
  const part = isWhole ? content : `${renderJson(content)}\n`;
  const blob = new Blob([typeof part === "string" ? part : new Uint8Array(part)], { type });
  return { format, fileName, blob };
}

/** Lets the browser save a file. */
export function download({ fileName, blob }: ExportedFile): void {
  const href = URL.createObjectURL(blob);
  makeElement("a", { href, download: fileName }).click();
  // The browser reads the address after the click has ended.
  setTimeout(() => URL.revokeObjectURL(href), RELEASE_MS);
}

const RELEASE_MS = 60_000;
