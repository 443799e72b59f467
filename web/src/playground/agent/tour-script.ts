/**
 * The script of the guided tour: which calls it makes, and what it says about the answers.
 *
 * A generator, so that the script reads from start to end: it yields turns and receives the
 * outcomes of their calls.
 */

import type { ToolOutcome } from "../../adapters/toolset-types.ts";
import { formatCount, formatCounted } from "../../page-parts/format-quantities.ts";
import { type ListedEntries, readEntries } from "../compare/listed-entries.ts";
import { MOUNT_PATH } from "../tool-notes.ts";
import type { ModelTurn, RequestedCall } from "./agent-model.ts";
import {
  chooseDirectory,
  chooseIntroduction,
  chooseSource,
  enumerate,
  type FoundEntry,
  findEntries,
  quote,
  quoteLine,
  weigh,
} from "./tour-findings.ts";

/** The whole tour. Each of its steps returns a text that begins the next turn. */
export type Tour = Generator<ModelTurn, ModelTurn, readonly ToolOutcome[]>;
type Step<Found> = Generator<ModelTurn, Found, readonly ToolOutcome[]>;

/** Short pages, so that most trees have a second one. */
const FIRST_ENTRIES = 20;
const FIRST_LINES = 12;
const NEXT_LINES = 8;
const SEARCHED_ENTRIES = 60;
const DEFINITION_PATTERN =
  "^(export |pub |public |async )*(def|class|function|fn|func|struct|interface|trait|module) ";

const INTRODUCTION =
  "I am a script, not a model: simple rules choose my calls, but the calls and the answers are real. " +
  "I begin as an agent would, with a listing of the tree, two levels deep.";

/** Walks through the mounted tree. */
export function* walkTree(): Tour {
  const listed = yield* lookAround();
  if (listed.isError) {
    return end(
      `${listed.said}There is no tree to walk through. Mount one, then start the tour again.`,
    );
  }
  const compared = yield* compareListings(listed.said, listed.pages);
  const introduction = chooseIntroduction(compared.entries);
  const read = yield* readIntroduction(compared.said, introduction);
  const searched = yield* readSource(read, compared.entries, introduction);
  const recovered = yield* makeMistake(searched.said, searched.path ?? introduction);
  return end(`${recovered} ${conclude(searched.path ?? introduction)}`);
}

interface Listed {
  readonly isError: boolean;
  /** The listed pages of the tree. */
  readonly pages: readonly ToolOutcome[];
  readonly said: string;
}

function* lookAround(): Step<Listed> {
  const first = yield* callOne(INTRODUCTION, "list_dir", {
    dir_path: MOUNT_PATH,
    depth: 2,
    limit: FIRST_ENTRIES,
  });
  if (first.isError) {
    return { isError: true, pages: [], said: `The tool says ${quote(first.text)}. ` };
  }
  const count = readListing([first]).size;
  const next = first.result?.nextArguments;
  if (!next) {
    return {
      isError: false,
      pages: [first],
      said: `The listing is whole: ${formatCounted(count, "entry", "entries")} in ${weigh(first)}. `,
    };
  }
  const second = yield* callOne(
    `${formatCounted(count, "entry", "entries")} and more to come. The answer includes the arguments for the next page, so I need no arithmetic.`,
    "list_dir",
    next,
  );
  const added = readListing([first, second]).size - count;
  const goesOn = second.result?.nextArguments ? ", and it goes on from there" : ", and that is all";
  return {
    isError: false,
    pages: [first, second],
    said: `The second page adds ${formatCounted(added, "entry", "entries")}${goesOn}. `,
  };
}

/** `known` are the paths in other tools' data: a text alone does not tell a link `a` from a file `a@`. */
function readListing(pages: readonly ToolOutcome[], known?: ReadonlySet<string>): ListedEntries {
  const answers = pages.flatMap(({ result }) => result ?? []);
  return readEntries("list_dir", answers, known);
}

