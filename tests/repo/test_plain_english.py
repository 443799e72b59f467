"""The project's prose has none of a few phrases that have to be read twice."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# `is None` is Python's, so that "none" counts in small letters only.
_PHRASES = (
    *("(?i:nobody)", "(?i:somebody)", "(?i:whoever)", "(?i:be had)", "(?i:but for)"),
    *("(?i:is|are) none", "(?i:of which nothing)", "(?i:that there is not)"),
)

# A phrase may continue in the next line, after the sign of a comment.
_ANYWHERE = re.compile(rf"\b(?:{'|'.join(_PHRASES)})\b".replace(" ", r"(?:\s|[#*>]|//)+"))

_PROSE = (".css", ".html", ".js", ".md", ".mjs", ".py", ".toml", ".ts", ".tsx", ".ci/run")

_NOT_OURS_TO_WORD = re.compile(
    "tests/conformance/cases/|docs/trees/|tests/docs/sites/|web/examples/[^/]+/(?:tree|shop)/"
    "|tests/repo/test_plain_english.py"
)
"""Recorded answers and the trees that they are about, and the list above."""


def test_no_prose_has_a_phrase_that_is_read_twice(root: Path, tracked: tuple[str, ...]) -> None:
    named = [
        f"{name}:{line}: {' '.join(found[0].split())}"
        for name in tracked
        if name.endswith(_PROSE) and not _NOT_OURS_TO_WORD.match(name)
        for text in [(root / name).read_text("utf-8", "replace")]
        for found in _ANYWHERE.finditer(text)
        for line in [text.count("\n", 0, found.start()) + 1]
    ]

    assert not named, "\n".join(["name the thing instead:", *named])
