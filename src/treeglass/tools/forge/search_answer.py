"""The answer of `Search`: the events in their order, cut to the limits, as one JSON object."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from treeglass.errors import OutputBudgetTooSmall
from treeglass.tool import ToolContext, ToolResult
from treeglass.tools.forge.canonical_json import encode_canonical
from treeglass.tools.forge.left_out import LeftOut, raised_arguments
from treeglass.tools.forge.text import sanitized
from treeglass.utf8 import WHITE_SPACE, byte_length

if TYPE_CHECKING:
    from treeglass.tools.forge.arguments import SearchArgs
    from treeglass.tools.forge.line_search import LineEvent


LEAST_EVENT_BYTES = 60
"""The least size of a line in an answer."""


class SearchEvent(NamedTuple):
    """A line of a file."""

    order: bytes
    """The place of its file."""
    arrival: int
    path: str
    line: LineEvent


class Total(NamedTuple):
    """The facts of an answer besides its events."""

    pattern: str
    path: str
    max_results: int
    files_scanned: int
    errors: list[dict[str, str]]


class Found(NamedTuple):
    """The matches of a search."""

    events: list[SearchEvent]
    exit_code: int | None
    is_timed_out: bool
    is_limited: bool = False
    """True if a limit of the workspace ended the search."""
    warnings: tuple[str, ...] = ()
    """One if either did."""


class _Rendered(Protocol):
    """Writes an answer with the first lines; `is_cut` if the budget leaves out others."""

    def __call__(self, count: int, *, is_cut: bool) -> str: ...


def answer(
    args: SearchArgs, total: Total, found: Found, left_out: LeftOut, context: ToolContext
) -> ToolResult:
    """Return the answer of a call, with as many events as fit; without any, it has to fit."""
    events = sorted(found.events, key=place_of)
    kept = events[: total.max_results]
    is_over = len(events) > len(kept)
    is_truncated = is_over or found.is_limited
    masks_keys = context.config.tools.search.mask_keys

    def rendered(count: int, *, is_cut: bool) -> str:
        return _render(total, found, kept[:count], is_truncated=is_truncated or is_cut)

    text, is_cut = _fitting_text(rendered, kept, context.budget_bytes, masks_keys=masks_keys)
    content = sanitized(text, masks_keys=masks_keys)
    warnings = found.warnings + left_out.warnings()
    if content != text:
        warnings += ("Characters or keys of these lines are taken out or masked.",)
    following: dict[str, Any] | None = None
    if not (is_cut or found.is_timed_out):
        max_results = 2 * total.max_results if is_over and total.max_results else None
        following = raised_arguments(args, left_out.raised(), max_results)
    return ToolResult(
        content=content,
        truncated=is_truncated or is_cut or found.is_timed_out or bool(left_out),
        next_arguments=following,
        warnings=warnings,
    )


def _fitting_text(
    rendered: _Rendered, kept: list[SearchEvent], budget_bytes: int, *, masks_keys: bool
) -> tuple[str, bool]:
    """Return the answer with as many lines as fit, and whether a line was left out."""

    def shown_bytes(text: str) -> int:
        # A mask may be longer than the key.
        return max(byte_length(text), byte_length(sanitized(text, masks_keys=masks_keys)))

    def size_bytes(count: int, *, is_cut: bool = True) -> int:
        text = rendered(count, is_cut=is_cut)
        size = byte_length(text)
        # Masking takes much longer than writing, and makes no room for a text that is too long.
        return size if size > budget_bytes else shown_bytes(text)

    # No more than these can fit: their texts are a part of the answer.
    count = bisect_right([*accumulate(len(event.line.text) for event in kept)], budget_bytes)
    is_cut = count < len(kept)
    if size_bytes(count, is_cut=is_cut) > budget_bytes:
        count = bisect_right(range(count), budget_bytes, key=size_bytes) - 1
        is_cut = True
    if count < 0:
        raise OutputBudgetTooSmall(budget_bytes, shown_bytes(rendered(0, is_cut=True)))
    return rendered(count, is_cut=is_cut), is_cut


def place_of(event: SearchEvent) -> tuple[bytes, int, bool, int]:
    """Return what the events of an answer are sorted by."""
    line = event.line
    return event.order, line.number, line.column is not None, event.arrival


def _render(total: Total, found: Found, events: list[SearchEvent], *, is_truncated: bool) -> str:
    completion = "truncated" if is_truncated else "complete"
    if found.is_timed_out:
        completion = "timed_out_truncated" if is_truncated else "timed_out"
    return encode_canonical(
        {
            "pattern": total.pattern,
            "path": total.path,
            "count": len(events),
            "matches": [_as_json(event) for event in events],
            "completion": completion,
            "files_scanned": total.files_scanned,
            "errors": total.errors,
            "exit_code": found.exit_code,
            "stderr": None,
            "content": _as_text(found, events, is_truncated=is_truncated),
        }
    )


def _as_json(event: SearchEvent) -> dict[str, Any]:
    line = event.line
    data: dict[str, Any] = {"path": {"text": event.path}, "line_number": line.number}
    if line.column is not None:
        data["column"] = line.column
    data["lines"] = {"text": line.text}
    if line.column is None:
        return {"type": "context", "data": data}
    data["match_text"] = line.match_text
    return {"type": "match", "data": data}


def _as_text(found: Found, events: list[SearchEvent], *, is_truncated: bool) -> str:
    shown = []
    for event in events:
        column = "" if event.line.column is None else f":{event.line.column}"
        shown.append(f"{event.path}:{event.line.number}{column}: {event.line.text}")
    if is_truncated:
        shown.append("... [truncated]")
    if found.is_timed_out:
        shown.append("... [timed out]")
    return "\n".join(shown).rstrip(WHITE_SPACE)
