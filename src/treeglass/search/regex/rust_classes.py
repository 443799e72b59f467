"""Bracketed classes of Rust's dialect: nested ones, set operations, `[:alpha:]`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

from treeglass.search.regex.class_ranges import (
    Ranges,
    difference,
    intersection,
    symmetric_difference,
    union,
)
from treeglass.search.regex.rust_scanner import Escape, Scanner

if TYPE_CHECKING:
    from treeglass.search.regex.ceilings import Meter
    from treeglass.search.regex.rust_meaning import Flags, Meaning

MAX_NESTING = 250
"""Most levels of groups, repetitions and classes in one another, as in Rust."""

TOO_NESTED = f"exceeded the maximum number of nested parentheses/brackets ({MAX_NESTING})"

_MAX_WAITING = 1_000

_OPERATIONS = {"&&": intersection, "--": difference, "~~": symmetric_difference}


@dataclass(slots=True)
class _Open:
    """A class whose closing bracket is still to come."""

    span: tuple[int, int]
    """From its bracket to its first member."""
    is_negated: bool = False
    members: Ranges = ()
    """The members read since the bracket, or since the last operation."""
    waiting: list[tuple[int, int]] = field(default_factory=list)
    """Those not yet among the members, since joining a set takes time."""
    left: Ranges = ()
    operation: str = ""

    def join(self) -> None:
        """Put what waits among the members."""
        self.members = union(self.members, tuple(self.waiting))
        self.waiting.clear()


class ClassReader:
    """Reads one class, from its bracket to the one that closes it."""

    def __init__(self, scanner: Scanner, meaning: Meaning, flags: Flags, meter: Meter) -> None:
        self._meter = meter
        self._scanner = scanner
        self._meaning = meaning
        self._flags = flags
        self._open: list[_Open] = []

    def read(self) -> Ranges:
        """Return the set; the scanner is behind it then."""
        scanner = self._scanner
        while True:
            scanner.skip_blanks()
            operation = scanner.char + scanner.peek()
            if scanner.is_at_end:
                self._unclosed()
            elif scanner.char == "[":
                if not (self._open and self._ascii_class()):
                    self._begin()
            elif scanner.char == "]":
                ranges = self._end()
                if not self._open:
                    return ranges
                self._add(ranges)
            elif operation in _OPERATIONS:
                scanner.skip(operation)
                self._operate(operation)
            else:
                self._add(self._range())

    def _add(self, ranges: Ranges) -> None:
        self._meter.count(ranges)
        opened = self._open[-1]
        opened.waiting += ranges
        if len(opened.waiting) > _MAX_WAITING + len(opened.members):
            opened.join()

    def _unclosed(self) -> NoReturn:
        self._scanner.fail("unclosed character class", self._open[-1].span)

    def _begin(self) -> None:
        scanner = self._scanner
        start = scanner.at
        opened = _Open((start, start))
        if len(self._open) >= MAX_NESTING:
            scanner.fail(TOO_NESTED, scanner.here)
        self._open.append(opened)
        self._step_within(opened)
        if scanner.char == "^":
            opened.is_negated = True
            self._step_within(opened)
        while scanner.char == "-":
            self._add(((ord("-"), ord("-")),))
            opened.span = (start, start)
            if not scanner.step_past_blanks():
                self._unclosed()
        if not opened.waiting and scanner.char == "]":
            self._add(((ord("]"), ord("]")),))
            self._step_within(opened)
        opened.span = (start, scanner.at)

    def _step_within(self, opened: _Open) -> None:
        is_more = self._scanner.step_past_blanks()
        opened.span = (opened.span[0], self._scanner.at)
        if not is_more:
            self._unclosed()

    def _end(self) -> Ranges:
        self._operate("")
        closed = self._open.pop()
        self._scanner.step()
        ranges = self._meaning.folded(closed.left, self._flags)
        return self._meaning.negated(ranges, self._flags) if closed.is_negated else ranges

    def _operate(self, following: str) -> None:
        """Apply the operation that waits for its right side; they bind equally, leftmost first."""
        opened = self._open[-1]
        opened.join()
        if opened.operation:
            left = self._meaning.folded(opened.left, self._flags)
            right = self._meaning.folded(opened.members, self._flags)
            opened.left = _OPERATIONS[opened.operation](left, right)
        else:
            opened.left = opened.members
        opened.members, opened.operation = (), following

    def _ascii_class(self) -> bool:
        """Read `[:name:]`, if it is one."""
        scanner = self._scanner
        start = scanner.at
        if scanner.skip("[:"):
            is_negated = scanner.skip("^")
            end = scanner.pattern.find(":", scanner.at)
            if end >= 0:
                name = scanner.pattern[scanner.at : end]
                scanner.at = end
                found = self._meaning.of_ascii_class(name, self._flags, is_negated=is_negated)
                if scanner.skip(":]") and found is not None:
                    self._add(found)
                    return True
        scanner.at = start
        return False

    def _range(self) -> Ranges:
        scanner = self._scanner
        first = self._item()
        scanner.skip_blanks()
        if scanner.is_at_end:
            self._unclosed()
        if scanner.char != "-" or scanner.peek_past_blanks() in ("]", "-"):
            return self._member(first)
        if not scanner.step_past_blanks():
            self._unclosed()
        last = self._item()
        for item in (first, last):
            if item.kind not in ("literal", "byte"):
                reason = "invalid range boundary, must be a literal"
                scanner.fail(reason, (item.start, item.end))
        if first.value > last.value:
            scanner.fail(
                "invalid character class range, the start must be <= the end",
                (first.start, last.end),
            )
        return self._meaning.of_class_range(first, last, self._flags)

    def _member(self, item: Escape) -> Ranges:
        if item.kind in ("class", "property"):
            return self._meaning.of_class(item, self._flags)
        if item.kind == "look":
            reason = "invalid escape sequence found in character class"
            self._scanner.fail(reason, (item.start, item.end))
        return self._meaning.of_class_range(item, item, self._flags)

    def _item(self) -> Escape:
        scanner = self._scanner
        if scanner.char == "\\":
            return scanner.escape()
        item = Escape("literal", scanner.char, scanner.at, scanner.at + 1)
        scanner.step()
        return item
