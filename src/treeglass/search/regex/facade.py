"""Compile a pattern of either dialect."""

from __future__ import annotations

from functools import partial

from treeglass.search.checkpoint import Checkpoint, no_check
from treeglass.search.regex.as_bytes import EncodedPattern
from treeglass.search.regex.line_pattern import LinePattern, TreePattern
from treeglass.search.regex.python_pattern import PythonPattern
from treeglass.search.regex.rust_meaning import NeedsBytes
from treeglass.search.regex.rust_parser import parse_rust


def compile_rust(
    pattern: str,
    *,
    ignore_case: bool = False,
    unicode: bool = True,
    checkpoint: Checkpoint = no_check,
) -> LinePattern:
    """Compile a regex as ripgrep does, to search line by line.

    Args:
        pattern: The regex, in the dialect of Rust's crate.
        ignore_case: As `rg -i`.
        unicode: False as `rg --no-unicode`: the text to search is `bytes` then.
        checkpoint: Called now and then while the pattern is compiled.

    Raises:
        RegexInvalid: With the words of ripgrep, without its name before them; or the
            pattern is above a ceiling.
    """
    parse = partial(parse_rust, pattern, ignore_case=ignore_case, checkpoint=checkpoint)
    if unicode:
        try:
            return TreePattern(parse(), checkpoint)
        except NeedsBytes:
            bytewise = TreePattern(parse(in_bytes=True), checkpoint, sees_bytes=True)
            return EncodedPattern(bytewise)
    return TreePattern(parse(unicode=False, in_bytes=True), checkpoint, sees_bytes=True)


def compile_python(
    pattern: str, *, ignore_case: bool, checkpoint: Checkpoint = no_check
) -> LinePattern:
    """Compile a regex as Python's `re` does, to search text line by line.

    Args:
        pattern: The regex, in the dialect of `re`.
        ignore_case: As `re.IGNORECASE`.
        checkpoint: Called now and then while the pattern is compiled.

    Raises:
        RegexInvalid: With the words of `re`; or look-around, a backreference, an atomic group
            or a possessive repetition stands beside repetitions without a bound; or the
            pattern is above a ceiling.
    """
    return PythonPattern(pattern, ignore_case=ignore_case, checkpoint=checkpoint)
