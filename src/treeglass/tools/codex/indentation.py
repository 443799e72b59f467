"""The indentation walk of `read_file`: from an anchor line outwards, by columns.

Specified in codex.md 3.5. Holds only the lines that the walk may take, never
the file; opens nothing and renders nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from treeglass.errors import LimitExceeded
from treeglass.tools.codex.errors import RespondToModel
from treeglass.tools.codex.text import HEAD_BYTES
from treeglass.utf8 import WHITE_SPACE, decode_lossy
from treeglass.workspace.lines import Line, iter_lines, skip_lines

if TYPE_CHECKING:
    from treeglass.workspace import Limits

_LEVEL_COLUMNS = 4
_TAB_COLUMNS = 4
_COMMENT_MARKS = ("#", "//", "--")

# With this many characters after the leading white space, the head of a line is enough:
# a comment's mark takes two, and a sequence that is cut in half gives at most three.
_SURE_CHARS = 5

# Lines read above the window, to find the column that a blank line at its top
# inherits. After a longer run of blank lines, the file is read again from its start.
_LOOKBACK_LINES = 64


class Row(NamedTuple):
    """A line, and the facts about it that the walk needs."""

    line: Line
    """The line, with at most `HEAD_BYTES` of it."""
    column: int | None
    """Its effective column. A blank line has the column of the line before it,
    or None if no line with text was read before."""
    is_blank: bool
    is_comment: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockRules:
    """The block that a call asks for."""

    anchor_line: int
    """Number of the line that the walk starts from, 1 or more."""
    max_levels: int
    """Enclosing levels to include; 0 for all of them."""
    include_siblings: bool
    include_header: bool
    cap: int
    """Most lines to take, 1 or more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """The rows that the walk took, and the order in which it took them."""

    rows: list[Row]
    """All rows, in file order."""
    first_number: int
    """Line number of the first row."""
    reaches: list[tuple[int, int]]
    """Rows above and below the anchor that each smaller cap would have taken; the
    item n - 1 is for a cap of n."""
    is_capped: bool
    """True if the cap ended the walk."""
    has_more_below: bool
    """True if the file goes on after the last row."""
    is_anchor_alone: bool
    """True if the cap or the file allows one row only."""

    @property
    def is_part_of_file(self) -> bool:
        """True if the file has lines that the walk did not take."""
        return self.first_number > 1 or self.has_more_below

    def span(self, cap: int) -> range:
        """Return the indexes of the rows that are shown under a cap, from 1 to the number of rows.

        Blank rows at the top and at the bottom are not shown, except an anchor that is the only row
        asked for.
        """
        above, below = self.reaches[cap - 1]
        anchor = self.reaches[-1][0]
        start, stop = anchor - above, anchor + below + 1
        if cap == 1 and (self.is_anchor_alone or len(self.rows) > 1):
            return range(start, stop)
        while start < stop and self.rows[start].is_blank:
            start += 1
        while start < stop and self.rows[stop - 1].is_blank:
            stop -= 1
        return range(start, stop)


def read_block(
    file: BinaryIO, rules: BlockRules, limits: Limits, checkpoint: Callable[[], None]
) -> Block:
    """Return the block around an anchor line of a file, which is open at its start and seekable.

    Implements codex.md 3.5, except which rows are shown; see `Block.span`. `max_held_lines` bounds
    the rows held, `max_line_bytes` how far the white space at the start of a line is read.
    """
    reader = _Reader(file, limits, checkpoint)
    above, anchor = reader.seek_anchor(rules)
    return _walk(above, anchor, reader, rules)


