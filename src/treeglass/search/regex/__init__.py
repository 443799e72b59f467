"""Regexes that end: whatever the pattern, the time grows with the text, not with its powers."""

from __future__ import annotations

from treeglass.search.regex.ceilings import RegexInvalid
from treeglass.search.regex.facade import compile_python, compile_rust
from treeglass.search.regex.line_pattern import LinePattern

__all__ = ["LinePattern", "RegexInvalid", "compile_python", "compile_rust"]
