"""`list_dir`: one page of a directory tree as indented text.

Specified in codex.md 2: a breadth-first walk, an order by relative path, and
pages by entry number. Links are never followed while walking.
"""

from __future__ import annotations

from collections import deque
from operator import itemgetter
from typing import TYPE_CHECKING

from treeglass.errors import NameTooLong, OutputBudgetTooSmall
from treeglass.escaping import escape_controls, escape_name, is_plain
from treeglass.tool import ToolContext, ToolResult
from treeglass.tools.codex.errors import RespondToModel
from treeglass.tools.codex.text import MAX_SHOWN_BYTES, counted, cut_text
from treeglass.utf8 import byte_length, is_encodable, lossy_text, raw_bytes
from treeglass.workspace.limits import MAX_PATH_BYTES

if TYPE_CHECKING:
    from treeglass.tools.codex.arguments import ListDirArgs
    from treeglass.workspace import Entry, ResolvedPath

_SUFFIXES = {"file": "", "directory": "/", "symlink": "@", "other": "?"}
_INDENT = "  "

# The sort key, the entry, its level. A plain tuple is the cheapest, and every
# file of a tree has one.
_Found = tuple[str, "Entry", int]


def run(args: ListDirArgs, context: ToolContext) -> ToolResult:
    """List one page of a directory tree.

    Implements codex.md 2.2 to 2.6. A page that does not fit the budget has fewer entries.
    """
    _check_ranges(args)
    root = context.resolve(args.dir_path)
    context.workspace.require_directory(root)
    found = _collect(root, args.depth, context)
    shown = escape_controls(args.dir_path) if context.escape_names else args.dir_path
    header = f"Absolute path: {shown}"
    if found and args.offset > len(found):
        raise RespondToModel("offset exceeds directory entry count")
    is_sorted_first = context.config.tools.list_dir.revision == "sorted-then-paged"
    if is_sorted_first:
        # Stable and by the key only, so that equal keys of different directories
        # keep the order of the walk.
        found.sort(key=itemgetter(0))
    start = args.offset - 1
    page = found[start : start + args.limit]
    lines = _lines_that_fit(header, page, len(found) - start, context)
    page = page[: len(lines)]
    if not is_sorted_first:
        order = sorted(range(len(page)), key=lambda index: page[index][0])
        lines = [lines[index] for index in order]
    lines.insert(0, header)
    has_more = bool(page) and start + len(page) < len(found)
    names = [entry.name for _, entry, _ in page]
    cut_names = _cut_names(names, context)
    if has_more:
        lines.append(_more_line(len(page)))
    return ToolResult(
        content="\n".join(lines),
        truncated=has_more or cut_names > 0,
        next_arguments=(
            {**args.written(), "offset": args.offset + len(page)} if has_more else None
        ),
        warnings=_warnings(names, cut_names, context),
    )


def _check_ranges(args: ListDirArgs) -> None:
    if args.offset == 0:
        raise RespondToModel("offset must be a 1-indexed entry number")
    if args.limit == 0:
        raise RespondToModel("limit must be greater than zero")
    if args.depth == 0:
        raise RespondToModel("depth must be greater than zero")
    if not args.dir_path.startswith("/"):
        raise RespondToModel("dir_path must be an absolute path")


def _collect(root: ResolvedPath, depth: int, context: ToolContext) -> list[_Found]:
    """Return every entry in reach, breadth-first, each directory sorted (codex.md 2.3)."""
    workspace = context.workspace
    found: list[_Found] = []
    queue = deque([(root, "", 0)])
    while queue:
        directory, prefix, level = queue.popleft()
        context.checkpoint()
        if len(raw_bytes(directory.virtual)) > MAX_PATH_BYTES:
            raise NameTooLong
        entries = workspace.scan(directory)
        if _are_shown_as_they_are([entry.name for entry in entries], byte_length(prefix)):
            here = [(prefix + entry.name, entry, level) for entry in entries]
        else:
            here = [(_sort_key(prefix, entry.name), entry, level) for entry in entries]
        workspace.limits.require("max_walk_entries", len(found) + len(here))
        # Equal keys of one directory are in the order of their names, which are
        # unique, so the host's order never shows.
        here.sort()
        found += here
        for _, entry, _ in here:
            kind = entry.kind
            if kind == "file":
                continue
            if kind is None:
                fault = entry.fault.linux_text if entry.fault else "unknown type"
                raise RespondToModel(f"failed to inspect entry: {fault}")
            if kind == "directory" and level + 1 < depth:
                below = f"{prefix}{_slashed(entry.name)}/"
                queue.append((workspace.enter(directory, entry), below, level + 1))
    return found


