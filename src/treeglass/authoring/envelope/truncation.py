r"""The framework's output truncation: a second, smaller envelope for a large one.

A host applies it just before a result enters a model's history. It returns
what to keep and what to save, and writes nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from treeglass.tools.envelope.envelope_building import render_envelope
from treeglass.utf8 import byte_length, cut_to_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from treeglass.tools.envelope.envelope_building import TruncationDirection

DEFAULT_MAX_LINES = 2000
"""Most lines of a serialised envelope that is left alone."""

DEFAULT_MAX_BYTES = 51_200
"""Most UTF-8 bytes of a serialised envelope that is left alone."""

DEFAULT_HEAD_TAIL_LINES = 40
"""Lines kept at each end by the direction `head_tail`."""

_BYTES_PER_KB = 1024
# One line or byte for each end.
_SMALLEST_BOUND = 2

# JSON text spells the line breaks of its strings as two characters.
_LINE_BREAK = re.compile(r"\n|\\n")


class FrameworkTruncation(NamedTuple):
    """An envelope for the history, and the text to save."""

    envelope: dict[str, Any]
    """The given envelope, or the smaller one."""
    full_text: str | None
    """The serialised original, to be saved; None if nothing was cut."""


class _Kept(NamedTuple):
    preview: str
    line_count: int
    byte_count: int


def truncate_envelope(
    envelope: Mapping[str, Any],
    *,
    max_lines: int = DEFAULT_MAX_LINES,
    max_bytes: int = DEFAULT_MAX_BYTES,
    direction: TruncationDirection = "head",
    head_tail_lines: int = DEFAULT_HEAD_TAIL_LINES,
    full_output_path: str | None = None,
) -> FrameworkTruncation:
    r"""Return an envelope with a preview if the serialised one is too large.

    An error stays an error, anything else becomes partial. An envelope whose
    context asks for `truncation_skip` is left alone.

    Args:
        envelope: A valid envelope.
        max_lines: Most lines, where a spelled-out `\n` in a string counts as a
            line break; at least 2.
        max_bytes: Most UTF-8 bytes; at least 2.
        direction: Which end is kept, or both.
        head_tail_lines: Lines kept at each end by `head_tail`; at least 1.
        full_output_path: Where the host saves the original, relative to the
            project root; None if the host does not save it.

    Raises:
        ValueError: A bound is too small.
    """
    if min(max_lines, max_bytes, head_tail_lines + 1) < _SMALLEST_BOUND:
        message = "max_lines and max_bytes must be at least 2, head_tail_lines at least 1"
        raise ValueError(message)
    full_text = render_envelope(envelope)
    starts = [0, *(match.end() for match in _LINE_BREAK.finditer(full_text))]
    original_bytes = byte_length(full_text)
    within = len(starts) <= max_lines and original_bytes <= max_bytes
    if within or envelope["context"].get("truncation_skip") is True:
        return FrameworkTruncation(dict(envelope), None)
    if direction == "head_tail":
        kept = _keep_both(full_text, starts, head_tail_lines, max_lines, max_bytes)
    else:
        kept = _keep_one(full_text, starts, max_lines, max_bytes, is_head=direction == "head")
    truncation: dict[str, Any] = {
        "direction": direction,
        "max_lines": max_lines,
        "max_bytes": max_bytes,
        "head_tail_lines": head_tail_lines if direction == "head_tail" else None,
        "original_lines": len(starts),
        "original_bytes": original_bytes,
        "kept_lines": kept.line_count,
        "kept_bytes": kept.byte_count,
        "full_output_path": full_output_path,
    }
    return FrameworkTruncation(_rewrap(envelope, truncation, kept.preview), full_text)


def _rewrap(
    envelope: Mapping[str, Any], truncation: dict[str, Any], preview: str
) -> dict[str, Any]:
    size_kb = truncation["original_bytes"] / _BYTES_PER_KB
    where = truncation["full_output_path"]
    if where is None:
        del truncation["full_output_path"]
    advice = (
        f"The full output is saved in '{where}'; read the part you need from there."
        if where
        else "The full output was not saved; use narrower arguments to get less."
    )
    rest = {key: envelope[key] for key in ("error", "stats", "context") if key in envelope}
    return {
        "status": "error" if envelope["status"] == "error" else "partial",
        "data": {"truncated": True, "truncation": truncation, "preview": preview},
        "text": (
            f"Output too large, truncated ({truncation['original_lines']} lines, "
            f"{size_kb:.1f} KB). {advice}"
        ),
        **rest,
    }


def _keep_one(
    text: str, starts: list[int], max_lines: int, max_bytes: int, *, is_head: bool
) -> _Kept:
    if is_head:
        end = starts[max_lines] if len(starts) > max_lines else len(text)
        preview = cut_to_bytes(text[:end], max_bytes)
    else:
        preview = _cut_front(
            text[starts[-max_lines] if len(starts) > max_lines else 0 :], max_bytes
        )
    return _Kept(preview, _count_lines(preview), byte_length(preview))


def _keep_both(
    text: str, starts: list[int], head_tail_lines: int, max_lines: int, max_bytes: int
) -> _Kept:
    # Each end gets at most half of everything, so the two never overlap.
    line_count = max(1, min(head_tail_lines, max_lines // 2, len(starts) // 2))
    middle = starts[len(starts) // 2] or len(text) // 2
    head_end = min(starts[line_count] if len(starts) > line_count else len(text), middle)
    head = cut_to_bytes(text[:head_end], max_bytes // 2)
    tail = _cut_front(text[max(starts[-line_count], middle) :], max_bytes // 2)
    left_out = len(text) - len(head) - len(tail)
    return _Kept(
        f"{head}\n... [{left_out} characters left out] ...\n{tail}",
        _count_lines(head) + _count_lines(tail),
        byte_length(head) + byte_length(tail),
    )


def _cut_front(text: str, max_bytes: int) -> str:
    """Return the longest suffix of whole code points within ``max_bytes`` bytes."""
    return text.encode()[-max_bytes:].decode("utf-8", "ignore") if max_bytes else ""


def _count_lines(text: str) -> int:
    """Return how many lines a piece touches; a break at its end begins no line."""
    if not text:
        return 0
    breaks = [match.end() for match in _LINE_BREAK.finditer(text)]
    return len(breaks) + (not breaks or breaks[-1] != len(text))
