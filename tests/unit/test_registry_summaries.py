from typing import Any

import pytest

from treeglass import Config, ToolRegistry, Workspace

EVERY_TOOL = {"names": {"forge.Read": "forge_read", "forge.Glob": "forge_glob"}}
OFFERED = ["LS", "Read", "Glob", "Grep", "list_directory", "Search", "forge.Read", "forge.Glob"]
CALLS: dict[str, tuple[str, str, str]] = {
    "LS": ("path", "List the directory '", "'"),
    "Read": ("path", "Read the file '", "'"),
    "Glob": ("path", "Find files in '", "' for 'x'"),
    "Grep": ("path", "Search in '", "' for 'x'"),
    "list_dir": ("dir_path", "List directory ", ""),
    "read_file": ("file_path", "Read file ", ""),
    "grep_files": ("path", "Search ", " for x"),
    "list_directory": ("path", "List ", ""),
    "Search": ("path", "Search ", " for x"),
    "forge_read": ("path", "Read ", ""),
    "forge_glob": ("path", "Glob in ", " for x"),
}
"""The argument of each tool that has the path, and the words around it."""
WITH_PATTERN = [name for name, (_, _, behind) in CALLS.items() if behind.strip("'")]


def registry_of(**output: Any) -> ToolRegistry:
    tools = {**EVERY_TOOL, "offered": OFFERED, "output": output}
    return ToolRegistry(Workspace({}), Config.from_object({"tools": tools}))


def summary_of(name: str, path: str, *, pattern: str = "x", **output: Any) -> str:
    arguments = {CALLS[name][0]: path}
    if name in WITH_PATTERN:
        arguments["pattern"] = pattern
    summary = registry_of(**output).summarize_call(name, arguments)
    assert summary is not None
    return summary


def test_every_tool_is_summarised_here() -> None:
    assert sorted(CALLS) == [tool.name for tool in registry_of().list_tools()]


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(
    ("path", "shown"),
    [
        pytest.param("/a\u200bb", r"/a\u{200B}b", id="what hides text is spelled out"),
        pytest.param("/repo/" + "./" * 110 + "secrets/key.txt", "/repo/secrets/key.txt", id="dots"),
        pytest.param("/repo//secrets///key.txt/", "/repo/secrets/key.txt", id="slashes"),
        pytest.param(r"/repo/\u{73}ecrets", "/repo/secrets", id="a spelling is read"),
        pytest.param(r"/repo/\u{2E}\u{2E}", r"/repo/\u{2E}\u{2E}", id="a spelling is no step"),
        pytest.param("/repo/a/../b", "/repo/a/../b", id="a step up stays"),
        pytest.param("/token=abc1/ghp_0123456789abcdef", "/token=[redacted]/[redacted]", id="keys"),
    ],
)
def test_a_summary_shows_the_path_that_the_call_opens(name: str, path: str, shown: str) -> None:
    _, before, behind = CALLS[name]

    assert summary_of(name, path) == f"{before}{shown}{behind}"


@pytest.mark.parametrize("name", [name for name in CALLS if name != "list_directory"])
def test_a_spelling_stays_where_no_path_may_use_it(name: str) -> None:
    _, before, behind = CALLS[name]

    shown = summary_of(name, r"/repo/\u{73}ecrets", escape_names=False)

    assert shown == f"{before}/repo/\\u{{73}}ecrets{behind}"


@pytest.mark.parametrize("name", CALLS)
def test_a_long_path_loses_its_middle_and_says_so(name: str) -> None:
    _, before, behind = CALLS[name]

    shown = summary_of(name, "/repo/" + "a" * 250 + "/secrets/key.txt")

    assert len(shown) == 200
    assert shown.startswith(f"{before}/repo/aaaa")
    assert shown.endswith(f"aaaa/secrets/key.txt{behind}")
    assert shown.count("…") == 1


@pytest.mark.parametrize("name", WITH_PATTERN)
def test_a_long_pattern_leaves_the_path_alone(name: str) -> None:
    _, before, behind = CALLS[name]
    between = behind.partition("x")[0]

    shown = summary_of(name, "/repo/secrets", pattern="harmless" * 400)

    assert len(shown) == 200
    assert shown.startswith(f"{before}/repo/secrets{between}harmless")
    assert shown.rstrip("'").endswith("harmless")
    assert shown.count("…") == 1


@pytest.mark.parametrize("name", CALLS)
def test_a_secret_at_the_cut_is_not_shown_in_part(name: str) -> None:
    key = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"

    shown = summary_of(name, "/" + "x" * 80 + f"/{key}/" + "y" * 300)

    assert "ghp_" not in shown
    assert "0123" not in shown
    assert "wxyz" not in shown


@pytest.mark.parametrize("character", ["x", "\u200b", "🌳"])
@pytest.mark.parametrize("name", CALLS)
def test_a_summary_has_at_most_200_characters(name: str, character: str) -> None:
    assert len(summary_of(name, "/" + character * 9_999, pattern=character * 999)) == 200


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
