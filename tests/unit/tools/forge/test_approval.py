from __future__ import annotations

from typing import Any

import pytest

from treeglass import Config
from treeglass.tool import ToolArguments
from treeglass.tools.forge.approval import approval_summary
from treeglass.tools.forge.arguments import parse_arguments


def summary_of(**values: Any) -> str:
    return approval_summary(parse_arguments(ToolArguments(values), Config()))


def test_summary_names_the_path() -> None:
    assert summary_of(path=" ./src/ ") == "List src"


def test_summary_of_a_recursive_call_names_the_depth() -> None:
    assert summary_of(path="src", recursive=True) == "List src [depth 4]"
    assert summary_of(path="src", recursive=True, max_depth=2) == "List src [depth 2]"


def test_long_summary_ends_in_an_ellipsis_and_keeps_the_depth() -> None:
    assert summary_of(path="x" * 195) == "List " + "x" * 195
    assert summary_of(path="x" * 196) == "List " + "x" * 194 + "…"
    assert summary_of(path="x" * 300, recursive=True) == "List " + "x" * 184 + "… [depth 4]"


def test_summary_spells_out_what_could_hide_text() -> None:
    assert summary_of(path="a\u200bb") == r"List a\u{200B}b"


@pytest.mark.parametrize(
    ("path", "summary"),
    [
        ("a/token=abc123/b", "List a/token=[redacted]/b"),
        ("API_KEY=abc", "List API_KEY=[redacted]"),
        ("https://me:pw@host/x", "List https:/[redacted]@host/x"),
        ("ghp_0123456789abcdef/x", "List [redacted]/x"),
        ("sk-proj-0123456789abcdef", "List [redacted]"),
        ("keys/AKIAABCDEFGHIJKLMNOP", "List keys/[redacted]"),
        ("eyJhbGciOiJI.eyJzdWIiOiIx.c2ln", "List [redacted]"),
        ("src/token/secret", "List src/token/secret"),
        (
            "objects/0123456789abcdef0123456789abcdef",
            "List objects/0123456789abcdef0123456789abcdef",
        ),
    ],
)
def test_summary_hides_what_looks_like_a_credential(path: str, summary: str) -> None:
    assert summary_of(path=path) == summary
