"""Regexes that end: whatever the pattern, the time grows with the text, not with its powers."""

from __future__ import annotations

from treeglass.search.regex.ceilings import RegexInvalid
from treeglass.search.regex.line_pattern import LinePattern
from treeglass.search.regex.python_pattern import compile_python
from treeglass.search.regex.rust_pattern import compile_rust

__all__ = ["LinePattern", "RegexInvalid", "compile_python", "compile_rust"]
