"""The project's prose has none of a few phrases that have to be read twice."""

import ast
import re
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
    "tests/conformance/cases/|docs/trees/|tests/docs/sites/|web/examples/[^/]+/(?:tree|shop)/|web/sample/"
    "|tests/repo/sources/test_plain_english.py"
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


_ADVICE = "begin with the name of the thing, with a verb, or with True if:"

_QUESTION = re.compile(r"(?:What|How|Which|Where|Whether)\b")

# A doc comment's first word, also if it stands below the opening sign.
_DOC_COMMENT = re.compile(rf"/\*\*(?:\s+\*)?\s+({_QUESTION.pattern}[^\n]*)")

# A model reads the descriptions of arguments, which this file has from the tools' schemas.
_FROM_SCHEMAS = "web/src/generated/tool-types.ts"


def test_no_docstring_begins_with_a_question_in_place_of_the_thing(
    root: Path, tracked: tuple[str, ...]
) -> None:
    asking = [
        f"{name}:{node.lineno}: {node.value.splitlines()[0]}"
        for name in tracked
        if name.startswith("src/treeglass/") and name.endswith(".py")
        for statement in ast.walk(ast.parse((root / name).read_text("utf-8")))
        if isinstance(statement, ast.Expr) and isinstance(node := statement.value, ast.Constant)
        if isinstance(node.value, str) and _QUESTION.match(node.value)
    ]

    assert not asking, "\n".join([_ADVICE, *asking])


def test_no_doc_comment_begins_with_a_question_in_place_of_the_thing(
    root: Path, tracked: tuple[str, ...]
) -> None:
    asking = [
        f"{name}:{line}: {found[1]}"
        for name in tracked
        if name.startswith("web/src/") and name.endswith((".ts", ".tsx"))
        if not name.startswith(_FROM_SCHEMAS)
        for text in [(root / name).read_text("utf-8")]
        for found in _DOC_COMMENT.finditer(text)
        for line in [text.count("\n", 0, found.start(1)) + 1]
    ]

    assert not asking, "\n".join([_ADVICE, *asking])
