import itertools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.unit.tools.envelope.tool_calls import call, data_of, text_of
from treeglass import Config, Limits, ToolFailure, Workspace

MakeTree = Callable[..., Path]
TREE: dict[str, str | bytes | None] = {
    "old.txt": "needle 1\r\nhay\r\nNEEDLE 2",
    "src/new.py": "x = 'needle'\n",
    "node_modules/p.js": "needle\n",
    "build": "needle\n",
    "bin": b"a\0needle\n",
    "to_new.py": "-> src/new.py",
    "to_src": "-> src",
}
INFO = "[Info: ripgrep not available; used slower Python fallback search.]"


@pytest.fixture
def workspace(make_tree: MakeTree) -> Workspace:
    root = make_tree(TREE)
    for path in (root, *root.rglob("*")):
        os.utime(path, (1_000, 1_000), follow_symlinks=False)
    os.utime(root / "src" / "new.py", (2_000, 2_000))
    return Workspace({"/repo": root})


def test_binary_files_are_searched_and_a_warning_says_so(workspace: Workspace) -> None:
    result = call("Grep", workspace, {"pattern": "a\\x00n", "limit": 3})

    assert data_of(result)["matches"] == [{"file": "bin", "line": 1, "text": "a\0needle"}]
    assert result.warnings == (
        "The argument limit does not exist and was ignored.",
        "Files that look binary are shown: lines hold NUL characters.",
        "The shown text holds 1 invisible or bidirectional character.",
    )


def test_more_than_100_lines_are_truncated(make_tree: MakeTree) -> None:
    root = make_tree({"a": "needle\n" * 60, "b": "needle\n" * 60})
    os.utime(root / "a", (1_000, 1_000))
    os.utime(root / "b", (1_000, 1_000))

    result = call("Grep", Workspace({"/repo": root}), {"pattern": "needle"})

    assert (result.structured_content or {})["stats"] == {
        "time_ms": 1,
        "matched_files": 2,
        "matched_lines": 100,
    }
    assert text_of(result).split("\n")[2] == (
        "[Truncated: Showing first 100 matches. Narrow pattern or path.]"
    )
    assert (result.truncated, result.next_arguments) == (True, None)
    assert result.warnings == (
        "More lines match than are shown; use a narrower pattern, path or include.",
        "All files have the same time, so they are sorted by path.",
    )


def test_no_more_than_an_answer_can_hold_is_kept(make_tree: MakeTree) -> None:
    workspace = Workspace({"/repo": make_tree({"a": f"{'needle' * 200}\n" * 90})})

    result = call("Grep", workspace, {"pattern": "needle"}, max_output_bytes=4_000)

    assert len(data_of(result)["matches"]) == 1
    assert result.truncated


def test_time_that_is_over_keeps_what_was_found(workspace: Workspace) -> None:
    config = Config.from_object({"tools": {"timeouts": {"file_operations_seconds": 84}}})
    seconds = itertools.count(step=6)

    result = call("Grep", workspace, {"pattern": "needle"}, config, clock=lambda: next(seconds))

    assert data_of(result) == {
        "matches": [{"file": "src/new.py", "line": 1, "text": "x = 'needle'"}],
        "truncated": False,
        "fallback_used": True,
    }
    assert "[Partial: Search timed out (>84s). Results are incomplete.]\n\n" in text_of(result)
    assert INFO not in text_of(result)
    assert result.truncated
    assert result.warnings[0] == (
        "The time was up after 0 of 4 files were searched to their end, the newest first; "
        "narrow path or include."
    )


def test_time_that_is_over_without_a_match_is_an_error_that_counts_the_files(
    workspace: Workspace,
) -> None:
    config = Config.from_object({"tools": {"timeouts": {"file_operations_seconds": 30}}})
    seconds = itertools.count(step=31)

    result = call("Grep", workspace, {"pattern": "x"}, config, clock=lambda: next(seconds))

    assert result.error is not None
    assert result.error.kind == "TIMEOUT"
    assert result.error.message.endswith(
        "[Error: Search timed out (>30s) without finding results.]"
    )
    assert result.warnings == (
        "The time was up while files were looked for, and none was searched; narrow path.",
    )


