"""`read_file`: numbered lines of a file, as a slice or as an indented block.

Specified in codex.md 3. Reads and holds no more of the file than its answer
needs.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import Any, BinaryIO

from treeglass.errors import OutputBudgetTooSmall, from_os_error
from treeglass.tool import ToolContext, ToolResult
from treeglass.tools.codex.arguments import IndentationArgs, ReadFileArgs
from treeglass.tools.codex.errors import RespondToModel
from treeglass.tools.codex.indentation import Block, BlockRules, read_block
from treeglass.tools.codex.text import HEAD_BYTES, are_cut, line_warnings, numbered
from treeglass.utf8 import byte_length
from treeglass.workspace.lines import Line, iter_lines, skip_lines

_LINES_BEFORE_ANCHOR = 20
_SURROUNDING_LINES = 40


def run(args: ReadFileArgs, context: ToolContext) -> ToolResult:
    """Read a slice of a file, or the block around a line.

    Implements codex.md 3.2 to 3.5. If the lines do not fit the budget, there are fewer.
    """
    rules = _check_ranges(args, context)
    path = context.resolve(args.file_path)
    with context.workspace.open(path) as file:
        try:
            if rules is None:
                return _read_slice(file, args, context)
            block = read_block(file, rules, context.workspace.limits, context.checkpoint)
        except OSError as error:
            raise from_os_error(error) from None
    return _answer_block(block, rules, args, context)


def _check_ranges(args: ReadFileArgs, context: ToolContext) -> BlockRules | None:
    """Return the rules of the block to read, or None for a slice."""
    if args.offset == 0:
        raise RespondToModel("offset must be a 1-indexed line number")
    if args.limit == 0:
        raise RespondToModel("limit must be greater than zero")
    if not args.file_path.startswith("/"):
        raise RespondToModel("file_path must be an absolute path")
    if args.mode == "slice":
        return None
    block = args.indentation or IndentationArgs()
    if block.anchor_line == 0:
        raise RespondToModel("anchor_line must be a 1-indexed line number")
    if block.max_lines == 0:
        raise RespondToModel("max_lines must be greater than zero")
    written, defaults = block.model_fields_set, context.config.tools.read_file
    return BlockRules(
        anchor_line=block.anchor_line or args.offset,
        max_levels=block.max_levels if "max_levels" in written else defaults.max_levels_default,
        include_siblings=block.include_siblings,
        include_header=(
            block.include_header if "include_header" in written else defaults.include_header_default
        ),
        cap=min(args.limit, block.max_lines or args.limit),
    )


def _read_slice(file: BinaryIO, args: ReadFileArgs, context: ToolContext) -> ToolResult:
    budget = context.budget_bytes
    shown: list[Line] = []
    texts: list[str] = []
    size = -1  # the first line has no line feed before it
    has_more = False
    if skip_lines(file, args.offset - 1, context.checkpoint) == args.offset - 1:
        for line in iter_lines(file, HEAD_BYTES, context.checkpoint):
            text = numbered(args.offset + len(shown), line)
            size += 1 + byte_length(text)
            if size > budget:
                has_more = True
                break
            shown.append(line)
            texts.append(text)
            if len(shown) == args.limit:
                # One byte is enough: the next line may have no end.
                has_more = bool(file.read(1))
                break
    if not shown:
        if has_more:
            raise OutputBudgetTooSmall(budget, size)
        raise RespondToModel("offset exceeds file length")
    content = "\n".join(texts)
    return ToolResult(
        content=content,
        truncated=has_more or are_cut(shown),
        next_arguments=(
            {**args.written(), "offset": args.offset + len(shown)} if has_more else None
        ),
        warnings=line_warnings(shown, content),
    )


def _answer_block(
    block: Block, rules: BlockRules, args: ReadFileArgs, context: ToolContext
) -> ToolResult:
    texts = [
        numbered(number, row.line) for number, row in enumerate(block.rows, block.first_number)
    ]
    span = _span_that_fits(block, texts, context.budget_bytes)
    content = "\n".join(texts[span.start : span.stop])
    shown = [row.line for row in block.rows[span.start : span.stop]]
    warnings = line_warnings(shown, content)
    is_cut = block.is_capped or span != block.span(len(block.rows))
    next_arguments = None
    if not span or (len(span) == 1 and not is_cut):
        # Small models repeat a call that gives next to nothing.
        if block.is_part_of_file or len(block.rows) > 1:
            next_arguments = _slice_around(rules.anchor_line, args)
            warnings = (_tiny_warning(len(span), rules.anchor_line, next_arguments), *warnings)
    elif is_cut:
        next_arguments = _slice_beyond(block, span, args)
    return ToolResult(
        content=content,
        truncated=is_cut or are_cut(shown),
        next_arguments=next_arguments,
        warnings=warnings,
    )


def _slice_around(anchor_line: int, args: ReadFileArgs) -> dict[str, Any]:
    return {
        "file_path": args.file_path,
        "mode": "slice",
        "offset": max(1, anchor_line - _LINES_BEFORE_ANCHOR),
        "limit": _SURROUNDING_LINES,
    }


def _tiny_warning(line_count: int, anchor_line: int, surroundings: dict[str, Any]) -> str:
    size = "is that line alone" if line_count else "holds no text"
    return (
        f"The block around line {anchor_line} {size}: the line is at the top level or between "
        "blocks. To see what surrounds it, read with mode slice, "
        f"offset {surroundings['offset']} and limit {surroundings['limit']}."
    )


def _slice_beyond(block: Block, span: range, args: ReadFileArgs) -> dict[str, Any]:
    """Return the slice after the shown lines or, if the file ends there, before them."""
    following: dict[str, Any] = {"file_path": args.file_path, "mode": "slice"}
    first, after = block.first_number + span.start, block.first_number + span.stop
    if span.stop < len(block.rows) or block.has_more_below:
        following["offset"] = after
        if "limit" in args.model_fields_set:
            following["limit"] = args.limit
    else:
        following["offset"] = max(1, first - args.limit)
        following["limit"] = first - following["offset"]
    return following


def _span_that_fits(block: Block, texts: list[str], budget: int) -> range:
    """Return the rows shown under the largest cap whose answer fits the budget."""
    ends = [0, *accumulate(1 + byte_length(text) for text in texts)]

    def size(cap: int) -> int:
        span = block.span(cap)
        return ends[span.stop] - ends[span.start] - 1

    whole = block.span(len(texts))
    if size(len(texts)) <= budget:
        return whole
    # From a cap of 2 on, a larger cap never shows fewer rows.
    caps = range(2, len(texts))
    fitting = bisect_right(caps, budget, key=size)
    span = block.span(caps[fitting - 1]) if fitting else range(0)
    if not span:
        span = block.span(1)
        if size(1) > budget:
            raise OutputBudgetTooSmall(budget, size(1))
    return span