def _are_shown_as_they_are(names: list[str], more_bytes: int = 0) -> bool:
    """Tell for many names at once whether all are shown unchanged; more bytes may come before."""
    longest = max(map(len, names), default=0)
    return is_plain("".join(names)) and more_bytes + longest <= MAX_SHOWN_BYTES


def _sort_key(prefix: str, name: str) -> str:
    key = prefix + _slashed(name)
    # A code point has at most four bytes, so most keys need no counting.
    return key if len(key) * 4 <= MAX_SHOWN_BYTES else cut_text(key)


def _slashed(name: str) -> str:
    text = name if name.isascii() else lossy_text(name)
    return text.replace("\\", "/") if "\\" in text else text


def _lines_that_fit(
    header: str, page: list[_Found], remaining: int, context: ToolContext
) -> list[str]:
    """Return the lines of a page's entries that fit (codex.md 2.5), in the order of the pages."""
    budget = context.budget_bytes
    size = byte_length(header)
    lines: list[str] = []
    is_plain_page = _are_shown_as_they_are([entry.name for _, entry, _ in page])
    escape_names = context.escape_names
    needed = size
    for _, entry, level in page:
        name = entry.name if is_plain_page else _shown_name(entry.name, escape_names=escape_names)
        line = _INDENT * level + name + _SUFFIXES[entry.kind or "other"]
        size += 1 + byte_length(line)
        lines.append(line)
        if size > budget:
            break
    while lines:
        count = len(lines)
        needed = size if count == remaining else size + 1 + len(_more_line(count))
        if needed <= budget:
            return lines
        size -= 1 + byte_length(lines.pop())
    if needed > budget:
        raise OutputBudgetTooSmall(budget, needed)
    return lines


def _shown_name(name: str, *, escape_names: bool) -> str:
    if escape_names and (escaped := escape_name(name)) != name:
        # Not cut: half a spelling would name another file, or no file.
        return escaped
    return cut_text(lossy_text(name))


def _more_line(count: int) -> str:
    return f"More than {count} entries found"


def _cut_names(names: list[str], context: ToolContext) -> int:
    """Count the names that are not shown whole: only bytes that are not UTF-8 grow so long."""
    if context.escape_names:
        return 0
    return sum(byte_length(lossy_text(name)) > MAX_SHOWN_BYTES for name in names)


def _warnings(names: list[str], cut_names: int, context: ToolContext) -> tuple[str, ...]:
    if is_plain("".join(names)):
        return ()
    warnings = []
    escaped = sum(escape_name(name) != name for name in names) if context.escape_names else 0
    if escaped:
        warnings.append(
            f"{counted(escaped, 'name holds', 'names hold')} characters that can forge or hide "
            "text, or that read as an escape; they are shown escaped, and paths with the "
            "escaped spelling open the same entries."
        )
    invalid = sum(not is_encodable(name) for name in names)
    if invalid:
        how = "as \\x{..}" if context.escape_names else "as U+FFFD, which no path can spell"
        warnings.append(
            f"{counted(invalid, 'name is', 'names are')} not valid UTF-8; "
            f"the invalid bytes are shown {how}."
        )
    if cut_names:
        noun = counted(cut_names, "name is", "names are")
        warnings.append(f"{noun} longer than {MAX_SHOWN_BYTES} bytes and shown cut.")
    return tuple(warnings)
