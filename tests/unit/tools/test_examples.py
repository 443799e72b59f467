"""The example of each tool: a call that its schema and its parser take."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # ships no types

from treeglass import Config
from treeglass.call_arguments import ToolArguments
from treeglass.tool import Tool
from treeglass.tools.builtin import BUILTIN_TOOLS


@pytest.mark.parametrize("tool", BUILTIN_TOOLS, ids=lambda tool: f"{tool.family}.{tool.name}")
def test_example_of_a_tool_is_a_call_that_it_takes(tool: Tool[Any]) -> None:
    example = dict(tool.example)

    Draft202012Validator.check_schema(tool.input_schema)
    Draft202012Validator(tool.input_schema).validate(example)
    tool.parse_arguments(ToolArguments(example), Config())

    assert set(tool.input_schema["required"]) <= set(example)
