"""An answer that a cap made shorter says so, and one that is whole does not.

Each row calls a tool twice over one tree: with a cap, and with none. What differs by more
than the cap, such as the depth of a listing, is what the caller asks about, and no cap.
"""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treeglass import Config, Limits, ToolRegistry, ToolResult, Workspace

NO_BUDGET = 10**9

FORGE_NAMES = {"forge.Read": "forge_read", "forge.Glob": "forge_glob"}
OFFERED = ["LS", "Read", "Glob", "Grep", "list_directory", "Search", *FORGE_NAMES]


class Cap(NamedTuple):
    """One way to make an answer of a tool shorter."""

    tool: str
    arguments: dict[str, Any]
    """Of the call without the cap."""
    parts: Callable[[ToolResult], int]
    """How much an answer holds."""
    argument: str | None = None
    """The argument that is the cap."""
    table: str | None = None
    """The configured cap, as `search.max_files`."""
    limit: str | None = None
    """The limit of the workspace that is the cap."""
    counts_unsearched: bool = False
    """True if a file that is not searched counts as left out, match or no match."""


def lines_of(result: ToolResult) -> int:
    return len([line for line in result.content.split("\n") if line.startswith(("/", "L", " "))])


def names_of(result: ToolResult) -> int:
    lines = result.content.split("\n")[1:]
    return len([line for line in lines if not line.startswith("More than")])


def members(name: str) -> Callable[[ToolResult], int]:
    def count(result: ToolResult) -> int:
        return len((result.structured_content or {})["data"][name])

    return count


def read_lines(result: ToolResult) -> int:
    return int((result.structured_content or {})["data"]["content"].count("\n"))


def entries_of(result: ToolResult) -> int:
    return len((result.structured_content or {})["entries"])


def events_of(result: ToolResult) -> int:
    return len(json.loads(result.content)["matches"])


def text_lines(result: ToolResult) -> int:
    return result.content.count("| ")


LIST_DIR: dict[str, Any] = {"dir_path": "/repo", "limit": 10_000, "depth": 9}
READ_FILE: dict[str, Any] = {"file_path": "/repo/a.txt", "limit": 10_000}
GREP_FILES: dict[str, Any] = {"pattern": "needle", "limit": 2_000}
SEARCH: dict[str, Any] = {"pattern": "needle", "max_results": 10_000}
BLOCK: dict[str, Any] = {**READ_FILE, "mode": "indentation", "indentation": {"anchor_line": 1}}

CAPS = [
    Cap("list_dir", LIST_DIR, names_of, argument="limit"),
    Cap("read_file", READ_FILE, lines_of, argument="limit"),
    Cap("read_file", BLOCK, lines_of, argument="limit"),
    Cap("grep_files", GREP_FILES, lines_of, argument="limit"),
    Cap("grep_files", GREP_FILES, lines_of, limit="max_searched_files", counts_unsearched=True),
    Cap("grep_files", GREP_FILES, lines_of, limit="max_searched_bytes", counts_unsearched=True),
    Cap("LS", {"limit": 200}, members("entries"), argument="limit"),
    Cap("Read", {"path": "a.txt", "limit": 2_000}, read_lines, argument="limit"),
    Cap("Glob", {"pattern": "**", "limit": 200}, members("paths"), argument="limit"),
    Cap("Glob", {"pattern": "*", "limit": 200}, members("paths"), argument="limit"),
    Cap("Glob", {"pattern": "**"}, members("paths"), table="glob.max_visited_entries"),
    Cap("list_directory", {"path": ".", "max_entries": 200}, entries_of, argument="max_entries"),
    Cap(
        "list_directory",
        {"path": ".", "recursive": True, "max_entries": 200},
        entries_of,
        argument="max_entries",
    ),
    Cap("Search", SEARCH, events_of, argument="max_results"),
    Cap("Search", {**SEARCH, "context": 1}, events_of, argument="max_results"),
    Cap("Search", SEARCH, events_of, argument="max_matches_per_file"),
    Cap("Search", SEARCH, events_of, table="search.max_matches_per_file"),
    Cap("Search", SEARCH, events_of, argument="max_files", counts_unsearched=True),
    Cap("Search", SEARCH, events_of, argument="max_file_size_bytes", counts_unsearched=True),
    Cap("Search", SEARCH, events_of, limit="max_searched_files", counts_unsearched=True),
    Cap("Search", SEARCH, events_of, limit="max_searched_bytes", counts_unsearched=True),
    Cap("forge_read", {"path": "a.txt", "start_line": 1, "end_line": 99}, text_lines),
    Cap("forge_glob", {"pattern": "**"}, lines_of, argument="limit"),
]

