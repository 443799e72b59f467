"""The preview of a change as the published tools show it to a model: Write.md 6 and Edit.md 5."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from treeglass.tools.envelope.changes.unified_diff import unified_diff
from treeglass.utf8 import byte_length

if TYPE_CHECKING:
    from treeglass.tool import ToolContext

MAX_PIECES: Final = 100
"""Most pieces of a preview: two names, heads of hunks, and lines."""

MAX_BYTES: Final = 10_240
"""Most UTF-8 bytes of all pieces, the line feeds between them not counted."""

_LINE_ENDS: Final = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""The line ends of `str.splitlines`, and so of a preview; CRLF ends one line."""


class Preview(NamedTuple):
    """The pieces that are shown, and what was counted up to the end or the cut."""

    pieces: tuple[str, ...]
    is_cut: bool
    """True if pieces follow that are not shown."""
    lines_added: int
    lines_removed: int

    def text(self, count: int) -> str:
        """Return the first pieces, given how many; the text says if others follow."""
        shown = "\n".join(self.pieces[:count])
        return f"{shown}\n... (truncated)" if self.is_cut_at(count) else shown

    def is_cut_at(self, count: int) -> bool:
        """Tell whether a text of so many pieces leaves some out."""
        return self.is_cut or count < len(self.pieces)


def count_lines(text: str) -> int:
    """Return how many lines `str.splitlines` makes of a text, in little memory."""
    ends = sum(map(text.count, _LINE_ENDS)) - text.count("\r\n")
    return ends + bool(text and text[-1] not in _LINE_ENDS)


def preview_change(
    old: str, new: str, name: str, context: ToolContext, *, keeps_indentation: bool = True
) -> Preview:
    """Return the preview of a text that becomes another; its first two pieces have the file's name.

    White space at the beginning of added and removed lines may be left out.
    """
    if old == new:
        return Preview((), is_cut=False, lines_added=0, lines_removed=0)
    for text in (old, new):
        context.workspace.limits.require("max_held_lines", count_lines(text))
    pieces = unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), name, context.checkpoint
    )
    return _taken(pieces, keeps_indentation=keeps_indentation)


def _taken(pieces: Iterator[str], *, keeps_indentation: bool) -> Preview:
    taken: list[str] = []
    size = added = removed = 0
    for whole in pieces:
        sign, piece = whole[0], whole
        if sign in "+-":
            # A line that begins with two more signs is not counted, as the names are not.
            is_counted = not whole.startswith(3 * sign)
            added += sign == "+" and is_counted
            removed += sign == "-" and is_counted
            if not keeps_indentation:
                piece = sign + whole[1:].lstrip()
        size += byte_length(piece)
        if len(taken) >= MAX_PIECES or size > MAX_BYTES:
            return Preview(tuple(taken), is_cut=True, lines_added=added, lines_removed=removed)
        taken.append(piece)
    return Preview(tuple(taken), is_cut=False, lines_added=added, lines_removed=removed)
