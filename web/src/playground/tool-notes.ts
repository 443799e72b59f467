/** Facts about the tools that their definitions do not state. */

/** The published designs that the tools implement. */
export const FAMILIES = ["codex", "envelope", "Forge"] as const;

export type ToolFamily = (typeof FAMILIES)[number];

/** Whose design a family is, and what it answers. */
export const DESIGNS: Readonly<Record<ToolFamily, string>> = {
  codex: "the design of OpenAI's Codex, with plain text and few tokens",
  envelope: "the design of MyCodeAgent, with JSON for a program and text for a model",
  Forge: "the design of Forge by Daniel Cazares, with JSON, sizes and columns",
};

interface ToolNote {
  readonly name: string;
  readonly family: ToolFamily;
  /** The kind of its question: a call of another tool of the kind asks alike. */
  readonly kind: "list" | "read" | "search" | "find";
  /** One line for the tool picker. */
  readonly summary: string;
  /** The argument that takes a path from the tree. */
  readonly pathArgument: string;
  readonly takes: "directory" | "file";
  /** Arguments that a first call needs beside the path. */
  readonly example?: Readonly<Record<string, string>>;
}

const LISTS = { kind: "list", takes: "directory", pathArgument: "path" } as const;
const READS = { kind: "read", takes: "file", pathArgument: "path" } as const;
const SEARCHES = { ...LISTS, kind: "search", example: { pattern: "TODO" } } as const;

const [codex, envelope, forge] = [notesOf("codex"), notesOf("envelope"), notesOf("Forge")];

export const TOOL_NOTES: readonly ToolNote[] = [
  codex("list_dir", "An indented listing, page by page", { ...LISTS, pathArgument: "dir_path" }),
  codex("read_file", "Numbered lines, or the block around one", {
    ...READS,
    pathArgument: "file_path",
  }),
  codex("grep_files", "Files by a regular expression for their lines", SEARCHES),
  envelope("LS", "One directory in a JSON envelope", LISTS),
  envelope("Read", "Numbered lines in a JSON envelope", READS),
  envelope("Glob", "Files by a pattern for their path", {
    ...LISTS,
    kind: "find",
    example: { pattern: "**/*.md" },
  }),
  envelope("Grep", "Lines by a regular expression", SEARCHES),
  forge("list_directory", "Canonical JSON within a byte budget", LISTS),
  forge("Search", "Matching lines with their columns as JSON", SEARCHES),
];

function notesOf(family: ToolFamily) {
  return (
    name: string,
    summary: string,
    call: Omit<ToolNote, "name" | "family" | "summary">,
  ): ToolNote => ({ name, family, summary, ...call });
}

export const MOUNT_PATH = "/repo";

export function findNote(toolName: string): ToolNote | undefined {
  return TOOL_NOTES.find((note) => note.name === toolName);
}

/** Tells whether a tool takes a regular expression for lines as its `pattern`. */
export function searchesLines(toolName: string): boolean {
  return findNote(toolName)?.kind === "search";
}

/** Returns a path as a tool spells it; `path` is relative to the mount, and "" is the mount. */
export function spellPath({ family }: Pick<ToolNote, "family">, path: string): string {
  return family === "codex" ? virtualPath(path) : path || ".";
}

/** Returns the virtual path of a path below the mount. */
export function virtualPath(path: string): string {
  return path === "" ? MOUNT_PATH : `${MOUNT_PATH}/${path}`;
}
