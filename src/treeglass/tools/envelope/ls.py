"""`LS`: one directory, filtered, sorted and paged, in a Standard Envelope, as LSTool.md says."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, cast

from treeglass.errors import PathEscapesWorkspace
from treeglass.tool import ToolContext, ToolResult
from treeglass.tools.envelope.envelope_building import answer_envelope, largest_envelope
from treeglass.tools.envelope.errors import resolved
from treeglass.tools.envelope.ignore import compile_ignore
from treeglass.tools.envelope.project_paths import (
    ProjectPaths,
    name_warnings,
    require_directory,
)
from treeglass.utf8 import by_lower_case, lossy_text

if TYPE_CHECKING:
    from treeglass.tools.envelope.arguments import LsArgs
    from treeglass.workspace import ResolvedPath

DEFAULT_IGNORED = frozenset(
    {
        ".git", ".hg", ".svn", "__pycache__", "node_modules", "target", "build",
        "dist", ".idea", ".vscode", ".DS_Store", "venv", ".venv",
    }
)  # fmt: skip
"""Names left out unless hidden entries are asked for (LSTool.md 5.1)."""

_ENTRIES_PER_CHECKPOINT = 64

ListedType = Literal["dir", "file", "link"]


class _Row(NamedTuple):
    name: str
    """The host's name, with invalid bytes as lone surrogates."""
    type: ListedType


class _Listing(NamedTuple):
    """The entries of one directory that passed the filters, and the parts of every page."""

    where: str
    """The directory relative to the project root, in the host's names."""
    rows: list[_Row]
    type_counts: Counter[ListedType]
    elapsed_seconds: float
    context: dict[str, Any]
    call: ToolContext

    def path_of(self, row: _Row) -> str:
        return row.name if self.where == "." else f"{self.where}/{row.name}"


def run(args: LsArgs, context: ToolContext) -> ToolResult:
    """Answer a call with one page of a directory."""
    paths = ProjectPaths(context.workspace)
    target = context.resolve(args.path, strict=False)
    where = paths.relative(target)
    if where is None:
        raise PathEscapesWorkspace
    with resolved(where):
        rows = _list(target, where, args, context, paths)
        listing = _Listing(
            where,
            rows,
            Counter(row.type for row in rows),
            context.elapsed_seconds,
            paths.envelope_context(context, lossy_text(where)),
            context,
        )
        start = min(args.offset, len(rows))
        end = min(start + args.limit, len(rows))
        return _largest_answer(listing, start, end, context)


def _list(
    target: ResolvedPath, where: str, args: LsArgs, context: ToolContext, paths: ProjectPaths
) -> list[_Row]:
    require_directory(target, context)
    hides = compile_ignore(args.ignore) if args.ignore else None
    prefix = "" if where == "." else lossy_text(where) + "/"
    directories: list[_Row] = []
    others: list[_Row] = []
    for index, entry in enumerate(context.workspace.scan(target)):
        # Patterns may take a tenth of a second for one long path.
        if hides is not None or index % _ENTRIES_PER_CHECKPOINT == 0:
            context.checkpoint()
        if not args.include_hidden and (entry.name[0] == "." or entry.name in DEFAULT_IGNORED):
            continue
        if hides is not None:
            name = lossy_text(entry.name)
            if hides(name, prefix + name):
                continue
        if entry.kind == "directory":
            directories.append(_Row(entry.name, "dir"))
        elif entry.kind == "symlink":
            leads_to_directory = paths.leads_to_directory(target, entry, context)
            (directories if leads_to_directory else others).append(_Row(entry.name, "link"))
        else:
            others.append(_Row(entry.name, "file"))
    # Two sorts: one sort by a pair of keys takes a third longer.
    directories.sort(key=_sort_key)
    others.sort(key=_sort_key)
    return directories + others


def _sort_key(row: _Row) -> tuple[str, str, bytes]:
    return by_lower_case(row.name)


def _largest_answer(listing: _Listing, start: int, end: int, context: ToolContext) -> ToolResult:
    """Return the page from start to end, or as much of it as fits the budget."""
    returned, envelope, content = largest_envelope(
        lambda count: _envelope(listing, start, start + count), end - start, context.budget_bytes
    )
    end = start + returned
    truncated = end < len(listing.rows)
    arguments = cast("dict[str, Any]", context.arguments)  # the registry decoded them
    return ToolResult(
        content=content,
        structured_content=envelope,
        truncated=truncated,
        next_arguments={**arguments, "offset": end} if truncated else None,
        warnings=name_warnings(
            [row.name for row in listing.rows[start:end]],
            context,
            member="data.entries",
        ),
    )


def _envelope(listing: _Listing, start: int, end: int) -> dict[str, Any]:
    page, total = listing.rows[start:end], len(listing.rows)
    truncated = end < total
    entries = [{"path": lossy_text(listing.path_of(row)), "type": row.type} for row in page]
    counts = listing.type_counts
    return answer_envelope(
        is_partial=truncated,
        data={"entries": entries, "truncated": truncated},
        text=_text(listing, start, end),
        elapsed_seconds=listing.elapsed_seconds,
        counters={
            "total_entries": total,
            "dirs": counts["dir"],
            "files": counts["file"],
            "links": counts["link"],
            "returned": len(page),
        },
        context=listing.context,
    )


_MARKS: Final[dict[ListedType, str]] = {"dir": "/", "link": "@", "file": ""}


def _text(listing: _Listing, start: int, end: int) -> str:
    """Return what the model reads (LSTool.md 8)."""
    total, counts, shown = len(listing.rows), listing.type_counts, listing.call.shown_path
    lines = [
        f"Listed {end - start} entries in '{shown(listing.where)}'",
        (
            f"(Total: {total} items - {counts['dir']} dirs, {counts['file']} files, "
            f"{counts['link']} links)"
        ),
    ]
    if end < total:
        left = total - end
        lines += [
            f"[Truncated: Showing {start}-{end} of {total}. {left} more items available.]",
            f"Use offset={end} to view next page.",
        ]
    lines.append("")
    lines += [shown(listing.path_of(row)) + _MARKS[row.type] for row in listing.rows[start:end]]
    return "\n".join(lines)