LIMITS = [
    (Limits(max_searched_files=2), "max_searched_files is 2"),
    (Limits(max_searched_bytes=10), "max_searched_bytes is 10"),
    (Limits(max_walk_entries=3), "max_walk_entries is 3"),
    (Limits(max_line_bytes=5), "max_line_bytes is 5"),
]


@pytest.mark.parametrize(("limits", "said"), LIMITS)
def test_a_tree_over_a_ceiling_is_an_error(make_tree: MakeTree, limits: Limits, said: str) -> None:
    workspace = Workspace({"/repo": make_tree(TREE)}, limits=limits)

    assert call("Grep", workspace, {"pattern": "zzz"}).error == ToolFailure(
        "INTERNAL_ERROR",
        f"Search failed ({said}; ask for less, for example one subdirectory).",
    )


REFUSALS: list[tuple[dict[str, Any], str, str]] = [
    ({"pattern": " \t", "include": 7}, "INVALID_PARAM", "Missing required parameter 'pattern'."),
    (
        {"pattern": "a", "include": 7, "case_sensitive": 1},
        "INVALID_PARAM",
        "include must be a string if provided.",
    ),
    (
        {"pattern": "a", "case_sensitive": 1, "path": 7},
        "INVALID_PARAM",
        "case_sensitive must be a boolean.",
    ),
    ({"pattern": "a", "path": 7}, "INVALID_PARAM", "path must be a string."),
    ({"pattern": "(", "path": "none"}, "NOT_FOUND", "Search root 'none' does not exist."),
    ({"pattern": "a", "include": "\\"}, "INTERNAL_ERROR", "Search failed (empty pattern)."),
]


@pytest.mark.parametrize(("arguments", "code", "message"), REFUSALS)
def test_a_refusal_names_the_first_fault(
    workspace: Workspace, arguments: dict[str, Any], code: str, message: str
) -> None:
    assert call("Grep", workspace, arguments).error == ToolFailure(code, message)


def test_a_pattern_that_doubles_the_time_of_re_by_a_letter_is_searched(
    make_tree: MakeTree,
) -> None:
    workspace = Workspace({"/repo": make_tree({"a": "x" * 1_000_000 + "\n" + "xxy\n"})})

    result = call("Grep", workspace, {"pattern": "(x+x+)+y"})

    assert [match["line"] for match in data_of(result)["matches"]] == [2]


def test_a_pattern_whose_time_cannot_be_bounded_is_refused(workspace: Workspace) -> None:
    assert call("Grep", workspace, {"pattern": "(?=(a+)+)"}).error == ToolFailure(
        "INVALID_PARAM",
        "Invalid regex pattern: a repetition inside a repetition cannot be bounded together "
        "with look-around or a backreference",
    )


def test_a_warning_says_that_lines_are_too_long_for_look_around(make_tree: MakeTree) -> None:
    workspace = Workspace({"/repo": make_tree({"a": "x" * 10_001 + "\n" + "xy\n"})})

    result = call("Grep", workspace, {"pattern": "x(?=y)"})

    assert [match["line"] for match in data_of(result)["matches"]] == [2]
    assert result.warnings == (
        (
            "Lines of more than 10,000 characters are not searched for look-around, "
            "backreferences and possessive repetitions."
        ),
    )


def test_a_line_is_found_wherever_a_block_ends(
    make_tree: MakeTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treeglass.workspace.lines._BLOCK_BYTES", 3)
    workspace = Workspace({"/repo": make_tree({"a": "one\r\ntwo\rneedle\n\nlast needle"})})

    result = call("Grep", workspace, {"pattern": "needle$"})

    found = [(match["line"], match["text"]) for match in data_of(result)["matches"]]
    assert found == [(3, "needle"), (5, "last needle")]


def test_a_pattern_that_python_may_read_otherwise_one_day_is_searched(
    workspace: Workspace,
) -> None:
    assert len(data_of(call("Grep", workspace, {"pattern": "x[[a=]*."}))["matches"]) == 2
