"""Every call gets one answer, within its budget, that is valid text."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treeglass import Config, ToolRegistry, ToolResult, Workspace

TOOLS = ["list_dir", "read_file", "LS", "Read", "Glob", "Grep", "list_directory"]

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 2**70)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["/repo", "/repo/wide", ".", "wide", "..", "/repo/file", "slice", "a\0"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)
ARGUMENT_NAMES = """
    dir_path file_path path offset limit depth mode indentation ignore include_hidden recursive
    max_depth max_entries include_files include_dirs include_symlinks include_other pattern
    start_line include case_sensitive include_ignored
"""
keys = st.sampled_from(ARGUMENT_NAMES.split()) | st.text(max_size=4)
arguments = st.dictionaries(keys, json_values, max_size=6)


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    """Return a workspace with wide, deep, long and hostile things in it."""
    root = Path(tempfile.mkdtemp())
    wide = root / "wide"
    wide.mkdir()
    for number in range(60):
        (wide / f"{'😀' * (number % 40)}{number}.txt").write_text("x")
    (wide / "forged\n  entry\x1b[2J").write_text("x")
    deep = root
    for level in range(12):
        deep = deep / f"level{level}"
        deep.mkdir()
        (deep / "leaf").write_text("x")
    (root / "file").write_text(
        "".join(f"{'    ' * (number % 5)}line é {number}\n" for number in range(300)), "utf-8"
    )
    (root / "one_line").write_bytes(b"\xff\xc3\xa9" * 4000)
    return Workspace({"/repo": root})


def assert_is_an_answer(result: ToolResult) -> None:
    result.content.encode()
    assert isinstance(result.is_error, bool)
    assert (result.error is None) is not result.is_error
    json.dumps([result.structured_content, result.next_arguments, result.warnings]).encode()


@given(tool=st.sampled_from(TOOLS), sent=arguments, as_text=st.booleans())
def test_every_call_gets_one_answer(
    workspace: Workspace, tool: str, sent: dict[str, Any], as_text: bool
) -> None:
    registry = ToolRegistry(workspace, Config())

    assert_is_an_answer(registry.call_tool(tool, json.dumps(sent) if as_text else sent))


@given(tool=st.sampled_from(TOOLS), text=st.text(max_size=60))
def test_text_that_is_not_a_json_object_is_refused_in_the_familys_words(
    workspace: Workspace, tool: str, text: str
) -> None:
    result = ToolRegistry(workspace, Config()).call_tool(tool, "x" + text)

    assert_is_an_answer(result)
    assert result.error is not None
    assert result.error.kind in {"RespondToModel", "INVALID_PARAM", "BadArgs"}


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("list_dir", {"dir_path": "/repo", "depth": 20, "limit": 500}),
    ("list_dir", {"dir_path": "/repo/wide", "limit": 100}),
    ("read_file", {"file_path": "/repo/file"}),
    ("read_file", {"file_path": "/repo/one_line"}),
    (
        "read_file",
        {"file_path": "/repo/file", "mode": "indentation", "indentation": {"anchor_line": 150}},
    ),
    ("LS", {"path": "wide", "limit": 200}),
    ("LS", {"include_hidden": True}),
    ("Read", {"path": "file"}),
    ("Read", {"path": "one_line"}),
    ("Glob", {"pattern": "**", "limit": 200}),
    ("Grep", {"pattern": "1"}),
    ("list_directory", {"path": ".", "recursive": True}),
    ("list_directory", {"path": "wide"}),
]


@settings(max_examples=300)
@given(call=st.sampled_from(CALLS), budget=st.integers(0, 30_000), capacity=st.integers(0, 30_000))
@pytest.mark.parametrize("escape_names", [True, False])
def test_no_answer_is_over_its_budget_and_json_stays_json(
    workspace: Workspace,
    escape_names: bool,
    call: tuple[str, dict[str, Any]],
    budget: int,
    capacity: int,
) -> None:
    config = Config.from_object({"tools": {"output": {"escape_names": escape_names}}})
    registry = ToolRegistry(workspace, config)
    tool, sent = call

    result = registry.call_tool(
        tool, sent, max_output_bytes=budget, available_capacity_bytes=capacity
    )

    assert_is_an_answer(result)
    if result.is_error:
        whole = registry.call_tool(tool, sent, max_output_bytes=10**9)
        assert len(whole.content.encode()) > min(budget, capacity)
        return
    assert len(result.content.encode()) <= min(budget, capacity)
    if tool in {"LS", "Read", "Glob", "Grep", "list_directory"}:
        assert json.loads(result.content) == result.structured_content


def list_dir_lines(result: ToolResult) -> list[Any]:
    lines = result.content.split("\n")[1:]
    return lines[:-1] if result.truncated else lines


def read_file_lines(result: ToolResult) -> list[Any]:
    return result.content.split("\n")


def data_of(result: ToolResult) -> Any:
    assert result.structured_content is not None
    return result.structured_content["data"]


class Paged(NamedTuple):
    """A call whose answer has pages."""

    tool: str
    arguments: dict[str, Any]
    whole_limit: int
    parts: Callable[[ToolResult], list[Any]]
    """What an answer shows, piece by piece."""


PAGED = [
    *[
        Paged("list_dir", {"dir_path": "/repo", "depth": depth}, 10_000, list_dir_lines)
        for depth in (1, 2, 14)
    ],
    Paged("read_file", {"file_path": "/repo/file"}, 2_000, read_file_lines),
    Paged("Read", {"path": "file"}, 2_000, lambda page: data_of(page)["content"].splitlines()),
    Paged("LS", {"path": "wide"}, 200, lambda page: list(data_of(page)["entries"])),
]


@settings(max_examples=30)
@given(limit=st.integers(1, 90), budget=st.integers(2_000, 9_000))
@pytest.mark.parametrize("paged", PAGED, ids=lambda paged: paged.tool)
def test_following_next_arguments_shows_everything_once(
    workspace: Workspace, paged: Paged, limit: int, budget: int
) -> None:
    registry = ToolRegistry(workspace, Config())
    asked = {**paged.arguments, "limit": paged.whole_limit}
    whole = registry.call_tool(paged.tool, asked, max_output_bytes=10**9)

    shown: list[Any] = []
    sent: dict[str, Any] | None = {**paged.arguments, "limit": limit}
    while sent is not None:
        page = registry.call_tool(paged.tool, sent, max_output_bytes=budget)
        assert page.error is None
        shown += paged.parts(page)
        sent = page.next_arguments

    assert (whole.truncated, shown) == (False, paged.parts(whole))
