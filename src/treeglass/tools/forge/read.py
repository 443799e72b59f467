"""`Read`: a text file or a range of its lines, or base64, as docs/tools/forge_read.md says."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from treeglass.errors import InvalidArguments
from treeglass.tool import ToolContext, ToolResult
from treeglass.tools.forge.errors import ExecutionFailed
from treeglass.tools.forge.paths.path_sandbox import PathSandbox
from treeglass.tools.forge.text import cut_to_lines, sanitized
from treeglass.utf8 import WHITE_SPACE, decode_lossy

if TYPE_CHECKING:
    from treeglass.search.checkpoint import Checkpoint
    from treeglass.tools.forge.arguments import ReadArgs
    from treeglass.workspace import ResolvedPath

_SNIFFED_BYTES = 8192
_BLOCK_BYTES = 65_536
_LINES_BETWEEN_CHECKS = 1_000
_BINARY = "[binary:base64]"
_BINARY_CUT = "[binary:base64][truncated]"
_MAX_NOTED_BYTES = 10 * 1024 * 1024
"""Largest file of which a range is noted for `Edit`."""
_CRASH_DUMPS = ("core", "dmp", "mdmp", "stackdump")


class _Lines(NamedTuple):
    """The lines of an answer."""

    start: int
    """Number of the first."""
    raw: bytes
    """With their ends."""
    has_more: bool
    """True if lines follow."""


def run(args: ReadArgs, context: ToolContext) -> ToolResult:
    """Answer a call."""
    _check(args)
    path = PathSandbox(context).resolve(args.path)
    workspace = context.workspace
    if workspace.status(path).kind == "directory":
        raise ExecutionFailed("path is a directory")
    if _is_crash_dump(path.virtual.rpartition("/")[2].lower()):
        raise ExecutionFailed("reading crash-dump artifacts is blocked")
    with workspace.open(path) as file:
        size_bytes = workspace.status(path).size_bytes
        first = file.read(_SNIFFED_BYTES)
        is_range = args.start_line is not None or args.end_line is not None
        if b"\0" in first:
            if is_range:
                raise InvalidArguments("Line ranges are not supported for binary files")
            return _binary(first, file, size_bytes, context.budget_bytes)
        lines = _range(args, first, file, context) if is_range else _whole(first, file, context)
    result, shown_lines = _answer(args, lines, context)
    if context.seen is None or not shown_lines or (is_range and size_bytes > _MAX_NOTED_BYTES):
        return result
    return replace(result, seen=_noted(path, lines.start, shown_lines, context))


def _noted(
    path: ResolvedPath, start: int, shown_lines: int, context: ToolContext
) -> dict[str, Any]:
    """Return what `Edit` has to know of a read."""
    # A page that offers no tool that changes does not fetch what makes digests.
    from treeglass.tools.forge.seen_lines import (  # noqa: PLC0415
        kept_as,
        lines_seen_as_well,
    )

    return kept_as(path, lines_seen_as_well(context, path, start, start + shown_lines - 1))


def _check(args: ReadArgs) -> None:
    if not args.path.strip(WHITE_SPACE):
        raise InvalidArguments("path must not be empty")
    if args.start_line == 0:
        raise InvalidArguments("start_line must be >= 1")
    if args.end_line == 0:
        raise InvalidArguments("end_line must be >= 1")
    if args.end_line is not None and (args.start_line or 1) > args.end_line:
        raise InvalidArguments("start_line must be <= end_line")


def _is_crash_dump(name: str) -> bool:
    stem, dot, suffix = name.rpartition(".")
    has_suffix = bool(stem and dot)
    return name == "core" or name.startswith("core.") or (has_suffix and suffix in _CRASH_DUMPS)


def _binary(first: bytes, file: BinaryIO, size_bytes: int, budget_bytes: int) -> ToolResult:
    def fitting(header: str) -> int:
        return max(0, budget_bytes - len(header) - 1) // 4 * 3

    if budget_bytes <= len(_BINARY) + 1:
        return ToolResult(content=_BINARY[:budget_bytes], truncated=True)
    is_cut = size_bytes > fitting(_BINARY)
    header = _BINARY_CUT if is_cut else _BINARY
    wanted = fitting(header) if is_cut else size_bytes
    raw = first[:wanted] + (file.read(wanted - len(first)) if wanted > len(first) else b"")
    content = f"{header}\n{base64.b64encode(raw).decode('ascii')}"
    return ToolResult(content=content[:budget_bytes], truncated=is_cut)


def _whole(first: bytes, file: BinaryIO, context: ToolContext) -> _Lines:
    limit = context.config.tools.forge_read.max_file_read_bytes
    if context.available_capacity_bytes is not None:
        limit = min(limit, context.available_capacity_bytes)
    raw = first + file.read(max(0, limit + 1 - len(first)))
    if len(raw) > limit:
        raise ExecutionFailed("File too large; use start_line/end_line")
    return _Lines(1, raw, has_more=False)


def _range(args: ReadArgs, first: bytes, file: BinaryIO, context: ToolContext) -> _Lines:
    """Read up to the last line that is asked for, and never more than may be scanned."""
    limit = context.config.tools.forge_read.max_scan_bytes
    start = args.start_line or 1
    number = 1
    scanned = 0
    kept: list[bytes] = []
    blocks = _blocks(first, file, context)
    for block in blocks:
        at = 0
        while at < len(block):
            if args.end_line is not None and number > args.end_line:
                return _Lines(start, b"".join(kept), has_more=True)
            end = block.find(b"\n", at) + 1
            piece = block[at : end or len(block)]
            scanned += len(piece)
            if scanned > limit:
                raise ExecutionFailed("Scan limit exceeded; narrow the range")
            if number >= start:
                kept.append(piece)
            number += end > 0
            at += len(piece)
    return _Lines(start, b"".join(kept), has_more=False)


def _blocks(first: bytes, file: BinaryIO, context: ToolContext) -> Iterator[bytes]:
    block = first
    while block:
        yield block
        context.checkpoint()
        block = file.read(_BLOCK_BYTES)


def _answer(args: ReadArgs, lines: _Lines, context: ToolContext) -> tuple[ToolResult, int]:
    """Return the answer, and how many lines it shows; an empty file or range counts as one."""
    text = decode_lossy(lines.raw)
    if args.line_numbers:
        text = _numbered(text, lines.start, context.checkpoint)
    is_sanitized = context.config.tools.forge_read.sanitize
    shown = sanitized(text, checkpoint=context.checkpoint) if is_sanitized else text
    cut = cut_to_lines(shown, context.budget_bytes)
    # Lines that were taken out, such as those of a key, leave no way to count on.
    is_counted = shown.count("\n") == text.count("\n")
    following = None
    if cut.kept_lines and is_counted:
        following = {**args.written(), "start_line": lines.start + cut.kept_lines}
    elif cut.kept_lines is None and lines.has_more:
        following = _next_range(args)
    result = ToolResult(
        content=cut.text,
        truncated=cut.kept_lines is not None or lines.has_more,
        next_arguments=following,
        warnings=_warnings(args, lines, is_changed=shown != text),
    )
    if cut.kept_lines is not None:
        return result, cut.kept_lines
    return result, max(1, lines.raw.count(b"\n") + (lines.raw[-1:] not in {b"", b"\n"}))


def _next_range(args: ReadArgs) -> dict[str, Any]:
    """Return the arguments of the next range of the same length."""
    end = args.end_line or 1
    length = end - (args.start_line or 1) + 1
    return {**args.written(), "start_line": end + 1, "end_line": end + length}


def _numbered(text: str, start: int, checkpoint: Checkpoint) -> str:
    if not text:
        return ""
    ends_line = text.endswith("\n")
    lines = text.removesuffix("\n").split("\n")
    width = len(str(start + len(lines) - 1))
    is_ended = [True] * (len(lines) - 1) + [ends_line]
    shown = []
    for number, (line, ended) in enumerate(zip(lines, is_ended, strict=True), start=start):
        if number % _LINES_BETWEEN_CHECKS == 0:
            checkpoint()
        # One CR before a line feed belongs to the end of the line.
        shown.append(f"{number:>{width}}| {line.removesuffix(chr(13)) if ended else line}")
    return "\n".join(shown) + ("\n" if ends_line else "")


def _warnings(args: ReadArgs, lines: _Lines, *, is_changed: bool) -> tuple[str, ...]:
    warnings = []
    if not lines.raw and args.start_line is not None:
        warnings.append(f"The file ends before line {args.start_line}.")
    if is_changed:
        warnings.append(
            "Characters or keys of this file are taken out or masked, "
            "so the text differs from the file's."
        )
    return tuple(warnings)
