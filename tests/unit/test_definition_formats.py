"""The definitions in every host's shape; the whole of each is in `definition_formats/`."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from tests.support.offered_tools import OFFERED_TOOLS
from treeglass import Config, ToolRegistry, Workspace
from treeglass.bridge import Bridge
from treeglass.definition_formats import (
    FORMAT_NAMES,
    FormatName,
    render_definitions,
    strict_schema,
)
from treeglass.errors import UnknownFormat
from treeglass.tools.codex.changes.definitions import PATCH_GRAMMAR

WHOLE_OUTPUTS = Path(__file__).parent / "definition_formats"

STRICT_FORMATS: tuple[FormatName, ...] = ("openai", "openai-custom", "openai-chat")


def whole_output(format_name: FormatName) -> Any:
    return json.loads((WHOLE_OUTPUTS / f"{format_name}.json").read_text("utf-8"))


def rendered(format_name: FormatName, names: dict[str, str] | None = None) -> Any:
    definitions = ToolRegistry(Workspace({})).list_tools()
    return render_definitions(definitions, format_name, names)


def test_an_unknown_format_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(UnknownFormat) as refused:
        render_definitions((), "openai-chats")  # type: ignore[arg-type]  # as a program may

    assert str(refused.value) == (
        "there is no format 'openai-chats'; it is one of mcp, openai, openai-custom, openai-chat, "
        "anthropic, gemini"
    )


def named(format_name: FormatName, tools: Any) -> list[str]:
    """Return the names of rendered tools."""
    if format_name == "gemini":
        (group,) = tools
        return [declaration["name"] for declaration in group["functionDeclarations"]]
    if format_name == "openai-chat":
        return [tool["function"]["name"] for tool in tools]
    return [tool["name"] for tool in tools]


def strict_parameters(format_name: FormatName) -> list[dict[str, Any]]:
    tools = rendered(format_name)
    if format_name == "openai-chat":
        tools = [tool["function"] for tool in tools]
    assert [tool["strict"] for tool in tools] == [True] * 9
    return [tool["parameters"] for tool in tools]


def objects_in(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Return every schema of an object, at every depth."""
    if "properties" in schema:
        yield schema
        for value in schema["properties"].values():
            yield from objects_in(value)


def test_every_format_has_its_whole_output_written_down() -> None:
    assert sorted(path.stem for path in WHOLE_OUTPUTS.iterdir()) == sorted(get_args(FormatName))
    assert get_args(FormatName) == FORMAT_NAMES


@pytest.mark.parametrize("format_name", FORMAT_NAMES)
def test_every_tool_is_rendered_whole(format_name: FormatName) -> None:
    assert rendered(format_name) == whole_output(format_name)


@pytest.mark.parametrize("format_name", FORMAT_NAMES)
def test_the_command_line_and_the_page_get_the_same(format_name: FormatName) -> None:
    request = {"method": "describeTools", "params": {"format": format_name}}
    printed = subprocess.run(
        [sys.executable, "-m", "treeglass", "tools", "--format", format_name],
        capture_output=True,
        check=True,
        timeout=60,
    ).stdout

    told = json.loads(Bridge().handle(json.dumps(request)))

    # The order of keys too: a model reads the text, and a cache of prompts compares it.
    assert json.dumps(json.loads(printed)) == json.dumps(told["result"]["tools"])
    assert told["result"]["tools"] == rendered(format_name, {name: name for name in OFFERED_TOOLS})


@pytest.mark.parametrize("format_name", FORMAT_NAMES)
def test_a_host_gets_the_tools_that_it_names_by_its_own_names(format_name: FormatName) -> None:
    tools = rendered(format_name, {"read_file": "repo.read", "LS": "list", "grep": "search"})

    assert named(format_name, tools) == ["list", "repo.read"]
    everything = {tool.name: tool.name for tool in ToolRegistry(Workspace({})).list_tools()}
    back = rendered(format_name, everything)
    assert back == whole_output(format_name)


@pytest.mark.parametrize("format_name", FORMAT_NAMES)
def test_only_the_name_changes_with_the_name(format_name: FormatName) -> None:
    text = json.dumps(rendered(format_name, {"list_dir": "LIST_DIR_RENAMED"}))

    assert json.loads(text.replace("LIST_DIR_RENAMED", "list_dir")) == rendered(
        format_name, {"list_dir": "list_dir"}
    )
    assert text.count("LIST_DIR_RENAMED") == 1


