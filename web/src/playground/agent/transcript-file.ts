/** A transcript on its way to a file and back. */

import { makeElement } from "../../page-parts/make-element.ts";
import {
  MAX_TRANSCRIPT_BYTES,
  parseTranscript,
  renderTranscript,
  type TranscriptEntry,
  TranscriptInvalid,
} from "./transcript.ts";

const FILE_NAME = "treeglass-transcript.jsonl";

/** Hands the transcript to the browser's downloads. */
export function downloadTranscript(entries: readonly TranscriptEntry[]): void {
  const blob = new Blob([renderTranscript(entries)], { type: "application/jsonl" });
  const address = URL.createObjectURL(blob);
  const link = makeElement("a", { href: address, download: FILE_NAME });
  link.click();
  // The download has begun by then, and the browser keeps what it needs of it.
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_MS);
}

const REVOKE_MS = 10_000;

/** Rejects with `TranscriptInvalid` where the file is none. */
export async function readTranscript(file: File): Promise<readonly TranscriptEntry[]> {
  if (file.size > MAX_TRANSCRIPT_BYTES) {
    throw new TranscriptInvalid("That file is too large to be a transcript of this page.");
  }
  return parseTranscript(await file.text());
}
