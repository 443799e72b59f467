"""The tables of the configuration, each with the defaults of its keys."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

PositiveInt = Annotated[int, Field(gt=0, strict=True)]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class Table(BaseModel):
    """A table of the document: frozen, strict, without unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class SandboxTable(Table):
    """`[tools.sandbox]`: what `list_directory`, `Search` and Forge's `Read` and `Glob` may see."""

    allowed_roots: list[str] = Field(default=["."], min_length=1)
    """Directories, relative to the project root unless they are absolute."""
    denied_patterns: list[str] = []
    """Globs over canonical absolute paths; a path that matches is refused."""
    allow_absolute: bool = False
    """True if a call may name an absolute path."""
    include_default_denies: bool = True
    """True if the built-in patterns for keys and credentials are added."""


class ApprovalTable(Table):
    """`[tools.approval]`: which calls run, for every tool."""

    enabled: bool = True
    """True if any call runs at all."""
    mode: Literal["auto", "prompt", "deny"] = "prompt"
    """`auto` runs every tool that is not denied, `prompt` asks a person if a tool
    or a side effect demands it, `deny` runs only the tools of the allowlist."""
    allowlist: list[str] = []
    denylist: list[str] = ["run_command"]
    prompt_side_effects: bool = True
    """True if `prompt` asks for tools with side effects that are not on the allowlist."""


class TimeoutsTable(Table):
    """`[tools.timeouts]`, in seconds."""

    default_seconds: Seconds = 30.0
    file_operations_seconds: Seconds = 30.0
    shell_commands_seconds: Seconds = 300.0


class OutputTable(Table):
    """`[tools.output]`: how answers are bounded and spelled, for every tool."""

    max_bytes: PositiveInt = 102_400
    """Most UTF-8 bytes of one answer, unless the call says otherwise."""
    escape_names: bool = True
    """True if hostile characters of file names are spelled out in text."""


class ListDirectoryTable(Table):
    """`[tools.list_directory]` (CFG-LD-01 to CFG-LD-05)."""

    max_entries: PositiveInt = 200
    max_depth: PositiveInt = 4
    include_hidden_default: bool = False
    include_symlinks_default: bool = True
    include_files_default: bool = True
    include_dirs_default: bool = True
    include_other_default: bool = False


class ListDirTable(Table):
    """`[tools.list_dir]`."""

    revision: Literal["sorted-then-paged", "paged-then-sorted"] = "sorted-then-paged"
    """The order of sorting and paging: the tool has had two."""


class ReadFileTable(Table):
    """`[tools.read_file]`: defaults of indentation mode."""

    max_levels_default: Annotated[int, Field(ge=0, strict=True)] = 4
    include_header_default: bool = False


class GlobTable(Table):
    """`[tools.glob]`: when a search by `Glob` ends early."""

    max_visited_entries: PositiveInt = 20_000
    """Directories and files that one call looks at."""
    max_seconds: Seconds = 30.0
    """The time limit of one call's search, below the limit of the call."""


class ForgeReadTable(Table):
    """`[tools.forge_read]`: bounds of Forge's `Read`."""

    max_file_read_bytes: PositiveInt = 204_800
    """Largest file that is read without a range."""
    max_scan_bytes: Annotated[int, Field(ge=0, strict=True)] = 2_097_152
    """Most bytes from the start of a file to the end of a range."""
    sanitize: bool = True
    """True if escape sequences, invisible characters and what looks like a key are taken out."""


class EditTable(Table):
    """`[tools.edit]`: which paths the tools that change may change."""

    allow: list[str] = ["**"]
    """Globs over the path below its mount point; what none of them matches is refused."""
    deny: list[str] = ["**/.git", "**/.git/**"]
    """Globs over the same path; what one of them matches, whatever the case, is refused."""
    refresh_reads: bool = True
    """True if a file that was read, and that `Write`, `Edit` or `MultiEdit` changes, counts as
    read again. Otherwise the next change of it is a conflict until it is read."""


class SearchTable(Table):
    """`[tools.search]`: bounds of `Search`."""

    default_timeout_ms: PositiveInt = 20_000
    """The time limit of one call's search, if the call names none."""
    default_max_results: PositiveInt = 200
    """Matches and context lines of one answer, if the call says nothing."""
    max_matches_per_file: PositiveInt = 50
    """Lines that match, of one file; a call may ask for less."""
    max_files: PositiveInt = 10_000
    """Files that one call searches; a call may ask for less."""
    max_file_size_bytes: PositiveInt = 2_000_000
    """Largest file that is searched; a call may ask for less."""
    mask_keys: bool = True
    """True if what looks like a key is masked."""
