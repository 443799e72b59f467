"""Make text safe to print on a terminal.

Text printed to a person may hold names and contents of a hostile tree, and a
terminal obeys escape sequences. A pipe gets the exact bytes: only the copy that
a terminal shows is changed (TE FR-OUT-02, NFR-LD-SEC-02, C-04).
"""

from __future__ import annotations

import re
import sys
from contextlib import suppress

from treeglass.escaping import escape_controls

# CSI to its final byte; OSC to BEL or ST; DCS, SOS, PM and APC to ST; then any
# shorter escape. The one-character C1 forms mean the same. A sequence that
# never ends loses its introducer only, so that no text is swallowed; it is given
# up where the next one begins, so that no text is searched twice.
_SEQUENCES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b\]|\x9d)[^\x07\x1b\x90\x98\x9b-\x9f]*(?:\x07|\x1b\\|\x9c)"
    r"|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x90\x98\x9b-\x9f]*(?:\x1b\\|\x9c)"
    r"|\x1b[ -/]*[0-~]?"
)
_COMMANDS = re.compile(r"^(\s*):(?=:)")
"""The start of a line that a build on GitHub takes for a command."""
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def sanitize_for_terminal(text: str) -> str:
    r"""Return text without escape sequences, controls and characters that hide.

    Line feeds, tabs and carriage returns stay; invisible and bidirectional
    characters are spelled out.

    >>> sanitize_for_terminal("\x1b[31mred\x1b[0m \x07")
    'red '
    """
    plain = _CONTROLS.sub("", _SEQUENCES.sub("", text))
    return "".join(
        piece if piece in "\n\r\t" else escape_controls(piece)
        for piece in re.split(r"([\n\r\t])", plain)
    )


def log_line(text: str) -> str:
    r"""Return text as one line for a log, which may be a build's that obeys `::error`.

    Whatever else a terminal or a log obeys is spelled out; tabs stay.

    >>> print(log_line("a\n::error::b"), log_line(" ::error::c"))
    a\u{A}::error::b  \u{3A}:error::c
    """
    line = "\t".join(map(escape_controls, text.split("\t")))
    return _COMMANDS.sub(r"\1\\u{3A}", line)


def print_text(text: str) -> None:
    """Print to a person safely, to a pipe exactly, and always as UTF-8."""
    if sys.stdout.isatty():
        text = sanitize_for_terminal(text)
    sys.stdout.buffer.write(text.encode() + b"\n")
    sys.stdout.buffer.flush()


def tell(sentence: str) -> None:
    """Print one line to stderr, whatever the sentence holds; in silence if stderr is closed."""
    with suppress(AttributeError, OSError):
        sys.stderr.write(f"treeglass: {log_line(sentence)}\n")
