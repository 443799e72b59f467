"""The preview of a change: a unified diff as the published tools show it to a model.

It is no patch, and a person is shown another diff. Implements Write.md 6 and Edit.md 5.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from treeglass.utf8 import byte_length

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from treeglass.tool import ToolContext

MAX_PIECES: Final = 100
"""Most pieces of a preview: two names, heads of hunks, and lines."""

MAX_BYTES: Final = 10_240
"""Most UTF-8 bytes of all pieces, the line feeds between them not counted."""

_LINE_ENDS: Final = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""What ends a line for `str.splitlines`, and so in a preview; CRLF ends one line."""

_LINES_PER_LOOK = 64
"""How many lines are compared until the clock is looked at. One of them may be compared with
the hundredth part of all lines of the other text, and no more."""


class Preview(NamedTuple):
    """The pieces that are shown, and what was counted up to the end or the cut."""

    pieces: tuple[str, ...]
    is_cut: bool
    """Whether pieces follow that are not shown."""
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
    """Return the preview of a text that becomes another.

    Args:
        old: The whole text before.
        new: The whole text after.
        name: The file's, for the first two pieces.
        context: Of the call; its clock is looked at while lines are compared.
        keeps_indentation: Whether white space stays at the beginning of added and removed lines.

    Raises:
        LimitExceeded: One of the texts has more than `Limits.max_held_lines`.
        CallTimedOut: The time of the call is over.
    """
    if old == new:
        return Preview((), is_cut=False, lines_added=0, lines_removed=0)
    for text in (old, new):
        context.workspace.limits.require("max_held_lines", count_lines(text))
    pieces = difflib.unified_diff(
        _WatchedLines(old.splitlines(keepends=True), context.checkpoint),
        _WatchedLines(new.splitlines(keepends=True), context.checkpoint),
        f"a/{name}",
        f"b/{name}",
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


class _WatchedLines(list[str]):
    """Lines that look at the call's clock as they are read.

    `difflib` reads each line of one text once, and those of the other for each part that it
    compares; in the worst case it takes the product of the numbers of lines.
    """

    def __init__(self, lines: list[str], checkpoint: Callable[[], None]) -> None:
        super().__init__(lines)
        self._checkpoint = checkpoint
        self._until_look = 0

    def _look(self) -> None:
        self._until_look -= 1
        if self._until_look < 0:
            self._until_look = _LINES_PER_LOOK
            self._checkpoint()

    def __iter__(self) -> Iterator[str]:
        for line in super().__iter__():
            self._look()
            yield line

    def __getitem__(self, index: Any) -> Any:
        self._look()
        return super().__getitem__(index)