BUDGETS = [
    Cap("list_dir", LIST_DIR, names_of),
    Cap("read_file", READ_FILE, lines_of),
    Cap("read_file", BLOCK, lines_of),
    Cap("grep_files", GREP_FILES, lines_of),
    Cap("LS", {"limit": 200}, members("entries")),
    Cap("Read", {"path": "a.txt", "limit": 2_000}, read_lines),
    Cap("Glob", {"pattern": "**", "limit": 200}, members("paths")),
    Cap("Grep", {"pattern": "needle"}, members("matches")),
    Cap("list_directory", {"path": ".", "max_entries": 200}, entries_of),
    Cap("Search", SEARCH, events_of),
    Cap("forge_read", {"path": "a.txt"}, text_lines),
    Cap("forge_glob", {"pattern": "**"}, lines_of),
]

contents = st.lists(st.sampled_from(["needle", "hay", "", "    needle"]), max_size=12)
names = st.sampled_from(["b.txt", "c.txt", "d/e.txt", "d/f/g.txt", "h/i.txt", "j", "k/l.txt"])
trees = st.dictionaries(names, contents, max_size=7)


def made(tree: dict[str, list[str]], folder: str) -> Path:
    """Write a tree, with a file `a.txt` that is not empty."""
    for name, lines in {"a.txt": ["needle", "hay", "needle"], **tree}.items():
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines))
    return Path(folder)


def called(cap: Cap, root: Path, value: int | None, budget: int = NO_BUDGET) -> ToolResult:
    """Make a call with the cap set to a value, or without it."""
    tools: dict[str, Any] = {"offered": OFFERED, "names": FORGE_NAMES}
    arguments, limits = dict(cap.arguments), Limits()
    if value is not None:
        if cap.argument is not None:
            arguments[cap.argument] = value
        if cap.table is not None:
            table, _, key = cap.table.partition(".")
            tools[table] = {key: value}
        if cap.limit is not None:
            limits = Limits(**{cap.limit: value})
    registry = ToolRegistry(
        Workspace({"/repo": root}, limits=limits),
        Config.from_object({"tools": tools}),
        clock=lambda: 0.0,
    )
    return registry.call_tool(cap.tool, arguments, max_output_bytes=budget)


def assert_truth(cap: Cap, capped: ToolResult, whole: ToolResult) -> None:
    assert (whole.is_error, whole.truncated) == (False, False)
    if capped.is_error:
        return
    is_shorter = cap.parts(capped) < cap.parts(whole)
    if cap.counts_unsearched:
        said = any("not searched" in warning for warning in capped.warnings)
        assert capped.truncated == said
        assert capped.truncated or not is_shorter
    else:
        assert capped.truncated == is_shorter
    assert capped.truncated or capped.next_arguments is None


@settings(max_examples=25, deadline=None)
@given(tree=trees, value=st.integers(1, 20))
@pytest.mark.parametrize("cap", CAPS, ids=lambda cap: f"{cap.tool}-{cap[3:6]}")
def test_an_answer_is_truncated_exactly_if_its_cap_left_something_out(
    cap: Cap, tree: dict[str, list[str]], value: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = made(tree, folder)

        assert_truth(cap, called(cap, root, value), called(cap, root, None))


@settings(max_examples=25, deadline=None)
@given(tree=trees, budget=st.integers(1, 900))
@pytest.mark.parametrize("cap", BUDGETS, ids=lambda cap: cap.tool)
def test_an_answer_is_truncated_exactly_if_its_budget_left_something_out(
    cap: Cap, tree: dict[str, list[str]], budget: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = made(tree, folder)

        assert_truth(cap, called(cap, root, None, budget), called(cap, root, None))


def test_a_line_that_is_shown_cut_counts_as_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x" * 500 + "\n" + "y" * 501 + "\n")
    cap = Cap("read_file", READ_FILE, lines_of)
    first = Cap("read_file", {**READ_FILE, "limit": 1}, lines_of)

    assert called(cap, tmp_path, None).truncated
    assert called(first, tmp_path, None).next_arguments is not None


def test_every_tool_is_in_both_tables() -> None:
    registry = ToolRegistry(
        Workspace({}), Config.from_object({"tools": {"offered": OFFERED, "names": FORGE_NAMES}})
    )
    tools = {tool.name for tool in registry.list_tools()}

    assert {cap.tool for cap in BUDGETS} == tools
    # The one cap of `Grep` is fixed; `test_grep.py` has it.
    assert {cap.tool for cap in CAPS} == tools - {"Grep"}
