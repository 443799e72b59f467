import itertools
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from treeglass import Config, Limits, ToolRegistry, ToolResult, Workspace

MakeTree = Callable[[Mapping[str, str | bytes | None]], Path]


def grep_files(
    root: Path,
    pattern: str = "needle",
    *,
    limits: Limits | None = None,
    budget_bytes: int | None = None,
    escape_names: bool = True,
    clock: Callable[[], float] | None = None,
    **arguments: Any,
) -> ToolResult:
    """Call the tool on a tree mounted at `/repo`."""
    tables = {"tools": {"output": {"escape_names": escape_names}}}
    registry = ToolRegistry(
        Workspace({"/repo": root}, limits=limits),
        Config.from_object(tables),
        clock=clock or itertools.repeat(0.0).__next__,
    )
    sent = {"pattern": pattern, **arguments}
    return registry.call_tool("grep_files", sent, max_output_bytes=budget_bytes)


@pytest.fixture
def tree(make_tree: MakeTree) -> Path:
    """Five files that match, `e.txt` the newest."""
    root = make_tree({f"{name}.txt": "a needle\n" for name in "abcde"} | {"other.txt": "hay\n"})
    for number, name in enumerate(["other", *"abcde"]):
        os.utime(root / f"{name}.txt", (number, number))
    return root


def test_a_search_over_a_limit_says_what_is_left(tree: Path) -> None:
    by_files = grep_files(tree, limits=Limits(max_searched_files=2))
    by_bytes = grep_files(tree, limits=Limits(max_searched_bytes=20))

    assert (by_files.content, by_files.truncated) == ("/repo/e.txt\n/repo/d.txt", True)
    assert by_files.warnings == (
        "max_searched_files is 2, so 4 files were not searched; narrow path or include.",
    )
    assert by_bytes.content == "/repo/e.txt\n/repo/d.txt\n/repo/c.txt"
    assert by_bytes.warnings == (
        "max_searched_bytes is 20, so 3 files were not searched; narrow path or include.",
    )


def test_a_search_out_of_time_names_beside_the_error_what_it_has_found(tree: Path) -> None:
    def warned(step_seconds: float) -> str | None:
        result = grep_files(tree, clock=itertools.count(0.0, step_seconds).__next__)
        if not result.is_error:
            return None
        assert result.content == "rg timed out after 30 seconds"
        (warning,) = result.warnings
        return warning

    def said(searched: int, found: str) -> str:
        return (
            f"The time was up after {searched} of 6 files were searched, the newest first; "
            f"narrow path or include. Of these {found}."
        )

    assert {warned(30 / looks) for looks in range(2, 60)} >= {
        said(0, "0 match"),
        said(1, "1 matches: /repo/e.txt"),
        said(3, "3 match: /repo/e.txt, /repo/d.txt, /repo/c.txt"),
        None,
    }


def test_a_file_that_is_cut_at_the_limit_counts_as_not_searched(make_tree: MakeTree) -> None:
    root = make_tree({"a.txt": "hay\n" * 9 + "needle\n"})

    result = grep_files(root, limits=Limits(max_searched_bytes=20))

    assert (result.content, result.truncated) == ("No matches found.", True)
    assert result.warnings == (
        "max_searched_bytes is 20, so 1 file was not searched; narrow path or include.",
    )


def test_a_name_that_also_ends_with_a_dot_is_not_hidden(make_tree: MakeTree) -> None:
    names = ["...", "..x.", ".a.", ".d./.e.", ".d./in.txt", ".b", "..x", ".c/in.txt"]
    root = make_tree(dict.fromkeys(names, "needle"))
    for name in names:
        os.utime(root / name, (7, 7))

    assert grep_files(root).content.split("\n") == [
        "/repo/...",
        "/repo/..x.",
        "/repo/.a.",
        "/repo/.d./.e.",
        "/repo/.d./in.txt",
    ]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"pattern": "\u00a0"}, "pattern must not be empty"),
        ({"limit": 0}, "limit must be greater than zero"),
        ({"path": "none"}, "unable to access `/repo/none`: No such file or directory (os error 2)"),
        (
            {"pattern": "a\0"},
            (
                "failed to launch rg: nul byte found in provided data. "
                "Ensure ripgrep is installed and on PATH."
            ),
        ),
        (
            {"include": "["},
            "rg failed: rg: error parsing glob '[': unclosed character class; missing ']'\n",
        ),
        (
            {"pattern": "(a"},
            "rg failed: rg: regex parse error:\n    (?:(a)\n    ^\nerror: unclosed group\n",
        ),
    ],
)
def test_a_wrong_argument_is_refused_in_the_words_of_the_original(
    tree: Path, arguments: dict[str, Any], sentence: str
) -> None:
    result = grep_files(tree, **arguments)

    assert (result.content, result.is_error) == (sentence, True)


def test_a_hostile_pattern_ends(make_tree: MakeTree) -> None:
    root = make_tree({"x.txt": "x" * 1_000_000})

    assert grep_files(root, "(x+x+)+y").content == "No matches found."
    assert grep_files(root, "(x+x+)+$").content == "/repo/x.txt"
