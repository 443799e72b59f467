/** Makes a file of what a client exports, and hands it to the browser as a download. */

import { renderJson } from "../../ui/json.ts";
import { makeElement } from "../../ui/make-element.ts";
import type { ExportFormat } from "./reviewed-client.ts";

/** The detail of `treeglass-export`. */
export interface ExportedFile {
  readonly format: ExportFormat;
  readonly fileName: string;
  readonly blob: Blob;
}

const ENDINGS = { patch: "patch", archive: "zip", manifest: "json" } as const;

export function packExport(
  format: ExportFormat,
  content: string | Uint8Array | object,
): ExportedFile {
  const isWhole = typeof content === "string" || content instanceof Uint8Array;
  // A client's bytes come from a message, so no thread shares them.
  const part = isWhole ? (content as string | Uint8Array<ArrayBuffer>) : renderJson(content);
  return { format, fileName: `changes.${ENDINGS[format]}`, blob: new Blob([part]) };
}

/** Lets the browser save a file. */
export function download({ fileName, blob }: ExportedFile): void {
  const href = URL.createObjectURL(blob);
  makeElement("a", { href, download: fileName }).click();
  // The browser reads the address after the click has ended.
  setTimeout(() => URL.revokeObjectURL(href), RELEASE_MS);
}

const RELEASE_MS = 60_000;
