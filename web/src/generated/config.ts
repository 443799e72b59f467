/**
 * The configuration as an object: the tables of the TOML document, with the same keys.
 *
 * Written by `python build.py types`; do not edit.
 */

/** `[tools.approval]`: which calls run, for every tool. */
export interface ApprovalTable {
  /** True if any call runs at all. @default true */
  readonly enabled?: boolean;
  /** `auto` runs every tool that is not denied, `prompt` asks a person if a tool or a side effect demands it, `deny` runs only the tools of the allowlist. @default "prompt" */
  readonly mode?: "auto" | "prompt" | "deny";
  /** @default [] */
  readonly allowlist?: readonly string[];
  /** @default ["run_command"] */
  readonly denylist?: readonly string[];
  /** True if `prompt` asks for tools with side effects that are not on the allowlist. @default true */
  readonly prompt_side_effects?: boolean;
}

/** `[tools.edit]`: which paths the tools that change may change. */
export interface EditTable {
  /** Globs over the path below its mount point; what none of them matches is refused. @default ["**"] */
  readonly allow?: readonly string[];
  /** Globs over the same path; what one of them matches, whatever the case, is refused. @default ["** /.git", "** /.git/**"] */
  readonly deny?: readonly string[];
  /** True if a file that was read, and that `Write`, `Edit` or `MultiEdit` changes, counts as read again. Otherwise the next change of it is a conflict until it is read. @default true */
  readonly refresh_reads?: boolean;
}

/** `[tools.forge_read]`: bounds of Forge's `Read`. */
export interface ForgeReadTable {
  /** Largest file that is read without a range. @default 204800 */
  readonly max_file_read_bytes?: number;
  /** Most bytes from the start of a file to the end of a range. @default 2097152 */
  readonly max_scan_bytes?: number;
  /** True if escape sequences, invisible characters and what looks like a key are taken out. @default true */
  readonly sanitize?: boolean;
}

/** `[tools.glob]`: when a search by `Glob` ends early. */
export interface GlobTable {
  /** Directories and files that one call looks at. @default 20000 */
  readonly max_visited_entries?: number;
  /** The time limit of one call's search, below the limit of the call. @default 30 */
  readonly max_seconds?: number;
}

/** `[tools.list_dir]`. */
export interface ListDirTable {
  /** The order of sorting and paging: the tool has had two. @default "sorted-then-paged" */
  readonly revision?: "sorted-then-paged" | "paged-then-sorted";
}

/** `[tools.list_directory]`. */
export interface ListDirectoryTable {
  /** @default 200 */
  readonly max_entries?: number;
  /** @default 4 */
  readonly max_depth?: number;
  /** @default false */
  readonly include_hidden_default?: boolean;
  /** @default true */
  readonly include_symlinks_default?: boolean;
  /** @default true */
  readonly include_files_default?: boolean;
  /** @default true */
  readonly include_dirs_default?: boolean;
  /** @default false */
  readonly include_other_default?: boolean;
}

/** `[tools.output]`: how answers are bounded and spelled, for every tool. */
export interface OutputTable {
  /** Most UTF-8 bytes of one answer, unless the call says otherwise. @default 102400 */
  readonly max_bytes?: number;
  /** True if hostile characters of file names are spelled out in text. @default true */
  readonly escape_names?: boolean;
}

/** `[tools.read_file]`: defaults of indentation mode. */
export interface ReadFileTable {
  /** @default 4 */
  readonly max_levels_default?: number;
  /** @default false */
  readonly include_header_default?: boolean;
}

/** `[tools.sandbox]`: what `list_directory`, `Search` and Forge's `Read` and `Glob` may see. */
export interface SandboxTable {
  /** Directories, relative to the project root unless they are absolute. @default ["."] */
  readonly allowed_roots?: readonly string[];
  /** Globs over canonical absolute paths; a path that matches is refused. @default [] */
  readonly denied_patterns?: readonly string[];
  /** True if a call may name an absolute path. @default false */
  readonly allow_absolute?: boolean;
  /** True if the built-in patterns for keys and credentials are added. @default true */
  readonly include_default_denies?: boolean;
}

/** `[tools.search]`: bounds of `Search`. */
export interface SearchTable {
  /** The time limit of one call's search, if the call names none. @default 20000 */
  readonly default_timeout_ms?: number;
  /** Matches and context lines of one answer, if the call says nothing. @default 200 */
  readonly default_max_results?: number;
  /** Lines that match, of one file; a call may ask for less. @default 50 */
  readonly max_matches_per_file?: number;
  /** Files that one call searches; a call may ask for less. @default 10000 */
  readonly max_files?: number;
  /** Largest file that is searched; a call may ask for less. @default 2000000 */
  readonly max_file_size_bytes?: number;
  /** True if what looks like a key is masked. @default true */
  readonly mask_keys?: boolean;
}

/** `[tools.timeouts]`, in seconds. */
export interface TimeoutsTable {
  /** @default 30 */
  readonly default_seconds?: number;
  /** @default 30 */
  readonly file_operations_seconds?: number;
  /** @default 300 */
  readonly shell_commands_seconds?: number;
}

/** `[tools]`. */
export interface ToolsTable {
  /** `parse_only` validates arguments and runs nothing, `disabled` refuses every call. @default "enabled" */
  readonly mode?: "enabled" | "parse_only" | "disabled";
  /** The family whose tools are offered: the default of the two lists below. */
  readonly family?: "codex" | "envelope" | "forge" | "all";
  /** Names of the codex tools to offer. Other names are allowed and ignored, since model catalogues list tools of other programs too. A name is refused if it lacks a letter of one of these, has one more, or has letters swapped. @default ["list_dir", "read_file", "grep_files"] */
  readonly experimental_supported_tools?: readonly string[];
  /** Names of the other tools to offer. @default ["LS", "Read", "Glob", "Grep", "list_directory", "Search"] */
  readonly offered?: readonly string[];
  /** The names that callers know tools by, where they are not the tools' own. @default {} */
  readonly names?: {
    readonly [key: string]: string;
  };
  /** Most bytes of a call's arguments as JSON. @default 262144 */
  readonly max_tool_args_bytes?: number;
  readonly sandbox?: SandboxTable;
  readonly approval?: ApprovalTable;
  readonly timeouts?: TimeoutsTable;
  readonly output?: OutputTable;
  readonly list_directory?: ListDirectoryTable;
  readonly list_dir?: ListDirTable;
  readonly read_file?: ReadFileTable;
  readonly glob?: GlobTable;
  readonly forge_read?: ForgeReadTable;
  readonly search?: SearchTable;
  readonly edit?: EditTable;
}

/** The whole configuration; everything has a default. */
export interface ConfigDocument {
  readonly tools?: ToolsTable;
}

/** `[tools.timeouts]` of a configuration that sets none. */
export const DEFAULT_TIMEOUTS: Required<TimeoutsTable> = {
  default_seconds: 30.0,
  file_operations_seconds: 30.0,
  shell_commands_seconds: 300.0,
};
/** Whose tools are offered; `all` is every family's. */
export type ToolFamily = NonNullable<ToolsTable["family"]>;
