/** The entries of a transcript: the page shows them, exports them as JSON lines, and replays them. */

import { isCount, isRecord } from "../../../lib/checks.ts";

/** The format's name, in the first line of every conversation; a new format gets a new number. */
export const TRANSCRIPT_FORMAT = "treeglass-transcript/1";

/** The page refuses to import a larger file. */
export const MAX_TRANSCRIPT_BYTES = 50_000_000;

/** The most entries that the page can show. */
export const MAX_TRANSCRIPT_ENTRIES = 5000;

/** Begins a conversation; the entries up to the next one belong to it. */
export interface ConversationEntry {
  readonly type: "conversation";
  readonly format: typeof TRANSCRIPT_FORMAT;
  readonly provider: string;
  readonly model: string;
  /** The endpoint's origin; null if the model runs in the page. */
  readonly origin: string | null;
  /** The page's name for the tree; null if no tree was mounted. */
  readonly tree: string | null;
  /** The fragment of an address of this page that mounts the tree again; null if the tree has no link. */
  readonly link: string | null;
}

export interface QuestionEntry {
  readonly type: "question";
  readonly text: string;
}

/** A model's turn; `isWhole` is false if it was stopped or broke off. */
export interface TurnEntry {
  readonly type: "turn";
  readonly text: string;
  readonly callCount: number;
  readonly isWhole: boolean;
  readonly elapsedMs: number;
}

/** A call, and the answer that the model got. */
export interface CallEntry {
  readonly type: "call";
  /** The name that the model used. */
  readonly name: string;
  /** The tool's own name; null if the tool is unknown. */
  readonly tool: string | null;
  readonly callId: string | null;
  /** An object, or JSON text, as the model sent it. */
  readonly arguments: unknown;
  readonly outcome: CallOutcome;
  readonly text: string;
  readonly isError: boolean;
  readonly truncated: boolean;
  /** The text's size in UTF-8. */
  readonly sizeBytes: number;
  readonly estimatedTokens: number;
  /** The tool's own time; if no tool ran, the time that the model waited. */
  readonly elapsedMs: number;
  /** The arguments of the call that continues this one; null if the answer is complete. */
  readonly nextArguments: Readonly<Record<string, unknown>> | null;
}

const CALL_OUTCOMES = ["answered", "refused", "unknown", "failed", "aborted"] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** A notice by the page: a retry, a failure, a stop, another tree. */
export interface NoticeEntry {
  readonly type: "notice";
  readonly kind: NoticeKind;
  readonly text: string;
}

const NOTICE_KINDS = ["retry", "failed", "stopped", "max-turns", "cut", "tree", "note"] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export type TranscriptEntry =
  | ConversationEntry
  | QuestionEntry
  | TurnEntry
  | CallEntry
  | NoticeEntry;

/** Returns entries as JSON lines: one entry per line, each with a line feed at its end. */
export function renderTranscript(entries: readonly TranscriptEntry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

/** The error for a file that is not a transcript; the message is a sentence for the visitor. */
export class TranscriptInvalid extends Error {
  override readonly name = "TranscriptInvalid";
}

/**
 * Returns the entries in JSON lines, without their unknown members.
 *
 * @throws TranscriptInvalid if a line is not an entry, if the first entry does not begin a conversation,
 *   or if there are more than `MAX_TRANSCRIPT_ENTRIES` entries.
 */
export function parseTranscript(text: string): readonly TranscriptEntry[] {
  const lines = text.split("\n");
  if (lines.filter((line) => line.trim() !== "").length > MAX_TRANSCRIPT_ENTRIES) {
    throw new TranscriptInvalid(
      `The transcript has more than ${MAX_TRANSCRIPT_ENTRIES} lines, the most that the page shows. Import a part of it that begins with a conversation's first line.`,
    );
  }
  const entries = lines.flatMap((line, index) => parseLine(line, index + 1));
  if (entries[0]?.type !== "conversation") {
    throw new TranscriptInvalid(
      `The file is not a transcript of this page: its first line does not say ${TRANSCRIPT_FORMAT}.`,
    );
  }
  return entries;
}

function parseLine(line: string, lineNumber: number): readonly TranscriptEntry[] {
  if (line.trim() === "") {
    return [];
  }
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new TranscriptInvalid(`Line ${lineNumber} of the transcript is not JSON.`);
  }
  const entry = isRecord(value) ? toEntry(value) : null;
  if (entry === null) {
    throw new TranscriptInvalid(`Line ${lineNumber} of the transcript is not an entry.`);
  }
  return [entry];
}

type Members = Readonly<Record<string, unknown>>;

function toEntry(value: Members): TranscriptEntry | null {
  switch (value.type) {
    case "conversation":
      return toConversation(value);
    case "question":
      return typeof value.text === "string" ? { type: "question", text: value.text } : null;
    case "turn":
      return toTurn(value);
    case "call":
      return toCall(value);
    case "notice":
      return toNotice(value);
    default:
      return null;
  }
}

function toConversation(value: Members): ConversationEntry | null {
  const { format, provider, model, origin, tree, link } = value;
  const isValid = format === TRANSCRIPT_FORMAT && isText(provider) && isText(model);
  return isValid && isTextOrNull(origin) && isTextOrNull(tree) && isTextOrNull(link)
    ? { type: "conversation", format, provider, model, origin, tree, link }
    : null;
}

function toTurn({ text, callCount, isWhole, elapsedMs }: Members): TurnEntry | null {
  const isValid = isText(text) && isCount(callCount) && typeof isWhole === "boolean";
  return isValid && isDuration(elapsedMs)
    ? { type: "turn", text, callCount, isWhole, elapsedMs }
    : null;
}

function toCall(value: Members): CallEntry | null {
  const { name, tool, callId, outcome, text, nextArguments } = value;
  const { isError, truncated, sizeBytes, estimatedTokens, elapsedMs } = value;
  const known = CALL_OUTCOMES.find((candidate) => candidate === outcome);
  if (
    !isText(name) ||
    !isTextOrNull(tool) ||
    !isTextOrNull(callId) ||
    known === undefined ||
    !isText(text) ||
    typeof isError !== "boolean" ||
    typeof truncated !== "boolean" ||
    !isCount(sizeBytes) ||
    !isCount(estimatedTokens) ||
    !isDuration(elapsedMs) ||
    !(nextArguments === null || isRecord(nextArguments))
  ) {
    return null;
  }
  return {
    ...{ type: "call", name, tool, callId, arguments: value.arguments, outcome: known, text },
    ...{ isError, truncated, sizeBytes, estimatedTokens, elapsedMs, nextArguments },
  };
}

function toNotice({ kind, text }: Members): NoticeEntry | null {
  const known = NOTICE_KINDS.find((candidate) => candidate === kind);
  return known !== undefined && isText(text) ? { type: "notice", kind: known, text } : null;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || isText(value);
}

function isDuration(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
