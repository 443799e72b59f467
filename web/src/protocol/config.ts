/**
 * The configuration as an object: the tables of the TOML document, with the same keys.
 *
 * Every key is optional; the wheel holds the defaults and refuses unknown keys by name.
 */
export interface ConfigDocument {
  readonly tools?: ToolsTable;
}

/** Whose tools are offered; `all` is every family's. */
export type ToolFamily = "codex" | "envelope" | "forge" | "all";

/** `[tools]` */
export interface ToolsTable {
  /** Whose tools are offered: the default of the next two keys. @default see `ConnectOptions` */
  readonly family?: ToolFamily;
  /** `parse_only` validates arguments and runs nothing, `disabled` refuses all. @default "enabled" */
  readonly mode?: "enabled" | "parse_only" | "disabled";
  /** Which of `list_dir`, `read_file` and `grep_files` are offered. @default all */
  readonly experimental_supported_tools?: readonly string[];
  /**
   * Which of `LS`, `Read`, `Glob`, `Grep`, `list_directory`, `Search`, `forge.Read` and
   * `forge.Glob` are offered. @default all but the last two
   */
  readonly offered?: readonly string[];
  /** Names that callers know tools by: `{ "forge.Read": "forge_read" }`. @default {} */
  readonly names?: Readonly<Record<string, string>>;
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
}

/** `[tools.sandbox]`: what `list_directory`, `Search` and Forge's `Read` and `Glob` may see. */
export interface SandboxTable {
  /** Directories, relative to the project root unless they are absolute. @default ["."] */
  readonly allowed_roots?: readonly string[];
  /** Globs over canonical absolute paths; matching paths are refused. @default [] */
  readonly denied_patterns?: readonly string[];
  /** Whether a call may name an absolute path. @default false */
  readonly allow_absolute?: boolean;
  /** Whether the built-in patterns for keys and credentials are added. @default true */
  readonly include_default_denies?: boolean;
}

/** `[tools.approval]`: which calls run, for every tool. */
export interface ApprovalTable {
  /** @default true */
  readonly enabled?: boolean;
  /** @default "prompt" */
  readonly mode?: "auto" | "prompt" | "deny";
  /** @default [] */
  readonly allowlist?: readonly string[];
  /** @default ["run_command"] */
  readonly denylist?: readonly string[];
  /** @default true */
  readonly prompt_side_effects?: boolean;
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

/** `[tools.output]`: how answers are bounded and spelled, for every tool. */
export interface OutputTable {
  /** Most UTF-8 bytes of one answer if the call sets no limit. @default 102400 */
  readonly max_bytes?: number;
  /** Whether hostile characters of file names are spelled out in text. @default true */
  readonly escape_names?: boolean;
}

/** `[tools.list_directory]` */
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

/** `[tools.list_dir]` */
export interface ListDirTable {
  /** Which of the tool's two historic orders of sorting and paging is used. @default "sorted-then-paged" */
  readonly revision?: "sorted-then-paged" | "paged-then-sorted";
}

/** `[tools.read_file]`: defaults of indentation mode. */
export interface ReadFileTable {
  /** @default 4 */
  readonly max_levels_default?: number;
  /** @default false */
  readonly include_header_default?: boolean;
}

/** `[tools.glob]`: when a search by `Glob` ends early. */
export interface GlobTable {
  /** Directories and files that one call looks at. @default 20000 */
  readonly max_visited_entries?: number;
  /** How long one call searches. @default 30 */
  readonly max_seconds?: number;
}

/** `[tools.forge_read]`: bounds of Forge's `Read`. */
export interface ForgeReadTable {
  /** Largest file that is read without a range. @default 204800 */
  readonly max_file_read_bytes?: number;
  /** Most bytes from the start of a file to the end of a range. @default 2097152 */
  readonly max_scan_bytes?: number;
  /** Whether escape sequences, invisible characters and keys are taken out. @default true */
  readonly sanitize?: boolean;
}

/** `[tools.search]`: bounds of `Search`. */
export interface SearchTable {
  /** How long one call searches, if it says nothing. @default 20000 */
  readonly default_timeout_ms?: number;
  /** Matches and context lines of one answer, if the call says nothing. @default 200 */
  readonly default_max_results?: number;
  /** Matching lines of one file. @default 50 */
  readonly max_matches_per_file?: number;
  /** Files that one call searches. @default 10000 */
  readonly max_files?: number;
  /** Largest file that is searched. @default 2000000 */
  readonly max_file_size_bytes?: number;
  /** Whether keys are masked. @default true */
  readonly mask_keys?: boolean;
}
