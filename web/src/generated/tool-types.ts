/**
 * The types of each tool, from the schemas of `treeglass tools`.
 *
 * Written by `python build.py types`; do not edit.
 */

/** The arguments of each tool, by its name. */
export interface ToolArguments {
  /** Edit a file. */
  readonly Edit:
    | {
        /** File, relative to the project root. */
        readonly path: string;
        /** Exact text to replace, without line numbers. It must occur once in the file: include 2 to 5 lines around it. */
        readonly old_string: string;
        /** Text that takes its place; may be empty. */
        readonly new_string: string;
        /** Time of the file that is changed, from stats.file_mtime_ms of a Read; by default that of the last Read. */
        readonly expected_mtime_ms?: number;
        /** Size of the file that is changed, from stats.file_size_bytes of a Read; by default that of the last Read. */
        readonly expected_size_bytes?: number;
        /** Whether to show only what would change. @default false */
        readonly dry_run?: boolean;
      }
    | {
        /** The patch, in LP1. */
        readonly patch: string;
      };
  /** Find files by name. */
  readonly Glob: {
    /** Glob relative to path, such as '** /*.py': '*' and '?' stay within one name, '**' crosses directories. */
    readonly pattern: string;
    /** Directory to search (relative to project root or absolute within it). @default "." */
    readonly path?: string;
    /** Max paths to return (1-200). @default 50 */
    readonly limit?: number;
    /** Whether to include names starting with '.'. @default false */
    readonly include_hidden?: boolean;
    /** Whether to search directories such as node_modules and dist. @default false */
    readonly include_ignored?: boolean;
  };
  /** Search file contents. */
  readonly Grep: {
    /** Regular expression in Python's dialect, looked for in each line. */
    readonly pattern: string;
    /** Directory to search (relative to project root or absolute within it). @default "." */
    readonly path?: string;
    /** Glob that the path of a file must match from the right, as '*.py'. */
    readonly include?: string;
    /** Whether case counts. @default false */
    readonly case_sensitive?: boolean;
  };
  /** List files. */
  readonly LS: {
    /** Directory path to list (relative to project root or absolute within it). @default "." */
    readonly path?: string;
    /** Pagination start index (>=0). @default 0 */
    readonly offset?: number;
    /** Max items to return (1-200). @default 100 */
    readonly limit?: number;
    /** Whether to include hidden files (starting with '.'). @default false */
    readonly include_hidden?: boolean;
    /** Optional list of glob patterns to ignore. */
    readonly ignore?: readonly string[];
  };
  /** Edit a file in several places. */
  readonly MultiEdit: {
    /** File, relative to the project root. */
    readonly path: string;
    /** Edits of the file as it is now; they must not overlap. */
    readonly edits: readonly {
      /** Exact text to replace, without line numbers. It must occur once in the file: include 2 to 5 lines around it. */
      readonly old_string: string;
      /** Text that takes its place; may be empty. */
      readonly new_string: string;
    }[];
    /** Time of the file that is changed, from stats.file_mtime_ms of a Read; by default that of the last Read. */
    readonly expected_mtime_ms?: number;
    /** Size of the file that is changed, from stats.file_size_bytes of a Read; by default that of the last Read. */
    readonly expected_size_bytes?: number;
    /** Whether to show only what would change. @default false */
    readonly dry_run?: boolean;
  };
  /** Read a text file. */
  readonly Read: {
    /** File to read (relative to project root or absolute within it). */
    readonly path: string;
    /** Number of the first line to return (1-based). @default 1 */
    readonly start_line?: number;
    /** Max lines to return (1-2000). @default 500 */
    readonly limit?: number;
  };
  /** Search in files. */
  readonly Search: {
    /** Regular expression that a line has to match. */
    readonly pattern: string;
    /** Directory or file to search. @default "." */
    readonly path?: string;
    /** Whether case counts; smart: if the pattern has a capital letter. @default "smart" */
    readonly case?: "smart" | "sensitive" | "insensitive";
    /** Whether the pattern is a text and no expression. @default false */
    readonly fixed_strings?: boolean;
    /** Whether only whole words match. @default false */
    readonly word_regexp?: boolean;
    /** Globs for the paths to search, such as "*.py"; * crosses slashes. */
    readonly include_glob?: readonly string[];
    /** Globs for the paths to leave out. */
    readonly exclude_glob?: readonly string[];
    /** Another name of include_glob, which wins. */
    readonly glob?: readonly string[];
    /** Whether directories below are searched. @default true */
    readonly recursive?: boolean;
    /** Whether hidden files are searched. @default false */
    readonly hidden?: boolean;
    /** Whether symbolic links are followed. @default false */
    readonly follow?: boolean;
    /** Whether ignore files do not count. @default false */
    readonly no_ignore?: boolean;
    /** Lines to show around each match. @default 0 */
    readonly context?: number;
    /** Most matches and context lines to return. @default 200 */
    readonly max_results?: number;
    /** Most matching lines of one file, up to the configured cap. */
    readonly max_matches_per_file?: number;
    /** Most files to search, up to the configured cap. */
    readonly max_files?: number;
    /** Largest file to search, up to the configured cap. */
    readonly max_file_size_bytes?: number;
    /** How long the search may take. @default 20000 */
    readonly timeout_ms?: number;
  };
  /** Write a file. */
  readonly Write:
    | {
        /** File, relative to the project root. */
        readonly path: string;
        /** The whole content of the file. */
        readonly content: string;
        /** Time of the file that is changed, from stats.file_mtime_ms of a Read; by default that of the last Read. */
        readonly expected_mtime_ms?: number;
        /** Size of the file that is changed, from stats.file_size_bytes of a Read; by default that of the last Read. */
        readonly expected_size_bytes?: number;
        /** Whether to show only what would change. @default false */
        readonly dry_run?: boolean;
      }
    | {
        /** File to make; directories that are missing above it are made, too. */
        readonly path: string;
        /** All that the file is to hold. */
        readonly content: string;
      };
  /** Apply a patch. */
  readonly apply_patch: {
    /** The whole patch, from its begin marker to its end marker. */
    readonly input: string;
  };
  /** Search files. */
  readonly grep_files: {
    /** Regular expression that a line has to match. */
    readonly pattern: string;
    /** Optional glob for the files to search, such as "*.rs" or "*.{ts,tsx}". */
    readonly include?: string;
    /** Directory or file to search; the working directory by default. */
    readonly path?: string;
    /** Most paths to return, 100 by default. */
    readonly limit?: number;
  };
  /** List directory. */
  readonly list_dir: {
    /** Absolute path of the directory to list. */
    readonly dir_path: string;
    /** Number of the entry to begin at; 1 is the first. */
    readonly offset?: number;
    /** Most entries to return. */
    readonly limit?: number;
    /** How many levels to descend at most; 1 lists the directory alone. */
    readonly depth?: number;
  };
  /** List directory entries. */
  readonly list_directory: {
    readonly path: string;
    /** @default false */
    readonly recursive?: boolean;
    readonly max_depth?: number;
    readonly max_entries?: number;
    /** @default false */
    readonly include_hidden?: boolean;
    /** @default true */
    readonly include_files?: boolean;
    /** @default true */
    readonly include_dirs?: boolean;
    /** @default true */
    readonly include_symlinks?: boolean;
    /** @default false */
    readonly include_other?: boolean;
  };
  /** Read file. */
  readonly read_file: {
    /** Absolute path of the file to read. */
    readonly file_path: string;
    /** Number of the line to begin at; 1 is the first. */
    readonly offset?: number;
    /** Most lines to return. */
    readonly limit?: number;
    /** Optional: "slice" for a plain range of lines, the default, or "indentation" for the block around an anchor line. */
    readonly mode?: string;
    readonly indentation?: {
      /** Line that the block grows around; the offset by default. */
      readonly anchor_line?: number;
      /** How many enclosing, less indented levels to include; 0 for all. */
      readonly max_levels?: number;
      /** Whether to include further blocks with the anchor's indentation. */
      readonly include_siblings?: boolean;
      /** Whether to include comments or attributes right above the block. */
      readonly include_header?: boolean;
      /** Most lines to return in indentation mode; the limit by default. */
      readonly max_lines?: number;
    };
  };
}

