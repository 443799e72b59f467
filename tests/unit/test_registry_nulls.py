"""Nulls that mean absent, as a model that got a strict schema sends them."""

import json
from pathlib import Path

import pytest

from treeglass import ToolRegistry, Workspace


@pytest.fixture
def registry(tmp_path: Path) -> ToolRegistry:
    (tmp_path / "a.txt").write_text("one\ntwo\n", encoding="utf-8")
    return ToolRegistry(Workspace({"/repo": tmp_path}))


def test_optional_nulls_mean_absent_if_the_caller_says_so(registry: ToolRegistry) -> None:
    nulls = {"dir_path": "/repo", "offset": None, "limit": None, "depth": None}

    answers = [
        registry.call_tool("list_dir", arguments, nulls_are_absent=True).content
        for arguments in (nulls, json.dumps(nulls), {"dir_path": "/repo"})
    ]

    assert answers == ["Absolute path: /repo\na.txt"] * 3


def test_optional_nulls_are_refused_otherwise(registry: ToolRegistry) -> None:
    result = registry.call_tool("list_dir", {"dir_path": "/repo", "depth": None})

    assert result.is_error


def test_nulls_of_a_nested_object_are_absent_too_and_required_ones_are_not(
    registry: ToolRegistry,
) -> None:
    block = {"anchor_line": 1, "max_levels": None, "include_header": None, "max_lines": None}
    arguments = {"file_path": "/repo/a.txt", "mode": "indentation", "indentation": block}
    unnamed = {**arguments, "file_path": None}

    read = registry.call_tool("read_file", arguments, nulls_are_absent=True)
    refused = registry.call_tool("read_file", unnamed, nulls_are_absent=True)

    assert (read.content, refused.is_error) == ("L1: one\nL2: two", True)


def test_a_summary_is_made_without_those_nulls(registry: ToolRegistry) -> None:
    nulls = {"dir_path": "/repo", "offset": None}

    summaries = [
        registry.summarize_call("list_dir", nulls, nulls_are_absent=absent)
        for absent in (True, False)
    ]

    assert summaries == ["List directory /repo", None]


@pytest.mark.parametrize(
    ("tool", "text", "said"),
    [
        pytest.param(
            "list_dir",
            '{"dir_path": "/repo", "limit": 3, "limit": %s}',
            "failed to parse function arguments: `limit` is given twice; expected for example "
            '{"dir_path": "/repo", "offset": 1, "limit": 25, "depth": 2}',
            id="in the words of a tool that has some",
        ),
        pytest.param(
            "list_dir",
            '{"dir_path": "/repo", "other": 3, "other": %s}',
            'failed to parse function arguments: the arguments hold "other" more than once; '
            "give each key once",
            id="an unknown key",
        ),
        pytest.param(
            "LS",
            '{"path": "missing", "limit": 3, "limit": %s}',
            'the arguments hold "limit" more than once; give each key once',
            id="LS",
        ),
        pytest.param(
            "list_directory",
            '{"path": "missing", "max_entries": 3, "max_entries": %s}',
            'the arguments hold "max_entries" more than once; give each key once',
            id="list_directory",
        ),
    ],
)
@pytest.mark.parametrize("second", ["3", "null"])
def test_a_repeated_key_is_refused_where_a_schema_is_strict(
    registry: ToolRegistry, tool: str, text: str, said: str, second: str
) -> None:
    result = registry.call_tool(tool, text % second, nulls_are_absent=True)
    summary = registry.summarize_call(tool, text % second, nulls_are_absent=True)

    assert (result.error and result.error.message, summary) == (said, None)


def test_a_repeated_key_without_a_strict_schema_is_left_to_the_tool(
    registry: ToolRegistry,
) -> None:
    result = registry.call_tool("LS", '{"path": "missing", "path": "."}')

    assert not result.is_error
