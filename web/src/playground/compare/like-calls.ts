/** The like call of every family: the same question, as its tools take it. */

import { type TreeglassClient, TreeglassError } from "../../index.ts";
import { type JsonValue, parseJsonObject, renderJson } from "../../ui/json.ts";
import type { CallText } from "../../ui/literals.ts";
import { pathBelow } from "../../ui/path-below.ts";
import { type FileChange, familyOf, isChanging, writeChange } from "../model-tools.ts";
import type { CallItem } from "../state/timeline.ts";
import { callOf } from "../timeline/call-words.ts";
import { FAMILIES, MOUNT_PATH, spellPath, type ToolFamily } from "../tool-notes.ts";

/** A call, and the family of its tool; null for a tool that only a configuration offers. */
export interface FamilyCall {
  readonly family: ToolFamily | null;
  readonly call: CallText;
}

/** Arguments, or a question in the words of no family; what is undefined is not sent. */
type Values = Readonly<Record<string, JsonValue | undefined>>;

interface LikeTool {
  /** Returns what arguments ask. */
  readonly read: (args: Values) => Values;
  readonly write: (question: Values) => Values;
}

/** The tools that answer the like question, by name; one of each family. */
const LIKE_TOOLS: readonly Readonly<Record<string, LikeTool>>[] = [
  {
    list_dir: {
      read: ({ dir_path: path, depth = 2 }) => ({ path, depth, include_hidden: true }),
      write: ({ path, depth = 1 }) => ({ dir_path: path, depth }),
    },
    LS: naming({ path: "path", include_hidden: "include_hidden" }),
    list_directory: {
      read: ({ path, recursive, max_depth = 4, include_hidden }) => ({
        path,
        depth: recursive === true ? max_depth : 1,
        include_hidden,
      }),
      write: ({ path, depth = 1, include_hidden }) => ({
        path,
        include_hidden,
        ...(depth === 1 ? {} : { recursive: true, max_depth: Math.min(Number(depth), 4) }),
      }),
    },
  },
  {
    read_file: naming({ path: "file_path", first: "offset", count: "limit" }),
    Read: naming({ path: "path", first: "start_line", count: "limit" }),
    forge_read: {
      read: ({ path, start_line: first, end_line: last }) => ({
        path,
        first,
        count: last === undefined ? undefined : Number(last) - Number(first ?? 1) + 1,
      }),
      write: ({ path, first, count }) => ({
        path,
        start_line: first,
        end_line: count === undefined ? undefined : Number(first ?? 1) + Number(count) - 1,
      }),
    },
  },
  {
    grep_files: {
      read: ({ pattern, path, include }) => ({ pattern, path, include, isExact: true }),
      write: ({ pattern, path, include, isExact }) => ({
        pattern: isExact === true ? pattern : `(?i)${pattern}`,
        path,
        include,
      }),
    },
    Grep: naming({
      pattern: "pattern",
      path: "path",
      include: "include",
      isExact: "case_sensitive",
    }),
    Search: {
      read: ({ pattern, path, include_glob: globs, case: letters = "smart" }) => ({
        pattern,
        path,
        include: Array.isArray(globs) ? globs[0] : undefined,
        isExact: letters === "sensitive" || (letters === "smart" && /[A-Z]/.test(String(pattern))),
      }),
      write: ({ pattern, path, include, isExact }) => ({
        pattern,
        path,
        include_glob: include === undefined ? undefined : [include],
        case: isExact === true ? "sensitive" : "insensitive",
      }),
    },
  },
];

/** Makes a tool whose arguments are the question, by names of its own. */
function naming(names: Readonly<Record<string, string>>): LikeTool {
  const pairs = Object.entries(names);
  return {
    read: (args) => Object.fromEntries(pairs.map(([word, name]) => [word, args[name]])),
    write: (question) => Object.fromEntries(pairs.map(([word, name]) => [name, question[word]])),
  };
}

/** Returns the family of a call on the timeline; of two tools with one name, the answer tells. */
export function familyOfItem({ toolName, standing: { value } }: CallItem): ToolFamily | null {
  const isText = value.kind === "answered" && value.result.structuredContent === null;
  const isShared = toolName === "Edit" || toolName === "Write";
  return isShared && isText ? "Forge" : (familyOf(toolName) ?? null);
}

/** Returns the number of the step by which a call changed files; null for every other call. */
export function changedVersion({ toolName, standing: { value } }: CallItem): number | null {
  const result = value.kind === "answered" && isChanging(toolName) ? value.result : undefined;
  return result?.isError === false ? (result.version ?? null) : null;
}

