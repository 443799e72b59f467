"""`Read`: a page of a text file with numbered lines, in a Standard Envelope."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast

from treeglass.errors import (
    IsADirectory,
    NotADirectory,
    PathNotFound,
    SymlinkLoop,
    WorkspaceError,
    from_os_error,
)
from treeglass.tool import ToolContext, ToolResult
from treeglass.tools.envelope.envelope_building import (
    answer_envelope,
    largest_envelope,
    milliseconds,
)
from treeglass.tools.envelope.errors import CallFailed, WordedError, resolved
from treeglass.tools.envelope.project_paths import ProjectPaths, require_file, text_warnings
from treeglass.utf8 import lossy_text
from treeglass.workspace.lines import iter_text

if TYPE_CHECKING:
    from treeglass.tools.envelope.arguments import ReadArgs
    from treeglass.workspace import ResolvedPath, Status

_BINARY_HEAD_BYTES = 8192


class _Page(NamedTuple):
    """The lines of one page, or as many of them as a budget may hold."""

    lines: list[str]
    total_lines: int
    is_valid: bool
    """True if the whole file is UTF-8."""


class _File(NamedTuple):
    """A page, and the parts of the answer that do not depend on how much of it fits."""

    said: str
    """The path as the agent wrote it."""
    where: str
    """The file as the text shows it."""
    start_line: int
    page: _Page
    status: Status
    elapsed_seconds: float
    context: dict[str, Any]


def run(args: ReadArgs, context: ToolContext) -> ToolResult:
    """Answer a call with one page of a file."""
    paths = ProjectPaths(context.workspace)
    path, where = paths.resolve(args.path, context)
    with resolved(where):
        status = _require_file(path, context)
        page = _read(path, args, context)
        if args.start_line > max(1, page.total_lines):
            raise CallFailed(_beyond_end(args, page), where, total_lines=page.total_lines)
        file = _File(
            args.path,
            context.shown_path(where),
            args.start_line,
            page,
            status,
            context.elapsed_seconds,
            paths.envelope_context(context, lossy_text(where)),
        )
        return _largest_answer(file, context)


def _require_file(path: ResolvedPath, context: ToolContext) -> Status:
    try:
        return require_file(path, context)
    except (IsADirectory, PathNotFound, NotADirectory, SymlinkLoop):
        raise
    except WorkspaceError as error:
        raise WordedError("INTERNAL_ERROR", f"Cannot access file: {error.linux_text}") from error


def _read(path: ResolvedPath, args: ReadArgs, context: ToolContext) -> _Page:
    with context.workspace.open(path) as file:
        try:
            if b"\0" in file.read(_BINARY_HEAD_BYTES):
                message = f"File '{args.path}' appears to be binary. Cannot read as text."
                raise WordedError("BINARY_FILE", message)
            file.seek(0)
            return _read_page(file, args, context)
        except OSError as error:
            raise from_os_error(error) from None


def _read_page(file: BinaryIO, args: ReadArgs, context: ToolContext) -> _Page:
    """Return the lines that are wanted, and count all; only what an answer can hold is kept."""
    lines: list[str] = []
    unfinished: list[str] = []
    number, length, is_full = 1, 0, False
    is_valid, is_open = True, False
    for text, is_valid in iter_text(file, context.checkpoint):  # noqa: B007  # the last one counts
        ended = text.count("\n")
        if not is_full and number + ended >= args.start_line:
            *whole, rest = text.split("\n")[max(0, args.start_line - number) :]
            for part in whole[: args.limit - len(lines)]:
                if length > context.budget_bytes:
                    break
                lines.append("".join([*unfinished, part]))
                unfinished.clear()
                length += len(part)
            unfinished.append(rest)
            length += len(rest)
            is_full = len(lines) == args.limit or _cannot_grow(lines, length, context)
        number += ended
        is_open = text[-1] != "\n"
    if is_open and not is_full and number >= args.start_line:
        lines.append("".join(unfinished))
    return _Page(lines, number - 1 + is_open, is_valid)


def _cannot_grow(lines: list[str], length: int, context: ToolContext) -> bool:
    """Tell whether an unfinished line leaves the budget to those before it, if there are any."""
    if not lines:
        context.workspace.limits.require("max_line_bytes", length)
    return bool(lines) and length > context.budget_bytes


def _beyond_end(args: ReadArgs, page: _Page) -> WordedError:
    total = page.total_lines
    if total == 0:
        message = "start_line exceeds file length (file is empty). Valid start_line is 1."
    else:
        message = (
            f"start_line ({args.start_line}) exceeds file length ({total} lines). "
            f"Valid range: 1 to {total}."
        )
    return WordedError("INVALID_PARAM", message)


def _largest_answer(file: _File, context: ToolContext) -> ToolResult:
    """Return the page, or as many of its lines as fit the budget."""
    count, envelope, content = largest_envelope(
        lambda count: _envelope(file, count), len(file.page.lines), context.budget_bytes
    )
    truncated = envelope["data"]["truncated"]
    arguments = cast("dict[str, Any]", context.arguments)  # the registry decoded them
    return ToolResult(
        content=content,
        structured_content=envelope,
        truncated=truncated,
        next_arguments=(
            {**arguments, "start_line": file.start_line + count} if truncated else None
        ),
        warnings=text_warnings(envelope["data"]["content"]),
        seen=_seen(file, context),
    )


def _seen(file: _File, context: ToolContext) -> dict[str, Any]:
    """Return what the tools that change have to know; a part that was read counts as all."""
    if context.seen is None:
        return {}
    # Imported late: only tools that change ask for it.
    from treeglass.tools.envelope.read_store import seen_of_read  # noqa: PLC0415

    return seen_of_read(
        file.said,
        file.context["path_resolved"],
        mtime_ms=milliseconds(file.status.modified_ns),
        size_bytes=file.status.size_bytes,
    )


def _envelope(file: _File, count: int) -> dict[str, Any]:
    page, status = file.page, file.status
    content = "".join(
        f"{number:4d} | {line}\n" for number, line in enumerate(page.lines[:count], file.start_line)
    )
    truncated = file.start_line - 1 + count < page.total_lines
    fallback = {} if page.is_valid else {"fallback_encoding": "replace"}
    return answer_envelope(
        is_partial=truncated or not page.is_valid,
        data={"content": content, "truncated": truncated, **fallback},
        text=_text(file, count),
        elapsed_seconds=file.elapsed_seconds,
        counters={
            "lines_read": count,
            "chars_read": len(content),
            "total_lines": page.total_lines,
            "file_size_bytes": status.size_bytes,
            "file_mtime_ms": milliseconds(status.modified_ns),
            "encoding": "utf-8" if page.is_valid else "utf-8 (replace)",
        },
        context=file.context,
    )


def _text(file: _File, count: int) -> str:
    """Return what the model reads beside the content."""
    total, last = file.page.total_lines, file.start_line + count - 1
    span = f"(Lines {file.start_line}-{last})" if total else "(file is empty)"
    lines = [
        f"Read {count} lines from '{file.where}' {span}.",
        f"(Took {int(file.elapsed_seconds * 1000)}ms)",
    ]
    if last < total:
        lines.append(
            f"[Truncated: Showing {count} of {total} lines. Use start_line={last + 1} "
            f"to continue ({total - last} lines remaining).]"
        )
    if not file.page.is_valid:
        lines.append(
            "[Warning: Encoding issues detected. "
            "Some characters may be corrupted (using replacement).]"
        )
    return "\n".join(lines)
