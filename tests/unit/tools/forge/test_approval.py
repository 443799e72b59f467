from typing import Any

import pytest

from treeglass import Config
from treeglass.call_arguments import ToolArguments
from treeglass.tools.forge.arguments import parse_list_directory, summarize_list_directory


def summary_of(**values: Any) -> str:
    return summarize_list_directory(parse_list_directory(ToolArguments(values), Config()), Config())


def test_summary_names_the_path() -> None:
    assert summary_of(path=" ./src/ ") == "List src"


def test_summary_of_a_recursive_call_names_the_depth() -> None:
    assert summary_of(path="src", recursive=True) == "List src [depth 4]"
    assert summary_of(path="src", recursive=True, max_depth=2) == "List src [depth 2]"


def test_a_long_path_loses_its_middle_and_keeps_its_ends_and_the_depth() -> None:
    long = "a" * 150 + "b" * 150

    assert summary_of(path="x" * 195) == "List " + "x" * 195
    assert summary_of(path=long) == "List " + "a" * 97 + "…" + "b" * 97
    assert summary_of(path=long, recursive=True) == (
        "List " + "a" * 92 + "…" + "b" * 92 + " [depth 4]"
    )


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
