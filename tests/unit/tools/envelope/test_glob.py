import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.unit.tools.envelope.tool_calls import call, data_of, text_of
from treeglass import Config, Limits, ToolFailure, Workspace

MakeTree = Callable[..., Path]
TREE: dict[str, str | bytes | None] = {
    "src/b.py": "",
    "src/a/c.py": "",
    "src.py": "",
    "dist/d.py": "",
    ".env.py": "",
    "x\ny.py": "",
    "to_src": "-> src",
}


@pytest.fixture
def workspace(make_tree: MakeTree) -> Workspace:
    return Workspace({"/repo": make_tree(TREE)})


def test_a_limit_that_is_just_reached_leaves_nothing_out_whatever_the_design_says(
    workspace: Workspace,
) -> None:
    result = call("Glob", workspace, {"pattern": "src/**", "limit": 2})

    assert data_of(result) == {"paths": ["src/b.py", "src/a/c.py"], "truncated": True}
    assert (result.truncated, result.next_arguments) == (False, None)
    assert result.warnings == ("Exactly as many paths match as the limit; none is left out.",)


def test_there_is_no_next_call_at_the_highest_limit(make_tree: MakeTree) -> None:
    workspace = Workspace({"/repo": make_tree({f"{number:03}": "" for number in range(201)})})

    second = call("Glob", workspace, {"pattern": "*", "limit": 150})
    last = call("Glob", workspace, second.next_arguments)

    assert (second.truncated, second.next_arguments) == (True, {"pattern": "*", "limit": 200})
    assert (last.truncated, last.next_arguments) == (True, None)


FUSES: list[tuple[dict[str, Any], str, int, str, str]] = [
    (
        {"max_visited_entries": 5, "max_seconds": 900},
        "count_limit",
        6,
        "[Partial: Search stopped early (scanned too many items). Use a more specific 'path'.]",
        (
            "max_visited_entries is 5, so the search ended there, and how many entries are left is "
            "not known; narrow path."
        ),
    ),
    (
        {"max_seconds": 70},
        "time_limit",
        65,
        "[Partial: Search timed out (>70s). Results are incomplete.]",
        (
            "The time was up after 65 entries were looked at, and how many are left is not known; "
            "narrow path."
        ),
    ),
]


@pytest.mark.parametrize(("table", "reason", "visited", "notice", "warning"), FUSES)
def test_a_fuse_ends_the_search_with_what_was_found(  # noqa: PLR0917  # one row of the table
    make_tree: MakeTree,
    table: dict[str, Any],
    reason: str,
    visited: int,
    notice: str,
    warning: str,
) -> None:
    workspace = Workspace({"/repo": make_tree({f"{number:03}": "" for number in range(99)})})
    timeouts = {"file_operations_seconds": 900}
    config = Config.from_object({"tools": {"timeouts": timeouts, "glob": table}})
    seconds = itertools.count(step=20)

    result = call("Glob", workspace, {"pattern": "00*"}, config, clock=lambda: next(seconds))

    assert data_of(result)["aborted_reason"] == reason
    assert (result.structured_content or {})["stats"]["visited"] == visited
    assert text_of(result).split("\n")[2] == notice
    assert (result.truncated, result.next_arguments, result.warnings) == (True, None, (warning,))


def test_a_fuse_without_a_match_is_an_error(workspace: Workspace) -> None:
    config = Config.from_object({"tools": {"glob": {"max_visited_entries": 2}}})

    assert call("Glob", workspace, {"pattern": "*.rs"}, config).error == ToolFailure(
        "INTERNAL_ERROR",
        "No files found matching '*.rs' in '.'\n(Scanned 3 items in 0ms)\n"
        "[Error: Search aborted (scanned too many items without results). "
        "Use a more specific 'path'.]",
    )


def test_a_tree_over_the_workspaces_ceiling_is_an_error(make_tree: MakeTree) -> None:
    workspace = Workspace({"/repo": make_tree(TREE)}, limits=Limits(max_walk_entries=8))

    assert call("Glob", workspace, {"pattern": "*"}).error == ToolFailure(
        "INTERNAL_ERROR",
        "Search failed (max_walk_entries is 8; ask for less, for example one subdirectory).",
    )


REFUSALS: list[tuple[dict[str, Any], str, str]] = [
    ({"pattern": 0, "limit": 0}, "INVALID_PARAM", "Missing required parameter 'pattern'."),
    (
        {"pattern": 7, "limit": True},
        "INVALID_PARAM",
        "limit must be an integer between 1 and 200.",
    ),
    ({"pattern": 7, "path": 7}, "INVALID_PARAM", "pattern must be a string."),
    ({"pattern": "*", "path": None}, "INVALID_PARAM", "path must be a string."),
    (
        {"pattern": "*" * 4097},
        "INVALID_PARAM",
        "pattern must have at most 4096 characters.",
    ),
    (
        {"pattern": "*", "path": "/"},
        "ACCESS_DENIED",
        "Access denied. Path must be within project root.",
    ),
    ({"pattern": "*", "path": "src.py/x"}, "NOT_FOUND", "Search root 'src.py/x' does not exist."),
]


@pytest.mark.parametrize(("arguments", "code", "message"), REFUSALS)
def test_a_refusal_names_the_first_fault(
    workspace: Workspace, arguments: dict[str, Any], code: str, message: str
) -> None:
    assert call("Glob", workspace, arguments).error == ToolFailure(code, message)
