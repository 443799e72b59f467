/** The entries of a transcript: the page shows them, exports them as JSON lines, and replays them. */

import type { CallEvent } from "../../../adapters/toolset.ts";
import { isCount, isRecord } from "../../../lib/checks.ts";

/** The format's name, in the first line of every conversation; a new format gets a new number. */
export const TRANSCRIPT_FORMAT = "treeglass-transcript/1";

/** The page refuses to import a larger file. */
const MAX_TRANSCRIPT_BYTES = 50_000_000;

export const MAX_TRANSCRIPT_ENTRIES = 5000;

type Check<Value> = (value: unknown) => value is Value;

const isAny: Check<unknown> = (_): _ is unknown => true;
const isText: Check<string> = (value) => typeof value === "string";
const isFlag: Check<boolean> = (value) => typeof value === "boolean";
const isDuration: Check<number> = (value): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0;

function orNull<Value>(is: Check<Value>): Check<Value | null> {
  return (value): value is Value | null => value === null || is(value);
}

function oneOf<const Value>(...values: readonly Value[]): Check<Value> {
  return (value): value is Value => values.some((each) => each === value);
}

/** The members of the entries, each with the check of what a file has. */
const MEMBERS = {
  /** Begins a conversation; the entries up to the next one belong to it. */
  conversation: {
    format: oneOf(TRANSCRIPT_FORMAT),
    model: isText,
    /** The endpoint's origin. */
    origin: isText,
    /** The page's name for the tree; null if no tree was mounted. */
    tree: orNull(isText),
    /** The fragment of an address of this page that mounts the tree again; null without one. */
    link: orNull(isText),
  },
  question: { text: isText },
  /** A model's turn; `isWhole` is false if it was stopped or broke off. */
  turn: { text: isText, callCount: isCount, isWhole: isFlag, elapsedMs: isDuration },
  /** A call, and the answer that the model got. */
  call: {
    /** The name that the model used. */
    name: isText,
    /** The tool's own name; null if the tool is unknown. */
    tool: orNull(isText),
    callId: orNull(isText),
    /** An object, or JSON text, as the model sent it. */
    arguments: isAny,
    outcome: oneOf("answered", "refused", "unknown", "failed", "aborted"),
    text: isText,
    isError: isFlag,
    truncated: isFlag,
    /** The text's size in UTF-8. */
    sizeBytes: isCount,
    estimatedTokens: isCount,
    /** The tool's own time; if no tool ran, the time that the model waited. */
    elapsedMs: isDuration,
    /** The arguments of the call that continues this one; null if the answer is complete. */
    nextArguments: orNull(isRecord),
  },
  /** A notice by the page: a retry, a failure, a stop. */
  notice: {
    kind: oneOf("retry", "failed", "stopped", "max-turns", "cut", "note"),
    text: isText,
  },
} as const;

type Members = typeof MEMBERS;
type Checked<Is> = Is extends Check<infer Value> ? Value : never;
type EntryOf<Type extends keyof Members> = { readonly type: Type } & {
  readonly [Name in keyof Members[Type]]: Checked<Members[Type][Name]>;
};

export type CallEntry = EntryOf<"call">;
export type NoticeKind = EntryOf<"notice">["kind"];
export type TranscriptEntry = { [Type in keyof Members]: EntryOf<Type> }[keyof Members];

export function toCallEntry({ result, ...event }: CallEvent): CallEntry {
  return {
    type: "call",
    ...event,
    // Not the event's time, which includes the waits for approval and for a mount.
    elapsedMs: result?.elapsedMs ?? event.elapsedMs,
    nextArguments: result?.nextArguments ?? null,
  };
}

/** Returns entries as JSON lines: one entry per line, each with a line feed at its end. */
export function renderTranscript(entries: readonly TranscriptEntry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

/** The error for a file that is not a transcript; the message is a sentence for the visitor. */
export class TranscriptInvalid extends Error {
  override readonly name = "TranscriptInvalid";
}

/** Rejects with `TranscriptInvalid` if the file is not a transcript. */
export async function readTranscript(file: File): Promise<readonly TranscriptEntry[]> {
  if (file.size > MAX_TRANSCRIPT_BYTES) {
    throw new TranscriptInvalid("That file is too large to be a transcript of this page.");
  }
  return parseTranscript(await file.text());
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
  const entries = lines.flatMap((line, index) =>
    line.trim() === "" ? [] : [parseLine(line, index + 1)],
  );
  if (entries[0]?.type !== "conversation") {
    throw new TranscriptInvalid(
      `The file is not a transcript of this page: its first line does not say ${TRANSCRIPT_FORMAT}.`,
    );
  }
  return entries;
}

function parseLine(line: string, lineNumber: number): TranscriptEntry {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new TranscriptInvalid(`Line ${lineNumber} of the transcript is not JSON.`);
  }
  const read = isRecord(value) ? value : {};
  const [type, members] = Object.entries(MEMBERS).find(([each]) => each === read.type) ?? [];
  const checks = Object.entries<Check<unknown>>(members ?? {});
  if (type === undefined || !checks.every(([name, is]) => is(read[name]))) {
    throw new TranscriptInvalid(`Line ${lineNumber} of the transcript is not an entry.`);
  }
  const known = checks.map(([name]) => [name, read[name]]);
  // The checks of its members make it an entry.
  return { type, ...Object.fromEntries(known) } as TranscriptEntry;
}
