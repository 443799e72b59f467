/** Writes a transcript to a file, and reads it back. */

import { makeElement } from "../../../ui/make-element.ts";
import {
  MAX_TRANSCRIPT_BYTES,
  parseTranscript,
  renderTranscript,
  type TranscriptEntry,
  TranscriptInvalid,
} from "./transcript.ts";

const FILE_NAME = "treeglass-transcript.jsonl";

/** Downloads the transcript. */
export function downloadTranscript(entries: readonly TranscriptEntry[]): void {
  const blob = new Blob([renderTranscript(entries)], { type: "application/jsonl" });
  const address = URL.createObjectURL(blob);
  const link = makeElement("a", { href: address, download: FILE_NAME });
  link.click();
  // By then the download has begun, and the browser no longer needs the address.
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_MS);
}

const REVOKE_MS = 10_000;

/** Rejects with `TranscriptInvalid` if the file is not a transcript. */
export async function readTranscript(file: File): Promise<readonly TranscriptEntry[]> {
  if (file.size > MAX_TRANSCRIPT_BYTES) {
    throw new TranscriptInvalid("That file is too large to be a transcript of this page.");
  }
  return parseTranscript(await file.text());
}
