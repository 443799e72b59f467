"""The form in which the codex tools show names and lines, and the warnings about shown lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from treeglass.escaping import count_hostile
from treeglass.utf8 import byte_length, cut_to_bytes, decode_lossy

if TYPE_CHECKING:
    from treeglass.workspace.lines import Line

MAX_SHOWN_BYTES: Final = 500
"""Most UTF-8 bytes of one line or name that are shown (codex.md 1.6)."""

HEAD_BYTES = 512
"""Bytes of a line that decide which part of it is shown.

Lossy text is never shorter than its bytes, and cutting a head can spoil at most
its last three bytes: 512 bytes give at least 509 good ones, and 500 are shown.
"""

# A byte that is not UTF-8 becomes three bytes, and never more.
_SURELY_SHOWN_BYTES = MAX_SHOWN_BYTES // 3

_REPLACEMENT = "\ufffd"


def cut_text(text: str) -> str:
    """Return the longest prefix of whole code points that may be shown (codex.md 1.6)."""
    return cut_to_bytes(text, MAX_SHOWN_BYTES)


def counted(count: int, one: str, many: str) -> str:
    """Return a count with its noun and verb: `1 name is`, `1,200 names are`."""
    return f"1 {one}" if count == 1 else f"{count:,} {many}"


def numbered(number: int, line: Line) -> str:
    """Return a line, or `HEAD_BYTES` of it, as it is shown, with its number (codex.md 3.3)."""
    head = line.head
    text = decode_lossy(head)
    if len(head) > _SURELY_SHOWN_BYTES:
        text = cut_text(text)
    return f"L{number}: {text}"


def are_cut(lines: Sequence[Line]) -> bool:
    """Tell whether one of these lines is not shown whole."""
    return any(len(line.head) > _SURELY_SHOWN_BYTES and _is_shown_cut(line) for line in lines)


def line_warnings(lines: Sequence[Line], content: str) -> tuple[str, ...]:
    """Return warnings about these lines that their shown text does not tell."""
    warnings = []
    if "\0" in content:
        warnings.append("The file looks binary: the shown text holds NUL characters.")
    if _REPLACEMENT in content and (replaced := sum(map(_replaced_bytes, lines))):
        count = counted(replaced, "byte is", "bytes are")
        warnings.append(f"{count} not UTF-8 and {_be(replaced)} shown as U+FFFD.")
    long = [line for line in lines if len(line.head) > _SURELY_SHOWN_BYTES]
    if cut := sum(map(_is_shown_cut, long)):
        count = counted(cut, "line is", "lines are")
        warnings.append(f"{count} longer than {MAX_SHOWN_BYTES} bytes and {_be(cut)} shown cut.")
    if hostile := count_hostile(content):
        noun = "character" if hostile == 1 else "characters"
        warnings.append(f"The shown text holds {hostile:,} invisible or bidirectional {noun}.")
    return tuple(warnings)


def _be(count: int) -> str:
    return "is" if count == 1 else "are"


def _is_shown_cut(line: Line) -> bool:
    return line.is_cut or byte_length(decode_lossy(line.head)) > MAX_SHOWN_BYTES


def _replaced_bytes(line: Line) -> int:
    """Return how many bytes of a line are shown as U+FFFD."""
    text = decode_lossy(line.head)
    shown = cut_text(text)
    if _REPLACEMENT not in shown:
        return 0
    raw = line.head
    if shown != text:
        # The bytes of the shown text: the longest head that decodes to as many
        # characters, whose number never falls as a head grows.
        lengths = range(len(raw) + 1)
        heads = bisect_right(
            lengths, len(shown), key=lambda length: len(decode_lossy(raw[:length]))
        )
        raw = raw[: heads - 1]
    return len(raw) - len(raw.decode("utf-8", "ignore").encode())
