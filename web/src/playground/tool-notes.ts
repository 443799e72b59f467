/** Facts about the tools that their definitions do not state. */

export interface ToolNote {
  readonly name: string;
  /** One line for the tool picker. */
  readonly summary: string;
  /** The argument that takes a path from the tree. */
  readonly pathArgument: string;
  /** How that argument spells a path in the mounted tree. */
  readonly pathStyle: "absolute" | "relative";
  readonly takes: "directory" | "file";
  /** Arguments that a first call needs beside the path. */
  readonly example?: Readonly<Record<string, string>>;
}

export const TOOL_NOTES: readonly ToolNote[] = [
  {
    name: "list_dir",
    summary: "An indented listing, page by page",
    pathArgument: "dir_path",
    pathStyle: "absolute",
    takes: "directory",
  },
  {
    name: "read_file",
    summary: "Numbered lines, or the block around one",
    pathArgument: "file_path",
    pathStyle: "absolute",
    takes: "file",
  },
  {
    name: "LS",
    summary: "One directory in a JSON envelope",
    pathArgument: "path",
    pathStyle: "relative",
    takes: "directory",
  },
  {
    name: "Read",
    summary: "Numbered lines in a JSON envelope",
    pathArgument: "path",
    pathStyle: "relative",
    takes: "file",
  },
  {
    name: "Glob",
    summary: "Files by a pattern for their path",
    pathArgument: "path",
    pathStyle: "relative",
    takes: "directory",
    example: { pattern: "**/*.md" },
  },
  {
    name: "Grep",
    summary: "Lines by a regular expression",
    pathArgument: "path",
    pathStyle: "relative",
    takes: "directory",
    example: { pattern: "TODO" },
  },
  {
    name: "list_directory",
    summary: "Canonical JSON within a byte budget",
    pathArgument: "path",
    pathStyle: "relative",
    takes: "directory",
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
  return path === "" ? MOUNT_PATH : `${MOUNT_PATH}/${path}`;
}
