"""An error is within the budget, however long the argument is that it repeats."""

import json
from pathlib import Path

import pytest

from treeglass import Config, ToolRegistry, ToolResult, Workspace
from treeglass.tools.builtin import BUILTIN_TOOLS
from treeglass.utf8 import byte_length

BUDGET_BYTES = 102_400
LONG = 200_000
TOOLS = [f"{tool.family}.{tool.name}" for tool in BUILTIN_TOOLS]
HOSTILE = {
    "one name": "x" * LONG,
    "many names": "/repo/" + "y/" * (LONG // 2),
    "brackets": "[" * LONG,
    "braces": "{" * LONG,
    "quotes": '"' * LONG,
    "controls": "\x01" * 40_000,
    "letters of three bytes": "字" * 80_000,
}


def registry_of(tmp_path: Path, tool: str) -> ToolRegistry:
    # What the examples of the tools name.
    tmp_path.joinpath("src").mkdir()
    for name in ("main.py", "src/main.py"):
        tmp_path.joinpath(name).write_text("class Main:\n")
    offered = [tool.removeprefix("codex.")]
    lists = {"offered": offered} if offered == [tool] else {"experimental_supported_tools": offered}
    config = Config.from_object({"tools": {**lists, "approval": {"mode": "auto"}}})
    return ToolRegistry(Workspace({"/repo": tmp_path}, working_dir="/repo"), config)


def answers(registry: ToolRegistry, tool: str, hostile: str) -> list[ToolResult]:
    """Return the answers to calls that give each argument of a tool a long text, and one more."""
    called = next(each for each in BUILTIN_TOOLS if f"{each.family}.{each.name}" == tool)
    return [
        registry.call_tool(
            tool, {**called.example, argument: hostile}, max_output_bytes=BUDGET_BYTES
        )
        for argument in [*called.input_schema["properties"], hostile]
    ]


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("tool", TOOLS)
def test_no_argument_makes_an_answer_longer_than_the_budget(
    tmp_path: Path, tool: str, hostile: str
) -> None:
    found = answers(registry_of(tmp_path, tool), tool, hostile)

    assert any(answer.is_error for answer in found)
    sizes = [byte_length(answer.content) for answer in found]
    assert [size for size in sizes if size > BUDGET_BYTES] == []
    messages = [byte_length(answer.error.message) for answer in found if answer.error]
    assert [size for size in messages if size > BUDGET_BYTES] == []


def test_an_error_keeps_its_sentence_around_a_path_that_is_cut(tmp_path: Path) -> None:
    answer = registry_of(tmp_path, "envelope.Glob").call_tool(
        "envelope.Glob", {"path": "x/" * 1500, "pattern": "a"}, max_output_bytes=3000
    )

    assert answer.error is not None
    start, _, end = answer.error.message.partition("…")
    assert (start[:15], end[-18:]) == ("Search root 'x/", "/' does not exist.")
    assert json.loads(answer.content)["error"]["message"] == answer.error.message


def test_the_name_of_an_unknown_tool_is_cut(tmp_path: Path) -> None:
    answer = registry_of(tmp_path, "codex.list_dir").call_tool(
        "x" * LONG, {}, max_output_bytes=2000
    )

    assert answer.content == "Unknown tool: " + "x" * 985 + "…" + "x" * 998


def test_an_error_under_a_small_budget_keeps_its_sentence(tmp_path: Path) -> None:
    registry = registry_of(tmp_path, "codex.grep_files")
    answer = registry.call_tool("codex.grep_files", {"pattern": "(" * 2000}, max_output_bytes=10)

    assert byte_length(answer.content) == 1024
    assert "…" in answer.content