/** `structuredContent` of each tool's results; null without a schema. */
export interface ToolStructuredContent {
  /** Edit a file. */
  readonly Edit: Envelope<
    {
      /** Whether the change is proposed. */
      readonly applied: boolean;
      /** For the model; it is no patch. */
      readonly diff_preview: string;
      readonly diff_truncated: boolean;
      readonly replacements: 1;
      readonly dry_run?: true;
    },
    boolean,
    {
      readonly bytes_written: number;
      readonly original_size: number;
      readonly new_size: number;
      readonly lines_added: number;
      readonly lines_removed: number;
    },
    | "NOT_FOUND"
    | "ACCESS_DENIED"
    | "INVALID_PARAM"
    | "TIMEOUT"
    | "INTERNAL_ERROR"
    | "PERMISSION_DENIED"
    | "EXECUTION_ERROR"
    | "CONFLICT"
    | "IS_DIRECTORY"
    | "BINARY_FILE"
  > | null;
  /** Find files by name. */
  readonly Glob: Envelope<
    {
      /** Relative to the project root, with '/'. */
      readonly paths: readonly string[];
      readonly aborted_reason?: "count_limit" | "time_limit";
    },
    boolean,
    {
      readonly matched: number;
      readonly visited: number;
    },
    "NOT_FOUND" | "ACCESS_DENIED" | "INVALID_PARAM" | "TIMEOUT" | "INTERNAL_ERROR"
  >;
  /** Search file contents. */
  readonly Grep: Envelope<
    {
      readonly matches: readonly {
        /** Relative to the project root, with '/'. */
        readonly file: string;
        readonly line: number;
        /** The line, without its end. */
        readonly text: string;
      }[];
      readonly fallback_used: true;
      readonly fallback_reason?: "rg_not_found";
    },
    boolean,
    {
      readonly matched_files: number;
      readonly matched_lines: number;
    },
    "NOT_FOUND" | "ACCESS_DENIED" | "INVALID_PARAM" | "TIMEOUT" | "INTERNAL_ERROR"
  >;
  /** List files. */
  readonly LS: Envelope<
    {
      readonly entries: readonly {
        /** Relative to the project root, with '/'. */
        readonly path: string;
        readonly type: "file" | "dir" | "link";
      }[];
    },
    true,
    {
      readonly total_entries: number;
      readonly dirs: number;
      readonly files: number;
      readonly links: number;
      readonly returned: number;
    },
    "NOT_FOUND" | "ACCESS_DENIED" | "INVALID_PARAM" | "TIMEOUT" | "INTERNAL_ERROR"
  >;
  /** Edit a file in several places. */
  readonly MultiEdit: Envelope<
    {
      /** Whether the change is proposed. */
      readonly applied: boolean;
      /** For the model; it is no patch. */
      readonly diff_preview: string;
      readonly diff_truncated: boolean;
      readonly replacements: number;
      readonly failed_index: null;
      readonly dry_run?: true;
    },
    boolean,
    {
      readonly bytes_written: number;
      readonly original_size: number;
      readonly new_size: number;
      readonly lines_added: number;
      readonly lines_removed: number;
    },
    | "NOT_FOUND"
    | "ACCESS_DENIED"
    | "INVALID_PARAM"
    | "TIMEOUT"
    | "INTERNAL_ERROR"
    | "PERMISSION_DENIED"
    | "EXECUTION_ERROR"
    | "CONFLICT"
    | "IS_DIRECTORY"
    | "BINARY_FILE",
    {
      readonly truncated?: boolean;
      readonly failed_index?: number;
    }
  >;
  /** Read a text file. */
  readonly Read: Envelope<
    {
      /** The lines, each after its number. */
      readonly content: string;
      readonly fallback_encoding?: "replace";
    },
    boolean,
    {
      readonly lines_read: number;
      readonly chars_read: number;
      readonly total_lines: number;
      readonly file_size_bytes: number;
      readonly file_mtime_ms: number;
      readonly encoding: "utf-8" | "utf-8 (replace)";
    },
    | "NOT_FOUND"
    | "ACCESS_DENIED"
    | "INVALID_PARAM"
    | "TIMEOUT"
    | "INTERNAL_ERROR"
    | "IS_DIRECTORY"
    | "BINARY_FILE"
  >;
  /** Search in files. */
  readonly Search: null;
  /** Write a file. */
  readonly Write: Envelope<
    {
      /** Whether the change is proposed. */
      readonly applied: boolean;
      /** For the model; it is no patch. */
      readonly diff_preview: string;
      readonly diff_truncated: boolean;
      readonly operation: "create" | "update";
      readonly dry_run?: true;
    },
    boolean,
    {
      readonly bytes_written: number;
      readonly original_size: number;
      readonly new_size: number;
      readonly lines_added: number;
      readonly lines_removed: number;
    },
    | "NOT_FOUND"
    | "ACCESS_DENIED"
    | "INVALID_PARAM"
    | "TIMEOUT"
    | "INTERNAL_ERROR"
    | "PERMISSION_DENIED"
    | "EXECUTION_ERROR"
    | "CONFLICT"
    | "IS_DIRECTORY"
  > | null;
  /** Apply a patch. */
  readonly apply_patch: null;
  /** Search files. */
  readonly grep_files: null;
  /** List directory. */
  readonly list_dir: null;
  /** List directory entries. */
  readonly list_directory: {
    /** Normalized requested path */
    readonly path: string;
    readonly entries: readonly {
      /** File name (last path component) */
      readonly name: string;
      /** Relative path from the requested root (forward slashes) */
      readonly path: string;
      readonly depth: number;
      readonly type: "file" | "dir" | "symlink" | "other" | "unknown";
      readonly size_bytes: number | null;
      readonly modified_epoch_ms: number | null;
      readonly is_hidden: boolean;
      readonly error_code:
        | "metadata_unavailable"
        | "permission_denied"
        | "read_dir_failed"
        | "io_error"
        | "unknown"
        | null;
      readonly error: string | null;
    }[];
    readonly returned: number;
    readonly max_entries: number;
    readonly truncated: boolean;
    readonly truncated_reason: "max_entries" | "max_output_bytes" | null;
  };
  /** Read file. */
  readonly read_file: null;
}

