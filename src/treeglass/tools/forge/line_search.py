"""The search in one file: matching lines, the lines around them, and where they match."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from treeglass.errors import InvalidArguments
from treeglass.search.regex import LinePattern, RegexInvalid, compile_rust
from treeglass.search.regex.text_lines import line_feed_of
from treeglass.search.searched_bytes import without_mark

if TYPE_CHECKING:
    from treeglass.search.checkpoint import Checkpoint
    from treeglass.tools.forge.arguments import SearchArgs

_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_SPECIAL = re.compile(r"[\\.+*?()|\[\]{}^$#&\-~]")
_NEVER = "[a&&b]"
_LINES_BETWEEN_CHECKS = 1_000


class LineEvent(NamedTuple):
    """A line of the answer."""

    number: int
    text: str
    """Without its end."""
    column: int | None = None
    """The column of the first match, in bytes, from 1; None for a line of context."""
    match_text: str = ""
    """Empty where it is no whole text of the line."""


class FileEvents(NamedTuple):
    """The matches in one file."""

    events: list[LineEvent]
    has_match: bool
    """True if a line matched, also one that is not shown."""
    left_out: int
    """Lines beyond `max_matches` that would be shown."""


class LineSearch:
    """The trimmed pattern of a call, ready to search, or `InvalidArguments`.

    The answer holds at most `max_events` lines of one file; one more is returned.
    """

    def __init__(
        self, args: SearchArgs, pattern: str, max_events: int, checkpoint: Checkpoint
    ) -> None:
        case = (args.case or "").strip().casefold()
        has_capital = any("A" <= character <= "Z" for character in pattern)
        # Whenever case is ignored, Unicode is off, and what is searched are bytes.
        self._is_bytes = case == "insensitive" or (case != "sensitive" and not has_capital)
        source = _SPECIAL.sub(r"\\\g<0>", pattern) if args.fixed_strings else pattern
        if args.word_regexp:
            source = rf"\b{{start-half}}(?:{source})\b{{end-half}}"
        self._first = self._compile(source, checkpoint)
        # Only the first line of a file has the start of the text.
        rest = _ESCAPED.sub(lambda found: _NEVER if found[1] == "A" else found[0], source)
        self._rest = self._first if rest == source else self._compile(rest, checkpoint)
        self._context = args.context or 0
        self._max_events = max_events

    @property
    def pattern(self) -> LinePattern:
        """The pattern that a line of a file must match."""
        return self._first

    def _compile(self, source: str, checkpoint: Checkpoint) -> LinePattern:
        try:
            return compile_rust(
                source,
                ignore_case=self._is_bytes,
                unicode=not self._is_bytes,
                checkpoint=checkpoint,
            )
        except RegexInvalid as error:
            raise InvalidArguments(f"rg: {str(error).strip()}") from None

    def search(
        self,
        content: bytes,
        max_matches: int,
        checkpoint: Callable[[], None],
        *,
        is_alone: bool,
        max_counted: int,
    ) -> FileEvents:
        """Return the lines of a whole file to show, of which at most `max_matches` match.

        If another file is searched, too, a NUL ends a line. At most `max_counted` lines beyond
        `max_matches` are counted.
        """
        content = without_mark(content)
        if not is_alone:
            content = content.replace(b"\0", b"\n")
        text = content if self._is_bytes else content.decode("utf-8", "surrogateescape")
        return self._events(text, max_matches, checkpoint, max_counted)

    def _events(
        self, text: str | bytes, max_matches: int, checkpoint: Callable[[], None], max_counted: int
    ) -> FileEvents:
        lines = _NumberedLines(text)
        events: list[LineEvent] = []
        count = shown_up_to = left_out = 0
        for start, end in self._first.matching_lines(text, checkpoint):
            if count == max_matches:
                left_out += self._is_shown(start, text[start:end], checkpoint)
                if left_out == max_counted:
                    break
                continue
            if len(events) > self._max_events:
                count += 1
                continue
            number = lines.number_at(start)
            if self._context:
                # What follows the match before, and what leads to this one.
                after = min(number - 1, shown_up_to + self._context) if count else 0
                before = max(shown_up_to, after, number - self._context - 1)
                around = chain(range(shown_up_to + 1, after + 1), range(before + 1, number))
                self._add_context(events, lines, around, checkpoint)
            count += 1
            shown_up_to = number
            event = self._match(number, text[start:end], checkpoint)
            if event is not None:
                events.append(event)
        if self._context and count:
            end = min(lines.count(), shown_up_to + self._context)
            self._add_context(events, lines, range(shown_up_to + 1, end + 1), checkpoint)
        return FileEvents(events, count > 0, left_out)

    def _add_context(
        self,
        events: list[LineEvent],
        lines: _NumberedLines,
        numbers: Iterable[int],
        checkpoint: Callable[[], None],
    ) -> None:
        for number in numbers:
            if len(events) > self._max_events:
                return
            # Lines that are not UTF-8 become no events, so that a whole file of them may pass.
            if number % _LINES_BETWEEN_CHECKS == 0:
                checkpoint()
            _add(events, number, lines.text_of(number))

    def _is_shown(self, start: int, line: str | bytes, checkpoint: Callable[[], None]) -> bool:
        """Tell whether a line that matches becomes an event."""
        if _text_of(line) is None:
            return False
        is_sure = start == 0 or self._rest is self._first
        return is_sure or next(iter(self._rest.spans(line, checkpoint)), None) is not None

    def _match(
        self, number: int, line: str | bytes, checkpoint: Callable[[], None]
    ) -> LineEvent | None:
        pattern = self._first if number == 1 else self._rest
        span = next(iter(pattern.spans(line, checkpoint)), None)
        text = _text_of(line)
        if span is None or text is None:
            return None
        start, end = span
        if isinstance(line, str):
            # All text here is valid: `_text_of` has told.
            start, end = len(line[:start].encode()), len(line[:end].encode())
        return LineEvent(number, text, start + 1, _part(text.encode(), start, end))


class _NumberedLines:
    """The lines of a text, read once from its start to its end."""

    def __init__(self, text: str | bytes) -> None:
        self._text = text
        self._number = 1
        self._at = 0

    def number_at(self, start: int) -> int:
        """Return the number of the line that begins at a place, later with each call."""
        self._number += self._text.count(line_feed_of(self._text), self._at, start)
        self._at = start
        return self._number

    def text_of(self, number: int) -> str | bytes:
        """Return a line by its number."""
        return self._lines[number - 1]

    def count(self) -> int:
        """Return how many lines there are."""
        return len(self._lines)

    @cached_property
    def _lines(self) -> list[str | bytes]:
        lines = [*self._text.split(line_feed_of(self._text))]
        return lines if lines[-1] else lines[:-1]


def _add(events: list[LineEvent], number: int, line: str | bytes) -> None:
    text = _text_of(line)
    if text is not None:
        events.append(LineEvent(number, text))


def _text_of(line: str | bytes) -> str | None:
    """Return a line without its end, None if it is not valid UTF-8."""
    try:
        text = line.decode() if isinstance(line, bytes) else line.encode().decode()
    except UnicodeError:
        return None
    return text.rstrip("\r\n")


def _part(line: bytes, start: int, end: int) -> str:
    try:
        return line[start:end].decode() if end <= len(line) else ""
    except UnicodeDecodeError:
        return ""
