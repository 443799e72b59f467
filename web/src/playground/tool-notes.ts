/** Facts about the tools that their definitions do not state. */

/** The published designs that the tools implement. */
export type ToolFamily = "codex" | "envelope" | "Forge";

export interface ToolNote {
  readonly name: string;
  readonly family: ToolFamily;
  /** One line for the tool picker. */
  readonly summary: string;
  /** The argument that takes a path from the tree. */
  readonly pathArgument: string;
  /** The spelling of a path in that argument. */
  readonly pathStyle: "absolute" | "relative";
  readonly takes: "directory" | "file";
  /** Arguments that a first call needs beside the path. */
  readonly example?: Readonly<Record<string, string>>;
  /** For a tool that searches: the tool of its family, or else of another, that reads a match. */
  readonly reader?: "read_file" | "Read";
  /** For a tool that reads: the argument that takes the number of the first line. */
  readonly lineArgument?: string;
}

export const TOOL_NOTES: readonly ToolNote[] = [
  {
    name: "list_dir",
    family: "codex",
    summary: "An indented listing, page by page",
    pathArgument: "dir_path",
    pathStyle: "absolute",
    takes: "directory",
  },
  {
    name: "read_file",
    family: "codex",
    summary: "Numbered lines, or the block around one",
    pathArgument: "file_path",
    pathStyle: "absolute",
    takes: "file",
    lineArgument: "offset",
  },
  {
    name: "grep_files",
    family: "codex",
    summary: "Files by a regular expression for their lines",
    pathArgument: "path",
    pathStyle: "absolute",
    takes: "directory",
    example: { pattern: "TODO" },
    reader: "read_file",
  },
  {
    name: "LS",
    family: "envelope",
    summary: "One directory in a JSON envelope",
    pathArgument: "path",
    pathStyle: "relative",
    takes: "directory",
  },
  {
    name: "Read",
    family: "envelope",
    summary: "Numbered lines in a JSON envelope",
    pathArgument: "path",
    pathStyle: "relative",
    takes: "file",
    lineArgument: "start_line",
  },
  {
    name: "Glob",
    family: "envelope",
    summary: "Files by a pattern for their path",
    pathArgument: "path",
    pathStyle: "relative",
    takes: "directory",
    example: { pattern: "**/*.md" },
    reader: "Read",
  },
  {
    name: "Grep",
    family: "envelope",
    summary: "Lines by a regular expression",
    pathArgument: "path",
    pathStyle: "relative",
    takes: "directory",
    example: { pattern: "TODO" },
    reader: "Read",
  },
  {
    name: "list_directory",
    family: "Forge",
    summary: "Canonical JSON within a byte budget",
    pathArgument: "path",
    pathStyle: "relative",
    takes: "directory",
  },
  {
    name: "Search",
    family: "Forge",
    summary: "Matching lines with their columns as JSON",
    pathArgument: "path",
    pathStyle: "relative",
    takes: "directory",
    example: { pattern: "TODO" },
    reader: "read_file",
  },
];

/** The mount path of the visitor's tree. */
export const MOUNT_PATH = "/repo";

export function findNote(toolName: string): ToolNote | undefined {
  return TOOL_NOTES.find((note) => note.name === toolName);
}

/** Returns a path as a tool spells it; `path` is relative to the mount, and "" is the mount. */
export function spellPath(note: ToolNote, path: string): string {
  if (note.pathStyle === "relative") {
    return path === "" ? "." : path;
  }
  return virtualPath(path);
}

/** Returns the virtual path of a path below the mount. */
export function virtualPath(path: string): string {
  return path === "" ? MOUNT_PATH : `${MOUNT_PATH}/${path}`;
}
