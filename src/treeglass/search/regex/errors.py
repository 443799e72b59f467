"""What is wrong with a regex, worded as the engine whose dialect it is words it."""

from __future__ import annotations


class RegexInvalid(ValueError):
    """A regex that cannot be searched for; the text is the whole reason."""


def rust_error(pattern: str, reason: str, *spans: tuple[int, int]) -> RegexInvalid:
    """Return the error that Rust's parser prints, with carets below the spans.

    Args:
        pattern: The whole pattern, as the parser sees it.
        reason: What is wrong, without a full stop.
        spans: Start and end of each place that the carets mark.
    """
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