/** Tells whether every family can ask what a call asks. */
export function hasLikeCalls(item: CallItem): boolean {
  return changedVersion(item) !== null || askOthers(item).length > 0;
}

/** Returns the call itself and the like calls of the other families; `change` is what it did. */
export function likeCalls(item: CallItem, change: FileChange | null): readonly FamilyCall[] {
  const own = { family: familyOfItem(item), call: callOf(item) };
  const calls = change === null ? askOthers(item) : changeAlike(change);
  return calls.map((like) => (like.family === own.family ? own : like));
}

/** Returns the question of a call as each family asks it; none for a call without like calls. */
function askOthers({ toolName, argumentsText, maxOutputBytes }: CallText): readonly FamilyCall[] {
  const tools = LIKE_TOOLS.find((each) => Object.hasOwn(each, toolName)) ?? {};
  const args = parseJsonObject(argumentsText);
  // The other families read no block of a language.
  const isAlike = args !== null && args.mode !== "indentation";
  const question = isAlike ? tools[toolName]?.read(args) : undefined;
  const { path: spelled = "." } = question ?? {};
  const path = typeof spelled === "string" && question ? pathBelow(MOUNT_PATH, spelled) : null;
  return path === null
    ? []
    : Object.entries(tools).map(([name, { write }]) => {
        const family = familyOf(name) ?? "codex";
        const like = write({ ...question, path: spellPath({ family }, path) });
        const call = { toolName: name, argumentsText: renderJson(like), maxOutputBytes };
        return { family, call };
      });
}

function changeAlike(change: FileChange): readonly FamilyCall[] {
  return FAMILIES.map((family) => {
    const [toolName, args] = writeChange(family, change);
    return { family, call: { toolName, argumentsText: renderJson(args), maxOutputBytes: null } };
  });
}

/**
 * Takes back a step and those after it, and returns its change as a tool can make it.
 *
 * @throws a sentence about a step that one call of some family cannot make.
 */
export async function takeBack(client: TreeglassClient, version: number): Promise<FileChange> {
  const { steps } = await client.changes();
  const [path = "", ...others] = steps.find(({ number }) => number === version)?.paths ?? [];
  const between = { from: version - 1, to: version };
  const diff = others.length === 0 ? await client.diff(path, between) : null;
  const hunks = diff?.hunks.map(({ lines }) => lines.filter(([sign]) => sign !== "\\")) ?? [];
  if (diff === null || hunks.length === 0 || !/^(?:create|modify)$/.test(diff.operation)) {
    throw new TreeglassError("BadRequest", NOT_ALIKE);
  }
  let undone = await client.undo();
  while (undone.step !== null && undone.step.of !== version) {
    undone = await client.undo();
  }
  const isNew = diff.operation === "create";
  const { bytes } = isNew ? { bytes: new Uint8Array() } : await client.readFile(path);
  const text = new TextDecoder().decode(bytes);
  return {
    path: path.slice(MOUNT_PATH.length + 1),
    hunks: isNew ? hunks : hunks.map((lines) => withLeastContext(lines, text)),
    isNew,
  };
}

const NOT_ALIKE =
  "Only a change of the lines of one file can be asked of every family; this one is another change.";

/** Returns the lines of a hunk with as few around them as name one place in the file. */
function withLeastContext(lines: FileChange["hunks"][number], text: string) {
  const changed = lines.flatMap(([sign], index) => (sign === " " ? [] : [index]));
  const [first = 0, last = first] = [changed[0], changed.at(-1)];
  const cuts = lines.map((_, around) =>
    lines.slice(Math.max(0, first - around), last + 1 + around),
  );
  const isOnePlace = (cut: typeof lines) => {
    const before = cut.filter(([sign]) => sign !== "+").map(([, line]) => line);
    return before.length > 0 && text.split(before.join("\n")).length === 2;
  };
  return cuts.find(isOnePlace) ?? lines;
}

/** Returns the reading that a change requires; null for every other call. */
export function readingBefore({ family, call }: FamilyCall): CallText | null {
  const { path, patch } = parseJsonObject(call.argumentsText) ?? {};
  const ofPatch = /^[RIPE]\b/m.test(String(patch)) ? /^F "?(.+?)"?$/m.exec(String(patch)) : null;
  const read = patch === undefined ? path : ofPatch?.[1];
  const needsReading = call.toolName === "Edit" || call.toolName === "MultiEdit";
  return needsReading && read !== undefined
    ? {
        toolName: family === "Forge" ? "forge_read" : "Read",
        argumentsText: renderJson({ path: read }),
        maxOutputBytes: null,
      }
    : null;
}
