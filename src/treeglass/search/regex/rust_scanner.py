"""Reading a pattern of Rust's dialect: places, blanks, numbers and escapes, without flags."""

from __future__ import annotations

from typing import NamedTuple, NoReturn

from treeglass.search.regex.ceilings import RegexInvalid
from treeglass.search.regex.tree import Look

_META = frozenset("\\.+*?()|[]{}^$#&-~")
_CONTROLS = {"a": "\a", "f": "\f", "t": "\t", "n": "\n", "r": "\r", "v": "\v"}
_LOOKS = {
    "A": Look.LINE_START,
    "z": Look.LINE_END,
    "b": Look.WORD_EDGE,
    "B": Look.NO_WORD_EDGE,
    "<": Look.WORD_START,
    ">": Look.WORD_END,
}
_EDGES = {
    "start": Look.WORD_START,
    "end": Look.WORD_END,
    "start-half": Look.WORD_START_HALF,
    "end-half": Look.WORD_END_HALF,
}
_MAX_U32 = (1 << 32) - 1
_PCRE2 = (
    "\n\nConsider enabling PCRE2 with the --pcre2 flag, which can handle backreferences"
    "\nand look-around."
)


class Escape(NamedTuple):
    """One escape, or one plain character."""

    kind: str
    r"""`literal`, `byte` (`\xNN`), `class` (`\d`), `property` (`\p`) or `look`."""
    value: str
    """The character, the class's letter, the property's name, or that of a `Look`."""
    start: int
    end: int


class Decimal(NamedTuple):
    """A number in a pattern."""

    value: int | None
    """None if there are no digits."""
    span: tuple[int, int]


