"""The lines of a file, and LP1's operations on them; a search takes linear time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from treeglass.tools.forge.changes.lp1_patch import Lp1Invalid, Operation
from treeglass.utf8 import byte_length

if TYPE_CHECKING:
    from treeglass.search.checkpoint import Checkpoint

_STEPS_BETWEEN_CHECKS = 1024

_bare_cr = re.compile(rb"\r(?!\n)")


@dataclass(slots=True)
class FileLines:
    """A file as its lines; a new file has none."""

    lines: list[str]
    """Without their ends."""
    ends_last: bool = False
    """True if the last line has an end."""
    line_end: str = "\n"
    """The end of every line that has one."""

    @property
    def size_bytes(self) -> int:
        """The length of `content`, which is not made for it."""
        ends = max(0, len(self.lines) - (not self.ends_last))
        return sum(map(byte_length, self.lines)) + ends * len(self.line_end)

    def content(self) -> bytes:
        """Return the file's bytes."""
        last = self.line_end if self.ends_last and self.lines else ""
        return (self.line_end.join(self.lines) + last).encode()


def lines_of(content: bytes) -> FileLines:
    """Return a file as its lines, whose end is the one that occurs more; else `Lp1Invalid`."""
    bare = _bare_cr.search(content)
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        end = content.find(b"\n", error.start)
        # Of two faults, the one in the line that comes first is told.
        if bare is None or bare.start() > end >= 0:
            raise Lp1Invalid("Invalid UTF-8 in file") from None
        text = ""
    if bare is not None:
        raise Lp1Invalid("Bare CR in file")
    all_ends, crlf_ends = text.count("\n"), text.count("\r\n")
    lines = text.replace("\r\n", "\n").split("\n")
    # What follows the last end is a line of its own only if it is not empty.
    ends_last = not lines[-1]
    if ends_last:
        lines.pop()
    return FileLines(lines, ends_last and bool(lines), "\r\n" if 2 * crlf_ends > all_ends else "\n")


def apply_operations(
    file: FileLines, operations: Sequence[Operation], checkpoint: Checkpoint
) -> None:
    """Change a file by operations, each on what those before it left, until one is `Lp1Invalid`."""
    for operation in operations:
        checkpoint()
        _apply(file, operation, checkpoint)
    file.ends_last = file.ends_last and bool(file.lines)


def _apply(file: FileLines, operation: Operation, checkpoint: Checkpoint) -> None:
    lines, block = file.lines, operation.block
    if operation.find is not None:
        begin = place_of(lines, operation.find, operation.occurrence, checkpoint)
        end = begin + len(operation.find)
        if operation.letter == "I":
            begin = end
        elif operation.letter == "P":
            end = begin
        lines[begin:end] = block
    elif operation.letter == "T":
        lines.extend(block)
    elif operation.letter == "B":
        lines[:0] = block
    elif operation.ends_last_line:
        file.lines = lines or [""]
        file.ends_last = True
    else:
        if lines == [""] and file.ends_last:
            lines.clear()
        file.ends_last = False


def first_touched_line(
    file: FileLines, operations: Sequence[Operation], checkpoint: Checkpoint
) -> int | None:
    """Return the smallest number of a line that an operation names and finds; None without one."""
    numbers: list[int] = []
    for operation in operations:
        checkpoint()
        if operation.letter == "B":
            numbers.append(1)
        if operation.find is not None:
            try:
                place = place_of(file.lines, operation.find, operation.occurrence, checkpoint)
            except Lp1Invalid:
                continue
            numbers.append(place + 1)
    return min(numbers, default=None)


def place_of(
    lines: Sequence[str], find: Sequence[str], occurrence: int | None, checkpoint: Checkpoint
) -> int:
    """Return how many lines stand before the place that an operation means, or `Lp1Invalid`.

    Places that overlap count each. The occurrence counts from 1; without one, there has to be one
    place alone.
    """
    if not find:
        return _place_of_nothing(len(lines), occurrence)
    most = 2 if occurrence is None else min(occurrence, len(lines) + 1)
    found = [*islice(_places(lines, find, checkpoint), most)]
    if not found:
        raise Lp1Invalid("Match not found")
    if occurrence is None and len(found) > 1:
        raise Lp1Invalid("Match is not unique")
    if len(found) < (occurrence or 1):
        raise Lp1Invalid("Occurrence out of range")
    return found[-1]


def _place_of_nothing(line_count: int, occurrence: int | None) -> int:
    if occurrence is None:
        raise Lp1Invalid("Empty match requires occurrence")
    if occurrence - 1 > line_count:
        raise Lp1Invalid("Occurrence out of range")
    return occurrence - 1


def _places(lines: Sequence[str], find: Sequence[str], checkpoint: Checkpoint) -> Iterator[int]:
    """Yield how many lines stand before each place, from the top; by Knuth, Morris and Pratt."""
    shorter = _shorter_beginnings(find, checkpoint)
    at = matched = steps = 0
    while at < len(lines):
        steps += 1
        if steps % _STEPS_BETWEEN_CHECKS == 0:
            checkpoint()
        if matched == 0:
            try:
                at = lines.index(find[0], at)
            except ValueError:
                return
        if lines[at] != find[matched]:
            matched = shorter[matched]
            continue
        at, matched = at + 1, matched + 1
        if matched == len(find):
            yield at - matched
            matched = shorter[matched]


def _shorter_beginnings(find: Sequence[str], checkpoint: Checkpoint) -> list[int]:
    """Return, for each number of lines that match, how many match still after a mismatch.

    It is the length of the longest beginning of `find` that also ends that many lines of it, and is
    shorter than they are.
    """
    shorter = [0, 0]
    matched = 0
    for at in range(1, len(find)):
        if at % _STEPS_BETWEEN_CHECKS == 0:
            checkpoint()
        while matched and find[at] != find[matched]:
            matched = shorter[matched]
        matched += find[at] == find[matched]
        shorter.append(matched)
    return shorter