interface Compared {
  readonly entries: readonly FoundEntry[];
  readonly said: string;
}

function* compareListings(said: string, listed: readonly ToolOutcome[]): Step<Compared> {
  const [envelope, canonical] = yield {
    text: `${said}The same directory by two other tools, both at once: LS answers in an envelope, list_directory in canonical JSON.`,
    calls: [call("LS", { path: "." }), call("list_directory", { path: "." })],
  };
  const inEnvelope = envelope === undefined ? null : findEntries(envelope);
  const inCanonical = canonical === undefined ? null : findEntries(canonical);
  if (!envelope || !canonical || inEnvelope === null || inCanonical === null) {
    const failed = inEnvelope === null ? envelope : canonical;
    return {
      entries: inEnvelope ?? inCanonical ?? [],
      said: `One of them refused: ${quote(failed?.text ?? "")}. `,
    };
  }
  const sentences = [
    `LS shows ${formatCounted(inEnvelope.length, "entry", "entries")} in ${weigh(envelope)}; list_directory shows ${formatCount(inCanonical.length)} in ${weigh(canonical)}.`,
    ...wordOnly("LS", inEnvelope, inCanonical),
    ...wordOnly("list_directory", inCanonical, inEnvelope),
    ...wordNeither(listed, [...inEnvelope, ...inCanonical]),
  ];
  return { entries: inCanonical, said: `${sentences.join(" ")} ` };
}

function wordOnly(
  toolName: string,
  shown: readonly FoundEntry[],
  others: readonly FoundEntry[],
): readonly string[] {
  const known = new Set(others.map(({ path }) => path));
  const names = shown.map(({ path }) => path).filter((path) => !known.has(path));
  return names.length === 0 ? [] : [`Only ${toolName} shows ${enumerate(names)}.`];
}

function wordNeither(
  listed: readonly ToolOutcome[],
  others: readonly FoundEntry[],
): readonly string[] {
  const known = new Set(others.map(({ path }) => path));
  const paths = [...readListing(listed, known).keys()];
  const names = paths.filter((path) => !path.includes("/") && !known.has(path));
  return names.length === 0 ? [] : [`Neither shows ${enumerate(names)}, which list_dir does.`];
}

function* readIntroduction(said: string, path: string | null): Step<string> {
  if (path === null) {
    return `${said}No file at the top introduces the tree. `;
  }
  return yield* readPages(`${said}${quote(path)} looks like the place to begin.`, path);
}

/** Reads a file's first lines, then the next ones if the answer names a next call. */
function* readPages(said: string, path: string): Step<string> {
  const first = yield* callOne(said, "read_file", {
    file_path: `${MOUNT_PATH}/${path}`,
    limit: FIRST_LINES,
  });
  if (first.isError) {
    return `That file cannot be read: ${quote(first.text)}. `;
  }
  const line = quoteLine(first);
  const found = line === null ? "Nothing in it is worth a quotation. " : `I find ${line}. `;
  const next = first.result?.nextArguments;
  if (!next) {
    return `${found}That is the whole file. `;
  }
  const second = yield* callOne(
    `${found}The file goes on, and so do I, from line ${String(next.offset)}.`,
    "read_file",
    { ...next, limit: NEXT_LINES },
  );
  const further = quoteLine(second);
  return further === null || second.isError ? "" : `A little further it says ${further}. `;
}

