"""Nulls that stand for absent, as a model sends them that was given a strict schema."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from treeglass import ToolRegistry, Workspace
from treeglass.__main__ import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def registry(tmp_path: Path) -> ToolRegistry:
    (tmp_path / "a.txt").write_text("one\ntwo\n", encoding="utf-8")
    return ToolRegistry(Workspace({"/repo": tmp_path}))


def test_optional_nulls_stand_for_none_where_the_caller_says_so(registry: ToolRegistry) -> None:
    nulls = {"dir_path": "/repo", "offset": None, "limit": None, "depth": None}

    answers = [
        registry.call_tool("list_dir", arguments, nulls_are_absent=True).content
        for arguments in (nulls, json.dumps(nulls), {"dir_path": "/repo"})
    ]

    assert answers == ["Absolute path: /repo\na.txt"] * 3


def test_they_are_refused_where_it_does_not(registry: ToolRegistry) -> None:
    result = registry.call_tool("list_dir", {"dir_path": "/repo", "depth": None})

    assert result.is_error


def test_nulls_of_a_nested_object_go_too_and_required_ones_stay(registry: ToolRegistry) -> None:
    block = {"anchor_line": 1, "max_levels": None, "include_header": None, "max_lines": None}
    arguments = {"file_path": "/repo/a.txt", "mode": "indentation", "indentation": block}
    unnamed = {**arguments, "file_path": None}

    read = registry.call_tool("read_file", arguments, nulls_are_absent=True)
    refused = registry.call_tool("read_file", unnamed, nulls_are_absent=True)

    assert (read.content, refused.is_error) == ("L1: one\nL2: two", True)


def test_a_person_is_shown_what_would_run(registry: ToolRegistry) -> None:
    nulls = {"dir_path": "/repo", "offset": None}

    summaries = [
        registry.summarize_call("list_dir", nulls, nulls_are_absent=absent)
        for absent in (True, False)
    ]

    assert summaries == ["List directory /repo", None]


def test_the_command_line_takes_what_it_printed_for_a_strict_host(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.txt").write_text("one\n", encoding="utf-8")
    nulls = '{"path": ".", "offset": null, "limit": null, "include_hidden": null, "ignore": null}'

    code = main(["call", "LS", nulls, "--mount", f"/repo={tmp_path}", "--nulls-are-absent"])

    assert (code, json.loads(capsys.readouterr().out)["data"]["entries"]) == (
        0,
        [{"path": "a.txt", "type": "file"}],
    )
