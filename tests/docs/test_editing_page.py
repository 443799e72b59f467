"""What the pages say of tools that change, and of the review of changes, is what the code has."""

import inspect
import json
import re
from dataclasses import asdict, fields
from typing import Any, get_args

import pytest

from tests.docs.reference_page import DOCS, read_page
from treeglass import Config, Limits, ToolDefinition, ToolRegistry, Workspace, errors
from treeglass.command.batch import ChangesLine, DiscardLine
from treeglass.tool import Tool, ToolContext
from treeglass.tool_names import TOOL_NAMES
from treeglass.tools.builtin import BUILTIN_TOOLS
from treeglass.workspace.overlay.bases import BaseState
from treeglass.workspace.overlay.change_flags import Flag
from treeglass.workspace.overlay.overlay import Overlay
from treeglass.workspace.overlay.reviewed import ReviewedDiff, as_json

EDITING = read_page("editing.md")
WEB = DOCS.parent / "web" / "src"

_CHANGING: dict[str, Tool[Any]] = {
    f"{tool.family}.{tool.name}": tool for tool in BUILTIN_TOOLS if tool.is_changing
}

_PAGES = {
    full: f"tools/{name if family != 'forge' else f'forge_{name.lower()}'}.md"
    for full in _CHANGING
    for family, _, name in [full.partition(".")]
}

each_tool = pytest.mark.parametrize("full_name", _CHANGING)


def test_the_limits_of_changes_are_those_of_a_workspace() -> None:
    rows = EDITING.table("Limit", "Default", "Above it").rows

    said = {row[0].codes[0]: int(row[1].markdown.replace(",", "")) for row in rows}

    known = asdict(Limits())
    assert said == {name: known[name] for name in said}
    prefixes = ("max_patch", "max_edits", "max_changed", "max_proposal", "max_undo", "max_seen")
    assert {*said} == {name for name in known if name.startswith(prefixes)}


def test_the_flags_of_a_change_are_those_of_python_and_of_javascript() -> None:
    said = [row[0].codes[0] for row in EDITING.table("Flag", "What it says").rows]
    source = (WEB / "protocol" / "changes.ts").read_text("utf-8")
    (union,) = re.findall(r"^export type ChangeFlag =(.*?);", source, re.MULTILINE | re.DOTALL)

    assert said == [*get_args(Flag)] == re.findall(r'"(\w+)"', union)


def test_the_states_of_a_base_are_those_of_the_code() -> None:
    said = [row[0].codes[0] for row in EDITING.table("State", "Meaning").rows]

    assert said == [*get_args(BaseState)]


def test_the_decisions_are_the_methods_of_the_client_and_of_an_overlay() -> None:
    table = EDITING.table("In JavaScript", "In Python, on `workspace.overlay`")
    source = (WEB / "client" / "changes-client.ts").read_text("utf-8")
    methods = re.findall(r"^  (?:async )?(\w+)(?:<[^>]*>)?\(", source, re.MULTILINE)

    in_javascript = [name for row in table.rows for name in row[0].codes]
    in_python = [name for row in table.rows for name in row[1].codes]
    assert {*in_javascript} == {*methods} - {"constructor"}
    assert [
        name for name in in_python if not inspect.isfunction(getattr(Overlay, name, None))
    ] == []


def test_both_languages_have_one_shape_of_a_diff() -> None:
    source = (WEB / "protocol" / "changes.ts").read_text("utf-8")
    (change,) = re.findall(r"^export interface Change \{(.*?)^\}", source, re.MULTILINE | re.DOTALL)
    names = re.findall(r"^  readonly (\w+):", change, re.MULTILINE)
    blanks: Any = dict.fromkeys((each.name for each in fields(ReviewedDiff)), None)
    blank = ReviewedDiff(**blanks)

    assert [*as_json(blank)] == [*names, "hunks"]


def test_the_lines_of_a_batch_about_changes_are_those_of_the_command() -> None:
    page = read_page("reference/command-line.md")

    lines = [json.loads(row[0].codes[0]) for row in page.table("Line", "Answer").rows]

    ChangesLine.model_validate(lines[0])
    DiscardLine.model_validate(lines[1])
    assert [[*line] for line in lines] == [
        [name for name in model.model_fields if name != "id"]
        for model in (ChangesLine, DiscardLine)
    ]


def test_the_index_has_every_tool_that_changes() -> None:
    table = read_page("tools/index.md").table("Tool", "Choose it if", "It gets")

    linked = {f"tools/{re.findall(r'[(](.*)[)]', row[0].markdown)[0]}" for row in table.rows}

    assert linked == {*_PAGES.values()}


def test_the_configuration_names_every_tool_that_changes() -> None:
    first, *_ = read_page("reference/configuration.md").paragraphs["Tools that change"]

    changing = {tool.spellings[-1] for tool in TOOL_NAMES if tool.is_changing}
    assert {*first.codes} - {"family"} == changing


def _offered(full_name: str) -> ToolDefinition:
    family, _, name = full_name.partition(".")
    is_codex = family == "codex"
    tools = {
        "experimental_supported_tools": [name] if is_codex else [],
        "offered": [] if is_codex else [full_name],
    }
    registry = ToolRegistry(Workspace({}), Config.from_object({"tools": tools}))
    (definition,) = registry.list_tools()
    return definition


@each_tool
def test_a_page_has_the_parameters_of_its_schema(full_name: str) -> None:
    schema = _offered(full_name).input_schema
    required = schema.get("required", ())

    table = read_page(_PAGES[full_name]).table("Parameter", "Type", "Default", "Bounds")

    assert [(row[0].codes[0], row[1].codes[0], row[2].markdown) for row in table.rows] == [
        (
            name,
            found["type"],
            "required"
            if name in required
            else f"`{json.dumps(found['default'])}`"
            if "default" in found
            else "none",
        )
        for name, found in schema["properties"].items()
    ]


_COLUMNS = {"codex": 1, "envelope": 2, "forge": 3}

_FAULTS = {
    "`[tools.edit]` refuses the path": errors.ChangeRefused("/repo/a", "it matches 'a'"),
    "a limit of the changes is exceeded": errors.LimitExceeded("max_edits", 1000),
}


@each_tool
@pytest.mark.parametrize("fault", _FAULTS)
def test_a_refused_change_has_the_kind_that_the_page_of_errors_says(
    full_name: str, fault: str
) -> None:
    tool = _CHANGING[full_name]
    table = read_page("reference/errors.md").table("What happened", "`apply_patch`")
    (row,) = (row for row in table.rows if row[0].markdown == fault)
    context = ToolContext(
        workspace=Workspace({}),
        config=Config(),
        working_dir="/",
        arguments={"path": "a"},
        max_output_bytes=10_000,
    )

    failure = tool.report_error(_FAULTS[fault], context).error

    assert failure is not None
    assert (failure.kind,) == row[_COLUMNS[tool.family]].codes
