/** The scripted models: each is a pure function from the conversation to the next turn. */
import { isRecord } from "../../src/lib/checks.ts";
import type { AskedCall, Conversation, OfferedTool, Turn } from "./conversation.ts";

export type Script = (conversation: Conversation) => Turn;

type Arguments = Readonly<Record<string, unknown>>;

/** The models that answer in turns. */
export const SCRIPTS: Readonly<Record<string, Script>> = {
  /**
   * Lists the directory that the question names, page by page, reads a file that is missing and one
   * that is there, and quotes the first line of that.
   */
  explorer,
  /** Breaks off in the middle of its arguments; after the error, makes a correct call. */
  "malformed-arguments": inTurn(
    (conversation) => [{ ...list(conversation), argumentsText: '{"dir_path": "/re' }],
    (conversation) => [list(conversation)],
  ),
  /** Calls a tool that was not offered. */
  "unknown-tool": inTurn((conversation) => [
    { ...list(conversation), name: "delete_everything", argumentsText: "{}" },
  ]),
  /** Sends a number for a path, and a word for a number. */
  "wrong-types": inTurn((conversation) => [list(conversation, { dir_path: 7, depth: "two" })]),
  /** Gives two calls the same id. */
  "duplicate-ids": inTurn((conversation) => [
    { ...list(conversation, { depth: 1 }), id: "call_same" },
    { ...read(conversation, "README.md", 1), id: "call_same" },
  ]),
  /** Reads `part-0.txt` to `part-9.txt` at once. */
  "ten-in-parallel": inTurn((conversation) =>
    Array.from({ length: 10 }, (_, index) => read(conversation, `part-${index}.txt`, index)),
  ),
  /** Changes README.md and adds a file by one patch; after that, repeats what a person decided. */
  editor,
  /** Makes no call. */
  "answers-at-once": () => says("There is nothing to look up."),
  /** Makes no call, and answers in Markdown that names a line of a file and has code. */
  "answers-in-markdown": () => says(MARKDOWN),
};

/** Plays turns of calls one after the other, and then quotes the last answer. */
function inTurn(...turns: readonly ((conversation: Conversation) => AskedCall[])[]): Script {
  return (conversation) => {
    const calls = turns[conversation.rounds.length]?.(conversation);
    return calls === undefined
      ? says(`I was told: ${firstLine(lastAnswer(conversation))}`)
      : { text: "", calls };
  };
}

function explorer(conversation: Conversation): Turn {
  const answer = lastAnswer(conversation);
  const asked = conversation.rounds.at(-1)?.calls[0];
  const args = asked === undefined ? {} : JSON.parse(asked.argumentsText);
  if (conversation.tools.length === 0) {
    return says("I was given no tools.");
  }
  if (asked === undefined) {
    const first = list(conversation, { limit: 3, depth: 1 });
    return { text: "I will look around.", calls: [first] };
  }
  const isListing = asked.name === listingTool(conversation).name;
  const guided = /\n\[More: call (\S+) with (\{.*\})(?:; .*)?\]$/.exec(answer);
  if (isListing && guided?.[1] !== undefined && guided[2] !== undefined) {
    const next = { id: nextId(conversation), name: guided[1] };
    return { text: "", calls: [{ ...next, argumentsText: guided[2] }] };
  }
  const more = /^More than (\d+) entries found$/m.exec(answer);
  if (isListing && more !== null) {
    const offset = Number(args.offset ?? 1) + Number(more[1]);
    return { text: "", calls: [list(conversation, { ...args, offset })] };
  }
  if (isListing) {
    return { text: "", calls: [read(conversation, "no-such-file.txt")] };
  }
  const isMissing = String(args.file_path).endsWith("/no-such-file.txt");
  const file = firstFile(conversation);
  if (isMissing && file !== null) {
    return { text: "", calls: [read(conversation, file)] };
  }
  return says(`${file ?? "The directory"} begins with: ${firstLine(answer).replace("L1: ", "")}`);
}

function editor(conversation: Conversation): Turn {
  const { question, rounds, tools } = conversation;
  if (rounds.length > 0) {
    const [note] = /^\S+: the person .*$/m.exec(question) ?? [];
    return says(note ?? "I propose two changes.");
  }
  const tool = tools.find(({ name }) => name === "apply_patch");
  return tool === undefined
    ? says("I may change nothing.")
    : { text: "", calls: [call(conversation, tool, { input: PATCH }, 0)] };
}

const PATCH = `*** Begin Patch
*** Update File: README.md
@@
-# Sample
+# A sample
*** Add File: docs/plan.md
+# Plan
*** End Patch`;

const MARKDOWN = `# Freshness

**One** module decides: \`src/larder/expiry.py:3\`.

\`\`\`Python
def is_expired(item: Item, today: date) -> bool:
    """Tell whether an item is no longer good."""
    return item.until is not None
\`\`\`

\`\`\`unheard-of
def plain
\`\`\`
`;

/** The first entry without a label in a listing, which is a file. */
function firstFile(conversation: Conversation): string | null {
  const listings = conversation.rounds
    .filter(({ calls }) => calls[0]?.name === listingTool(conversation).name)
    .flatMap(({ answers }) => answers.flatMap(({ text }) => text.split("\n").slice(1)));
  const isFile = (line: string) => !/[/@?]$|^More than |^\[|^\s|^$/.test(line);
  return listings.find(isFile) ?? null;
}

function list(conversation: Conversation, args: Arguments = {}): AskedCall {
  const tool = listingTool(conversation);
  const path = directoryOf(conversation);
  const key = hasProperty(tool, "dir_path") ? "dir_path" : "path";
  return call(conversation, tool, { [key]: path, ...args }, 0);
}

function read(conversation: Conversation, name: string, index = 0): AskedCall {
  const tool = conversation.tools.find((offered) => hasProperty(offered, "file_path"));
  const args = { file_path: `${directoryOf(conversation)}/${name}` };
  return call(conversation, tool ?? { name: "read_file", parameters: {} }, args, index);
}

function listingTool({ tools }: Conversation): OfferedTool {
  const byProperty = (key: string) => tools.find((offered) => hasProperty(offered, key));
  return byProperty("dir_path") ?? byProperty("path") ?? { name: "list_dir", parameters: {} };
}

/** The first absolute path that the question names. */
function directoryOf({ question }: Conversation): string {
  return /(?<=^|\s)\/[\w./-]*\w/.exec(question)?.[0] ?? "/repo";
}

/** Makes a call with null for each absent required property, as a strict model must. */
function call(
  conversation: Conversation,
  { name, parameters }: OfferedTool,
  args: Arguments,
  index: number,
): AskedCall {
  const required: readonly unknown[] = Array.isArray(parameters.required)
    ? parameters.required
    : [];
  const absent = required.filter((key) => typeof key === "string" && !Object.hasOwn(args, key));
  const nulls = Object.fromEntries(absent.map((key) => [key, null]));
  const argumentsText = JSON.stringify({ ...args, ...nulls });
  return { id: nextId(conversation, index), name, argumentsText };
}

function nextId({ rounds }: Conversation, index = 0): string {
  return `call_${rounds.length + 1}_${index + 1}`;
}

function hasProperty({ parameters }: OfferedTool, key: string): boolean {
  return isRecord(parameters.properties) && Object.hasOwn(parameters.properties, key);
}

function lastAnswer({ rounds }: Conversation): string {
  return rounds.at(-1)?.answers.at(-1)?.text ?? "";
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

function says(text: string): Turn {
  return { text, calls: [] };
}
