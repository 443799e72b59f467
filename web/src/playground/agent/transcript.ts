/** A conversation as data: what is shown, exported as JSON lines, and replayed. */

import { isCount, isRecord } from "../../lib/checks.ts";

/** Stands in the first line of every conversation; another shape would have another number. */
export const TRANSCRIPT_FORMAT = "treeglass-transcript/1";

/** A file larger than this is no transcript of this page. */
export const MAX_TRANSCRIPT_BYTES = 50_000_000;

/** The most that a page can show at once. */
export const MAX_TRANSCRIPT_ENTRIES = 5000;

/** Begins a conversation; the lines up to the next one belong to it. */
export interface ConversationEntry {
  readonly type: "conversation";
  readonly format: typeof TRANSCRIPT_FORMAT;
  readonly provider: string;
  readonly model: string;
  /** Where the model was asked, without path or query; null where it runs in the page. */
  readonly origin: string | null;
  /** What the page calls the tree; null where none was mounted. */
  readonly tree: string | null;
  /** The fragment of an address of the page that mounts the tree again; null where there is none. */
  readonly link: string | null;
}

export interface QuestionEntry {
  readonly type: "question";
  readonly text: string;
}

/** What a model said; `isWhole` is false where it was stopped or broke off. */
export interface TurnEntry {
  readonly type: "turn";
  readonly text: string;
  readonly callCount: number;
  readonly isWhole: boolean;
  readonly elapsedMs: number;
}

/** A call and what the model was given for it. */
export interface CallEntry {
  readonly type: "call";
  /** The name that the model used. */
  readonly name: string;
  /** The tool's own name; null where there is no such tool. */
  readonly tool: string | null;
  readonly callId: string | null;
  /** As the model sent them: an object, or JSON text. */
  readonly arguments: unknown;
  readonly outcome: CallOutcome;
  readonly text: string;
  readonly isError: boolean;
  readonly truncated: boolean;
  /** The text's size in UTF-8. */
  readonly sizeBytes: number;
  readonly estimatedTokens: number;
  /** The tool's own time; where no tool ran, how long the model waited. */
  readonly elapsedMs: number;
  /** The arguments of the call that continues this one; null where nothing was left out. */
  readonly nextArguments: Readonly<Record<string, unknown>> | null;
}

const CALL_OUTCOMES = ["answered", "refused", "unknown", "failed", "aborted"] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** What the page says in between: a retry, a failure, a stop, another tree. */
export interface NoticeEntry {
  readonly type: "notice";
  readonly kind: NoticeKind;
  readonly text: string;
}

const NOTICE_KINDS = ["retry", "failed", "stopped", "max-turns", "cut", "tree"] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export type TranscriptEntry =
  | ConversationEntry
  | QuestionEntry
  | TurnEntry
  | CallEntry
  | NoticeEntry;

/** Returns entries as JSON lines, one entry a line, with a line feed at the end of each. */
export function renderTranscript(entries: readonly TranscriptEntry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

/** A file that is no transcript; the message is a sentence for the person. */
export class TranscriptInvalid extends Error {
  override readonly name = "TranscriptInvalid";
}

/**
 * Returns the entries of JSON lines; what no entry has is left out.
 *
 * @throws TranscriptInvalid where a line is no entry, the first begins no conversation, or there are more
 *   than `MAX_TRANSCRIPT_ENTRIES`.
 */
export function parseTranscript(text: string): readonly TranscriptEntry[] {
  const lines = text.split("\n");
  if (lines.filter((line) => line.trim() !== "").length > MAX_TRANSCRIPT_ENTRIES) {
    throw new TranscriptInvalid(
      `The transcript has more than ${MAX_TRANSCRIPT_ENTRIES} lines, and the page shows no more. Import a part of it that begins with a conversation's first line.`,
    );
  }
  const entries = lines.flatMap((line, index) => parseLine(line, index + 1));
  if (entries[0]?.type !== "conversation") {
    throw new TranscriptInvalid(
      `That is no transcript of this page: its first line does not say ${TRANSCRIPT_FORMAT}.`,
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
    throw new TranscriptInvalid(`Line ${lineNumber} of the transcript is no entry of one.`);
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