class _Reader:
    """Classifies lines one after the other, within the limits."""

    def __init__(self, file: BinaryIO, limits: Limits, checkpoint: Callable[[], None]) -> None:
        self._file = file
        self._limits = limits
        self._checkpoint = checkpoint
        self._column: int | None = 0
        self._lines: Iterator[Line] = iter(())

    def seek_anchor(self, rules: BlockRules) -> tuple[deque[Row], Row]:
        """Return up to ``cap`` rows above the anchor, and the anchor."""
        # One more than the walk can take, to tell whether the cap ended it.
        skipped = max(0, rules.anchor_line - 1 - rules.cap - _LOOKBACK_LINES)
        above, anchor = self._read_window(skipped, rules)
        if anchor.column is None or (above and above[0].column is None):
            above, anchor = self._read_window(0, rules)
        return above, anchor

    def _read_window(self, skipped: int, rules: BlockRules) -> tuple[deque[Row], Row]:
        self._file.seek(0)
        # The line above the first one that is read is unknown.
        self._column = None if skipped else 0
        if skip_lines(self._file, skipped, self._checkpoint) < skipped:
            raise RespondToModel("anchor_line exceeds file length")
        head_bytes = max(self._limits.max_line_bytes, HEAD_BYTES)
        self._lines = iter_lines(self._file, head_bytes, self._checkpoint)
        above: deque[Row] = deque()
        for _ in range(rules.anchor_line - 1 - skipped):
            above.append(self._required_row())
            if len(above) > rules.cap:
                above.popleft()
            self.refuse_more_than_held(len(above))
        return above, self._required_row()

    def _required_row(self) -> Row:
        row = self.next_row()
        if row is None:
            raise RespondToModel("anchor_line exceeds file length")
        return row

    def next_row(self) -> Row | None:
        """Return the next row, or None at the end of the file."""
        line = next(self._lines, None)
        if line is None:
            return None
        text, rest = self._measured(line)
        if rest:
            indent = text[: len(text) - len(text.lstrip(" \t"))]
            self._column = len(indent) + (_TAB_COLUMNS - 1) * indent.count("\t")
        if len(line.head) > HEAD_BYTES:
            line = Line(line.head[:HEAD_BYTES], is_cut=True)
        return Row(line, self._column, not rest, rest.startswith(_COMMENT_MARKS))

    def _measured(self, line: Line) -> tuple[str, str]:
        """Return the deciding head of a line, with and without its leading white space."""
        text = decode_lossy(line.head[:HEAD_BYTES])
        rest = text.lstrip(WHITE_SPACE)
        if len(rest) < _SURE_CHARS and len(line.head) > HEAD_BYTES:
            text = decode_lossy(line.head)
            rest = text.lstrip(WHITE_SPACE)
        if len(rest) < _SURE_CHARS and line.is_cut:
            raise LimitExceeded("max_line_bytes", self._limits.max_line_bytes)
        return text, rest

    def refuse_more_than_held(self, row_count: int) -> None:
        """Raise `LimitExceeded` if that many rows may not be held."""
        self._limits.require("max_held_lines", row_count)


class _Direction:
    """One of the two walks, with its own memory of floor lines."""

    def __init__(self, floor: int, *, include_siblings: bool, favours_comments: bool) -> None:
        self._floor = floor
        self._include_siblings = include_siblings
        self._favours_comments = favours_comments
        self._met_floor_line = False
        self._is_open = True

    def accepts(self, row: Row) -> bool:
        """Tell whether the walk takes its next row; a refusal ends the walk."""
        self._is_open = self._is_open and self._passes(row)
        return self._is_open

    def _passes(self, row: Row) -> bool:
        column = row.column or 0
        if column < self._floor:
            return False
        if column > self._floor or self._include_siblings:
            return True
        is_accepted = not self._met_floor_line or (self._favours_comments and row.is_comment)
        self._met_floor_line = True
        return is_accepted


def _directions(anchor: Row, rules: BlockRules) -> tuple[_Direction, _Direction]:
    floor = 0
    if rules.max_levels:
        floor = max(0, (anchor.column or 0) - _LEVEL_COLUMNS * rules.max_levels)
    siblings = rules.include_siblings
    return (
        _Direction(floor, include_siblings=siblings, favours_comments=rules.include_header),
        _Direction(floor, include_siblings=siblings, favours_comments=False),
    )


def _walk(above: deque[Row], anchor: Row, reader: _Reader, rules: BlockRules) -> Block:
    """Take rows in rounds, one above and one below, until both walks have ended."""
    up, down = _directions(anchor, rules)
    below = reader.next_row()
    is_whole_file = rules.anchor_line == 1 and below is None
    taken_above: list[Row] = []
    taken_below: list[Row] = []
    reaches = [(0, 0)]
    is_capped = False
    took = True
    while took:
        took = False
        # Only a further row tells whether the cap ended the walk.
        if above and up.accepts(above[-1]):
            is_capped = len(reaches) >= rules.cap
            if is_capped:
                break
            taken_above.append(above.pop())
            reaches.append((len(taken_above), len(taken_below)))
            took = True
        if below is not None and down.accepts(below):
            is_capped = len(reaches) >= rules.cap
            if is_capped:
                break
            taken_below.append(below)
            reaches.append((len(taken_above), len(taken_below)))
            took = True
            below = reader.next_row()
        reader.refuse_more_than_held(len(above) + len(reaches))
    return Block(
        rows=[*reversed(taken_above), anchor, *taken_below],
        first_number=rules.anchor_line - len(taken_above),
        reaches=reaches,
        is_capped=is_capped,
        has_more_below=below is not None,
        is_anchor_alone=rules.cap == 1 or is_whole_file,
    )