@pytest.mark.parametrize(
    ("format_name", "nothing"),
    [
        ("mcp", []),
        ("openai", []),
        ("openai-custom", []),
        ("openai-chat", []),
        ("anthropic", []),
        ("gemini", [{"functionDeclarations": []}]),
    ],
)
def test_a_host_may_be_left_without_tools(format_name: FormatName, nothing: list[Any]) -> None:
    assert rendered(format_name, {}) == nothing


def test_a_tool_with_a_grammar_is_a_custom_tool_where_a_host_has_some() -> None:
    chosen = {"tools": {"experimental_supported_tools": ["apply_patch"], "offered": ["LS"]}}
    definitions = ToolRegistry(Workspace({}), Config.from_object(chosen)).list_tools()

    ls, custom = render_definitions(definitions, "openai-custom")
    _, function = render_definitions(definitions, "openai")

    assert custom == {
        "type": "custom",
        "name": "apply_patch",
        "description": function["description"],
        "format": {"type": "grammar", "syntax": "lark", "definition": PATCH_GRAMMAR},
    }
    assert ls in render_definitions(definitions, "openai")
    assert function["parameters"]["required"] == ["input"]


@pytest.mark.parametrize("format_name", STRICT_FORMATS)
def test_a_strict_host_is_sent_no_object_with_an_optional_or_unnamed_property(
    format_name: FormatName,
) -> None:
    found = [each for schema in strict_parameters(format_name) for each in objects_in(schema)]

    assert len(found) == 10  # nine tools, and the `indentation` of `read_file`
    for schema in found:
        assert schema["required"] == list(schema["properties"])
        assert schema["additionalProperties"] is False


@pytest.mark.parametrize("format_name", STRICT_FORMATS)
def test_a_strict_host_may_send_null_for_optional_properties_only(format_name: FormatName) -> None:
    originals = [tool.input_schema for tool in ToolRegistry(Workspace({})).list_tools()]
    pairs = [
        pair
        for strict, original in zip(strict_parameters(format_name), originals, strict=True)
        for pair in zip(objects_in(strict), objects_in(original), strict=True)
    ]

    for strict, original in pairs:
        for name, value in original["properties"].items():
            is_required = name in original.get("required", [])
            expected = value["type"] if is_required else [value["type"], "null"]
            assert strict["properties"][name]["type"] == expected


@pytest.mark.parametrize("format_name", STRICT_FORMATS)
def test_a_strict_host_reads_defaults_in_the_descriptions(format_name: FormatName) -> None:
    for schema in strict_parameters(format_name):
        assert all("default" not in value for value in schema["properties"].values())

    _, _, ls, _, _, _, _, list_directory, _ = strict_parameters(format_name)
    assert {name: value.get("description") for name, value in ls["properties"].items()} == {
        "path": "Directory path to list (relative to project root or absolute within it)."
        ' Default: ".".',
        "offset": "Pagination start index (>=0). Default: 0.",
        "limit": "Max items to return (1-200). Default: 100.",
        "include_hidden": "Whether to include hidden files (starting with '.'). Default: false.",
        "ignore": "Optional list of glob patterns to ignore.",
    }
    assert {
        name: value.get("description") for name, value in list_directory["properties"].items()
    } == {
        "path": None,
        "recursive": "Default: false.",
        "max_depth": None,
        "max_entries": None,
        "include_hidden": "Default: false.",
        "include_files": "Default: true.",
        "include_dirs": "Default: true.",
        "include_symlinks": "Default: true.",
        "include_other": "Default: false.",
    }


def test_a_strict_choice_may_be_null_if_it_is_optional() -> None:
    choice = {"type": "string", "enum": ["é", "b"], "default": "é", "description": "Which."}
    nested = {"type": "object", "properties": {"inner": dict(choice)}, "required": ["inner"]}
    schema = {
        "type": "object",
        "properties": {"must": dict(choice), "may": dict(choice), "deep": nested},
        "required": ["must"],
    }

    must = {"type": "string", "enum": ["é", "b"], "description": 'Which. Default: "é".'}
    may = {"type": ["string", "null"], "enum": ["é", "b", None], "description": must["description"]}
    assert strict_schema(schema) == {
        "type": "object",
        "properties": {
            "must": must,
            "may": may,
            "deep": {
                "type": ["object", "null"],
                "properties": {"inner": must},
                "required": ["inner"],
                "additionalProperties": False,
            },
        },
        "required": ["must", "may", "deep"],
        "additionalProperties": False,
    }
    assert schema["properties"] == {"must": choice, "may": choice, "deep": nested}
