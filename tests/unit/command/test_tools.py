from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.support.offered_tools import OFFERED_TOOLS

if TYPE_CHECKING:
    from tests.unit.command.conftest import RunCommand


@pytest.mark.parametrize(
    ("format_name", "keys"),
    [
        ("mcp", ["_meta", "annotations", "description", "inputSchema", "name", "title"]),
        ("openai", ["description", "name", "parameters", "strict", "type"]),
        ("openai-chat", ["function", "type"]),
        ("anthropic", ["description", "input_schema", "name"]),
    ],
)
def test_tools_are_printed_in_the_shape_of_each_host(
    treeglass: RunCommand, format_name: str, keys: list[str]
) -> None:
    code, printed, complaints = treeglass("tools", "--format", format_name)

    tools = json.loads(printed)
    assert (code, complaints) == (0, "")
    assert [
        tool.get("name", tool.get("function", {}).get("name")) for tool in tools
    ] == OFFERED_TOOLS
    assert sorted(tools[6]) == keys


def test_gemini_takes_one_object_with_all_declarations(treeglass: RunCommand) -> None:
    (tool,) = json.loads(treeglass("tools", "--format", "gemini")[1])

    assert [sorted(declaration) for declaration in tool["functionDeclarations"]] == [
        ["description", "name", "parametersJsonSchema"]
    ] * 9