/** The common part of the structured contents of several tools. */
type Envelope<Data, IsCut, Stats, Code extends string, Failed = object> =
  | {
      readonly status: "success";
      readonly data: Data & { readonly truncated: false };
      /** What the model reads: the outcome, why it is discounted, what to do next. */
      readonly text: string;
      readonly stats: Stats & {
        /** Time the call took, in milliseconds. */
        readonly time_ms: number;
        readonly [key: string]: number | string;
      };
      readonly context: {
        /** Working directory, relative to the project root. */
        readonly cwd: string;
        /** The arguments exactly as they were passed. */
        readonly params_input: unknown;
        /** The final path, relative to the project root. */
        readonly path_resolved: string;
        readonly truncation_skip?: boolean;
      };
    }
  | {
      readonly status: "partial";
      readonly data: Data & { readonly truncated: IsCut };
      /** What the model reads: the outcome, why it is discounted, what to do next. */
      readonly text: string;
      readonly stats: Stats & {
        /** Time the call took, in milliseconds. */
        readonly time_ms: number;
        readonly [key: string]: number | string;
      };
      readonly context: {
        /** Working directory, relative to the project root. */
        readonly cwd: string;
        /** The arguments exactly as they were passed. */
        readonly params_input: unknown;
        /** The final path, relative to the project root. */
        readonly path_resolved: string;
        readonly truncation_skip?: boolean;
      };
    }
  | {
      readonly status: "error";
      readonly data: Failed;
      /** What the model reads: the outcome, why it is discounted, what to do next. */
      readonly text: string;
      readonly stats: {
        /** Time the call took, in milliseconds. */
        readonly time_ms: number;
        readonly [key: string]: number | string;
      };
      readonly context: {
        /** Working directory, relative to the project root. */
        readonly cwd: string;
        /** The arguments exactly as they were passed. */
        readonly params_input: unknown;
        /** The final path, relative to the project root. */
        readonly path_resolved?: string;
        readonly truncation_skip?: boolean;
      };
      readonly error: {
        readonly code: Code;
        readonly message: string;
      };
    };