class Scanner:
    """A pattern and a place in it."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.skips_blanks = False

    def fail(self, reason: str, *spans: tuple[int, int]) -> NoReturn:
        """Raise the error that Rust prints."""
        raise self.error(reason, *spans)

    def error(self, reason: str, *spans: tuple[int, int]) -> RegexInvalid:
        """Return the error that Rust prints, with ripgrep's advice."""
        found = _rust_error(self.pattern, reason, *spans)
        if reason.startswith(("backreferences", "look-around")):
            return RegexInvalid(f"{found}{_PCRE2}")
        return found

    @property
    def is_at_end(self) -> bool:
        """True if nothing is left."""
        return self.at >= len(self.pattern)

    @property
    def char(self) -> str:
        """The character here; empty at the end."""
        return self.pattern[self.at : self.at + 1]

    @property
    def here(self) -> tuple[int, int]:
        """The span of the character here."""
        return self.at, self.at + 1

    def peek(self) -> str:
        """Return the character behind this one."""
        return self.pattern[self.at + 1 : self.at + 2]

    def peek_past_blanks(self) -> str:
        """Return the next character, as the flag `x` sees it."""
        before = self.at
        self.at += 1
        self.skip_blanks()
        found = self.char
        self.at = before
        return found

    def skip(self, text: str) -> bool:
        """Step over a text, if it comes next."""
        if not self.pattern.startswith(text, self.at):
            return False
        self.at += len(text)
        return True

    def step(self) -> bool:
        """Go one character further; tell whether there is another."""
        self.at = min(self.at + 1, len(self.pattern))
        return not self.is_at_end

    def step_past_blanks(self) -> bool:
        """Go further, and over what the flag `x` ignores."""
        self.step()
        self.skip_blanks()
        return not self.is_at_end

    def skip_blanks(self) -> None:
        """Step over what the flag `x` ignores: white space and comments."""
        if not self.skips_blanks:
            return
        while not self.is_at_end:
            if self.char.isspace():
                self.at += 1
            elif self.char == "#":
                end = self.pattern.find("\n", self.at)
                self.at = len(self.pattern) if end < 0 else end + 1
            else:
                return

    def decimal(self) -> Decimal:
        """Read a decimal number, with the blanks around it."""
        while self.char.isspace():
            self.at += 1
        start = self.at
        digits = ""
        while self.char and self.char in "0123456789":
            digits += self.char
            self.step_past_blanks()
        span = (start, self.at)
        while self.char.isspace():
            self.step_past_blanks()
        if len(digits) > len(str(_MAX_U32)) or int(digits or "0") > _MAX_U32:
            self.fail("decimal literal invalid", span)
        return Decimal(int(digits) if digits else None, span)

    def escape(self) -> Escape:
        """Read what a backslash begins."""
        start = self.at
        if not self.step():
            self.fail(
                "incomplete escape sequence, reached end of pattern prematurely", (start, self.at)
            )
        char = self.char
        if char in "0123456789":
            self.fail("backreferences are not supported", (start, self.at + 1))
        if char in "xuU":
            return self._hexadecimal(start)
        if char in "pP":
            return self._property(start)
        self.step()
        if char in "dswDSW":
            return Escape("class", char, start, self.at)
        if char in _META or (char.isascii() and not char.isalnum() and char not in "<>"):
            return Escape("literal", char, start, self.at)
        if char in _CONTROLS:
            return Escape("literal", _CONTROLS[char], start, self.at)
        if char not in _LOOKS:
            self.fail("unrecognized escape sequence", (start, self.at))
        look = _LOOKS[char]
        if char == "b" and self.char == "{":
            look = self._word_edge(start) or look
        return Escape("look", look.name, start, self.at)

    def _hexadecimal(self, start: int) -> Escape:
        kind = self.char
        if not self.step_past_blanks():
            self._ends_early()
        digits = ""
        if self.char == "{":
            opened = self.at
            first = self.at + 1
            while self.step_past_blanks() and self.char != "}":
                digits += self._hexadecimal_digit()
            if self.is_at_end:
                self._ends_early((opened, self.at))
            last = self.at
            self.step_past_blanks()
            if not digits:
                self.fail("hexadecimal literal empty", (opened, self.at))
            is_byte = False
        else:
            first = self.at
            for number in range({"x": 2, "u": 4, "U": 8}[kind]):
                if number and not self.step_past_blanks():
                    self._ends_early()
                digits += self._hexadecimal_digit()
            self.step_past_blanks()
            last = self.at
            is_byte = kind == "x"
        code = int(digits, 16)
        if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            self.fail("hexadecimal literal is not a Unicode scalar value", (first, last))
        return Escape("byte" if is_byte else "literal", chr(code), start, self.at)

    def _hexadecimal_digit(self) -> str:
        if not self.char or self.char not in "0123456789abcdefABCDEF":
            self.fail("invalid hexadecimal digit", self.here)
        return self.char

    def _ends_early(self, span: tuple[int, int] | None = None) -> NoReturn:
        self.fail(
            "incomplete escape sequence, reached end of pattern prematurely",
            span or (self.at, self.at),
        )

    def _property(self, start: int) -> Escape:
        letter = self.char
        if not self.step_past_blanks():
            self._ends_early()
        name = ""
        if self.char == "{":
            while self.step_past_blanks() and self.char != "}":
                name += self.char
            if self.is_at_end:
                self._ends_early()
            self.step()
        else:
            name = self.char
            if name == "\\":
                self.fail("invalid Unicode character class", self.here)
            self.step_past_blanks()
        return Escape("property", letter + name, start, self.at)

    def _word_edge(self, start: int) -> Look | None:
        r"""Read what follows `\b` in braces; None if it is a repetition."""
        opened = self.at
        if not self.step_past_blanks():
            self.fail(
                "found either the beginning of a special word boundary or a bounded repetition "
                "on a \\b with an opening brace, but no closing brace",
                (start, self.at),
            )
        first = self.at
        name = ""
        while self.char and self.char.isascii() and (self.char.isalpha() or self.char == "-"):
            name += self.char
            self.step_past_blanks()
        if not name:
            self.at = opened
            return None
        if self.char != "}":
            self.fail(
                "special word boundary assertion is either unclosed or contains an invalid "
                "character",
                (opened, self.at),
            )
        last = self.at
        self.step()
        if name not in _EDGES:
            self.fail(
                "unrecognized special word boundary assertion, valid choices are: start, end, "
                "start-half or end-half",
                (first, last),
            )
        return _EDGES[name]


def _rust_error(pattern: str, reason: str, *spans: tuple[int, int]) -> RegexInvalid:
    """Return the error that Rust's parser prints, with carets below the spans."""
    lines = pattern.split("\n")
    # A line feed at the very end begins no line of its own.
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    shown: list[str] = []
    line_start = 0
    is_long = "\n" in pattern
    for number, line in enumerate(lines, start=1):
        prefix = f"{number:>{len(str(len(lines)))}}: " if is_long else "    "
        shown.append(prefix + line)
        marks = _carets(line, line_start, spans)
        if marks:
            shown.append(" " * len(prefix) + marks)
        line_start += len(line) + 1
    if is_long:
        rule = "~" * 79
        shown = [rule, *shown, rule]
    return RegexInvalid("\n".join(["regex parse error:", *shown, f"error: {reason}"]))


def _carets(line: str, line_start: int, spans: tuple[tuple[int, int], ...]) -> str:
    marks = ""
    for start, end in sorted(spans):
        column = start - line_start
        if 0 <= column <= len(line):
            marks += " " * (column - len(marks)) + "^" * max(1, end - start)
    return marks
