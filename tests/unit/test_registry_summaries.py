from __future__ import annotations

from typing import Any

import pytest

from treeglass import Config, ToolRegistry, Workspace

PATH_ARGUMENTS = {
    "LS": "path",
    "Read": "path",
    "list_dir": "dir_path",
    "list_directory": "path",
    "read_file": "file_path",
}


def summaries_of(path: str) -> dict[str, str | None]:
    tools = ToolRegistry(Workspace({}))
    return {
        name: tools.summarize_call(name, {argument: path})
        for name, argument in PATH_ARGUMENTS.items()
    }


def test_every_tool_says_in_one_line_what_a_call_would_do() -> None:
    assert summaries_of("/a\u200bb") == {
        "LS": r"List the directory '/a\u{200B}b'",
        "Read": r"Read the file '/a\u{200B}b'",
        "list_dir": r"List directory /a\u{200B}b",
        "list_directory": r"List /a\u{200B}b",
        "read_file": r"Read file /a\u{200B}b",
    }


def test_no_tool_shows_a_secret_to_the_person_who_approves() -> None:
    path = "/token=abc123/ghp_0123456789abcdef/x"

    assert summaries_of(path) == {
        "LS": "List the directory '/token=[redacted]/[redacted]/x'",
        "Read": "Read the file '/token=[redacted]/[redacted]/x'",
        "list_dir": "List directory /token=[redacted]/[redacted]/x",
        "list_directory": "List /token=[redacted]/[redacted]/x",
        "read_file": "Read file /token=[redacted]/[redacted]/x",
    }


def test_a_secret_at_the_cut_is_not_shown_in_part() -> None:
    shown = summaries_of("/" + "x" * 170 + "/ghp_0123456789abcdefghijklmnopqrstuvwxyz")

    assert [None if line is None else line.partition("x/")[2] for line in shown.values()] == [
        "[redacte",  # 200 characters
        "[redacted]'",
        "[redacted]",
        "[redacted]",
        "[redacted]",
    ]


@pytest.mark.parametrize("character", ["x", "\u200b", "🌳"])
def test_a_summary_has_at_most_200_characters(character: str) -> None:
    lengths = {
        name: len(summary or "") for name, summary in summaries_of("/" + character * 9_999).items()
    }

    assert lengths == dict.fromkeys(PATH_ARGUMENTS, 200)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        pytest.param("grep", {}, id="an unknown tool"),
        pytest.param("list_dir", "{", id="malformed JSON"),
        pytest.param("list_dir", "[" * 99_999, id="very deep"),
        pytest.param("list_dir", "[]", id="no object"),
        pytest.param("list_dir", {}, id="an argument is missing"),
        pytest.param("read_file", {"file_path": 1}, id="a wrong type"),
        pytest.param("LS", {"limit": 0}, id="out of bounds"),
        pytest.param("list_directory", {"path": "a" * 2_000_000}, id="too large"),
    ],
)
def test_a_call_that_would_be_refused_has_no_summary(name: str, arguments: Any) -> None:
    assert ToolRegistry(Workspace({})).summarize_call(name, arguments) is None


def test_a_summary_shows_the_arguments_that_the_call_runs_with() -> None:
    tools = ToolRegistry(Workspace({}))
    twice = '{"dir_path": "/harmless", "dir_path": "/secret"}'

    assert tools.summarize_call("LS", "{}") == "List the directory '.'"
    assert tools.summarize_call("list_dir", '{"dir_path": "/repo"}') == "List directory /repo"
    assert (tools.summarize_call("list_dir", twice) is None) == (
        tools.call_tool("list_dir", twice).content.startswith("failed to parse")
    )


@pytest.mark.parametrize(
    ("approval", "table"),
    [
        pytest.param({}, {"mode": "disabled"}, id="tools are disabled"),
        pytest.param({}, {"mode": "parse_only"}, id="nothing runs"),
        pytest.param({"enabled": False}, {}, id="not enabled"),
        pytest.param({"denylist": ["LS"]}, {}, id="denylisted"),
        pytest.param({"mode": "deny"}, {}, id="not on the allowlist"),
    ],
)
def test_a_call_that_policy_refuses_has_no_summary(
    approval: dict[str, Any], table: dict[str, Any]
) -> None:
    config = Config.from_object({"tools": {"approval": approval, **table}})
    tools = ToolRegistry(Workspace({}), config)

    assert tools.summarize_call("LS", {}) is None
    denied = tools.call_tool("LS", {}).error
    assert denied is not None
    assert denied.kind == "ACCESS_DENIED"