function* readSource(
  said: string,
  top: readonly FoundEntry[],
  introduction: string | null,
): Step<{ readonly said: string; readonly path: string | null }> {
  const directory = chooseDirectory(top) ?? ".";
  const found = yield* callOne(
    `${said}Now for the code: one recursive list_directory of ${quote(directory)}, files only.`,
    "list_directory",
    { path: directory, recursive: true, include_dirs: false, max_entries: SEARCHED_ENTRIES },
  );
  const below = findEntries(found);
  if (below === null) {
    return { said: `That was refused: ${quote(found.text)}. `, path: null };
  }
  const prefix = directory === "." ? "" : `${directory}/`;
  const entries = below.map((entry) => ({ ...entry, path: prefix + entry.path }));
  const cut = found.result?.truncated ? ", and leaves out more" : "";
  const files = `It names ${formatCounted(entries.length, "file")}${cut}. `;
  const sources = [...entries, ...top];
  if (chooseSource(sources, introduction) === null) {
    const other = introduction === null ? chooseIntroduction(entries) : null;
    return { said: `${files}I recognize no source code. `, path: other };
  }
  const searched = yield* searchDefinitions(files, directory, sources);
  const path = chooseSource(searched.entries, introduction) ?? chooseSource(sources, introduction);
  const choice = `${searched.said}${quote(path ?? "")} is the most promising.`;
  const read = yield* readPages(choice, path ?? "");
  return { said: read, path };
}

/** Searches for the files of a directory that define something, before any is read. */
function* searchDefinitions(
  said: string,
  directory: string,
  sources: readonly FoundEntry[],
): Step<{ readonly said: string; readonly entries: readonly FoundEntry[] }> {
  const found = yield* callOne(
    `${said}Before I read any, I search: which of them define a function or a class?`,
    "grep_files",
    {
      pattern: DEFINITION_PATTERN,
      path: directory === "." ? MOUNT_PATH : `${MOUNT_PATH}/${directory}`,
    },
  );
  if (found.isError) {
    return { said: `The search was refused: ${quote(found.text)}. `, entries: [] };
  }
  const named = new Set(found.text.split("\n"));
  const entries = sources.filter(({ path }) => named.has(`${MOUNT_PATH}/${path}`));
  const count = formatCounted(entries.length, "file");
  return { said: `grep_files names ${count} in ${weigh(found)}. `, entries };
}

/** Asks for a file that does not exist, as models do, and recovers. */
function* makeMistake(said: string, path: string | null): Step<string> {
  const [directory, name] = splitPath(path ?? "README.md");
  // Based on a real name, so that it exists only in a tree made for this tour.
  const wrong = `${MOUNT_PATH}/${directory}not-${name}`;
  const refused = yield* callOne(
    `${said}Models misremember names, so I do it too: this file does not exist.`,
    "read_file",
    { file_path: wrong },
  );
  if (!refused.isError) {
    return "To my surprise the file exists: this tree was made for me.";
  }
  const parent = directory === "" ? "." : directory.replace(/\/$/, "");
  const listing = yield* callOne(
    `The answer is data, not an exception: ${quote(refused.text)}. I recover as a model should, by looking at the directory.`,
    "list_directory",
    { path: parent },
  );
  const entries = findEntries(listing) ?? [];
  const isFound = path !== null && entries.some((entry) => entry.path === name);
  return isFound
    ? `There it is under its right name, ${quote(name)}.`
    : `It lists ${formatCounted(entries.length, "entry", "entries")}, but not the one I asked for.`;
}

function splitPath(path: string): [directory: string, name: string] {
  const end = path.lastIndexOf("/") + 1;
  return [path.slice(0, end), path.slice(end)];
}

function conclude(path: string | null): string {
  return path === null
    ? "The tour ends here. Mount a tree with files to see more, or choose a model and ask it something."
    : `The tour ends here. Choose a model and ask it what ${quote(path)} is for; it has the same tools.`;
}

function* callOne(
  text: string,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Step<ToolOutcome> {
  const [outcome] = yield { text, calls: [call(name, args)] };
  return outcome ?? { text: "no answer", isError: true, result: null };
}

function call(name: string, args: Readonly<Record<string, unknown>>): RequestedCall {
  return { callId: null, name, arguments: args };
}

function end(text: string): ModelTurn {
  return { text, calls: [] };
}
