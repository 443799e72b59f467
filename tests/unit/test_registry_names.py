"""Tools are listed, called and denied by the names that a configuration gives them."""

import pytest

from treeglass import Config, ToolRegistry, Workspace

NAMED = {
    "offered": ["Read", "forge.Read"],
    "experimental_supported_tools": ["codex.list_dir"],
    "names": {"forge.Read": "forge_read", "list_dir": "dir"},
}


def test_tools_are_listed_and_called_by_their_public_names() -> None:
    named = ToolRegistry(Workspace({}), Config.from_object({"tools": NAMED}))

    assert [(tool.name, tool.family) for tool in named.list_tools()] == [
        ("Read", "envelope"),
        ("dir", "codex"),
        ("forge_read", "forge"),
    ]
    assert named.call_tool("forge_read", {"path": ""}).content == (
        "Bad args: path must not be empty"
    )
    assert named.call_tool("list_dir", {}).content == "Unknown tool: list_dir"


def test_a_tool_is_called_by_its_full_name_under_any_configuration() -> None:
    named = ToolRegistry(Workspace({}), Config.from_object({"tools": NAMED}))

    assert [tool.full_name for tool in named.list_tools()] == [
        "envelope.Read",
        "codex.list_dir",
        "forge.Read",
    ]
    assert named.call_tool("forge.Read", {"path": ""}).content == "Bad args: path must not be empty"
    assert named.summarize_call("codex.list_dir", {"dir_path": "/a"}) == "List directory /a"
    assert named.call_tool("envelope.LS", {}).content == "Unknown tool: LS"
    assert named.call_tool("codex.nope", {}).content == "Unknown tool: codex.nope"


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("foerge_read", "Did you mean forge_read? "),
        ("READ", "Did you mean Read? "),
        ("rm", ""),
        ("list_dir", "The tool list_dir is called dir here. "),
        ("LS", 'LS is not offered: add "LS" to tools.offered of the configuration. '),
        (
            "forge.Glob",
            'forge.Glob is not offered: add "forge.Glob" to tools.offered of the configuration. ',
        ),
        (
            "grep_files",
            (
                'grep_files is not offered: add "grep_files" to '
                "tools.experimental_supported_tools of the configuration. "
            ),
        ),
    ],
)
def test_a_warning_says_how_to_call_or_to_offer_a_tool_that_is_unknown(
    name: str, advice: str
) -> None:
    named = ToolRegistry(Workspace({}), Config.from_object({"tools": NAMED}))

    result = named.call_tool(name, {})

    shown = name.removeprefix("forge.")
    assert (result.content, result.warnings) == (
        f"Unknown tool: {shown}",
        (f"{advice}The tools are: Read, dir, forge_read.",),
    )


def test_a_warning_about_an_unknown_tool_says_that_none_is_offered() -> None:
    empty = ToolRegistry(Workspace({}), tools=())

    assert empty.call_tool("list_dir", {}).warnings == ("No tool is offered.",)


@pytest.mark.parametrize("spelling", ["dir", "list_dir", "codex.list_dir"])
def test_a_denylist_may_name_a_tool_in_any_way(spelling: str) -> None:
    table = {**NAMED, "approval": {"denylist": [spelling]}}
    named = ToolRegistry(Workspace({}), Config.from_object({"tools": table}))

    answers = [named.call_tool(name, {}).content for name in ("dir", "forge_read")]
    assert "denylisted" in answers[0]
    assert "denylisted" not in answers[1]
