"""The references of the configuration, the command line, the envelope and the errors are true."""

import argparse
import json
import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from tests.docs.reference_page import DOCS, PageDemo, Table, read_page
from treeglass import Config, Workspace, errors
from treeglass.__main__ import _parser
from treeglass.authoring.recording import record_answer
from treeglass.command.batch import BatchLine
from treeglass.command.call import result_as_json
from treeglass.config import ToolsTable
from treeglass.tool import ToolContext, ToolResult
from treeglass.tools.builtin import BUILTIN_TOOLS
from treeglass.tools.envelope.envelope_building import ERROR_CODES
from treeglass.tools.envelope.envelope_schema import ENVELOPE_SCHEMA, LS_ERROR_CODES
from treeglass.tools.forge.errors import ToolErrorKind

CONFIGURATION = read_page("reference/configuration.md")
COMMAND_LINE = read_page("reference/command-line.md")
ENVELOPE = read_page("reference/envelope.md")
ERRORS = read_page("reference/errors.md")

_DEMOS = [
    demo
    for folder in ("tools", "reference")
    for page in sorted((DOCS / folder).glob("*.md"))
    for demo in read_page(page.relative_to(DOCS).as_posix()).demos
]


@pytest.mark.parametrize(
    "demo", _DEMOS, ids=lambda demo: f"{demo.directive.demo.tool}, {demo.label}"
)
def test_a_demo_errs_exactly_where_its_label_says_so(demo: PageDemo) -> None:
    tree_path = demo.directive.tree_path
    tree = None if tree_path is None else DOCS / tree_path.removeprefix("/")

    recording = record_answer(demo.directive.demo, tree)

    assert recording.is_error == demo.label.startswith("An error: "), recording.content


def _config_tables(
    name: str = "tools", model: type[BaseModel] = ToolsTable
) -> Iterator[tuple[str, type[BaseModel]]]:
    yield name, model
    for key, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from _config_tables(f"{name}.{key}", field.annotation)


CONFIG_TABLES = dict(_config_tables())


@pytest.mark.parametrize("name", CONFIG_TABLES)
def test_a_table_of_the_configuration_has_every_key_with_its_default_and_its_values(
    name: str,
) -> None:
    properties = CONFIG_TABLES[name].model_json_schema()["properties"]
    expected = [
        (f"`{key}`", _default(found["default"]), _values(key, found))
        for key, found in properties.items()
        if "$ref" not in found
    ]

    (table,) = (table for table in CONFIGURATION.tables if table.heading == f"`[{name}]`")

    assert [tuple(cell.markdown for cell in row[:3]) for row in table.rows] == expected


def test_the_page_of_the_configuration_has_every_table_and_no_other() -> None:
    headings = {heading for heading in CONFIGURATION.headings if heading.startswith("`[")}

    assert headings == {f"`[{name}]`" for name in CONFIG_TABLES}


_UNITS = {
    "bytes": "bytes",
    "seconds": "seconds",
    "ms": "milliseconds",
    "entries": "entries",
    "results": "events",
    "files": "files",
    "file": "lines",
    "depth": "levels",
}


def _default(value: object) -> str:
    return "none" if value is None else f"`{json.dumps(value)}`"


def _values(key: str, found: dict[str, Any]) -> str:
    unit = _UNITS.get(key.rsplit("_", 1)[-1], "levels")
    match found:
        case {"enum": choices} | {"anyOf": [{"enum": choices}, {"type": "null"}]}:
            return _either(choices)
        case {"type": "array", "items": {"enum": choices}}:
            return f"list of {_either(choices, 'and')}"
        case {"type": "array"}:
            return "list of strings" + (", at least one" if found.get("minItems") else "")
        case {"type": "integer"}:
            lowest = found.get("minimum", found.get("exclusiveMinimum", -1) + 1)
            return f"integer from {lowest}, in {unit}"
        case {"type": "number", "exclusiveMinimum": above}:
            return f"number above {above:g}, in {unit}"
    return "table of names" if found["type"] == "object" else str(found["type"])


def _either(choices: list[str], conjunction: str = "or") -> str:
    quoted = [f"`{choice}`" for choice in choices]
    return f"{', '.join(quoted[:-1])} {conjunction} {quoted[-1]}"


def _commands() -> dict[str, argparse.ArgumentParser]:
    (commands,) = (
        action for action in _parser()._actions if isinstance(action, argparse._SubParsersAction)
    )
    return dict(commands.choices)


COMMANDS = _commands()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_of_the_page_takes_what_the_command_takes(name: str) -> None:
    expected = [
        _described(action)
        for action in COMMANDS[name]._actions
        if not isinstance(action, argparse._HelpAction)
    ]
    heading = f"`treeglass {name}`"

    (table,) = (
        table
        for table in COMMAND_LINE.tables
        if table.heading == heading and table.header[0] == "Argument"
    )

    # Sorted: the page lists positional arguments first, argparse in the order of declaration.
    assert sorted(tuple(cell.markdown for cell in row[:3]) for row in table.rows) == sorted(
        expected
    )


def test_the_page_of_the_command_line_has_every_command_and_no_other() -> None:
    headings = [heading for heading in COMMAND_LINE.headings if heading.startswith("`")]

    assert headings == [f"`treeglass {name}`" for name in COMMANDS]


def _described(action: argparse.Action) -> tuple[str, str, str]:
    words = ", ".join(f"`{option}`" for option in action.option_strings)
    if not words:
        takes = "one or more" if action.nargs == "+" else "one"
        return f"`{action.metavar}`", takes, "yes"
    takes = f"`{action.metavar}`"
    if action.choices:
        takes = _either([str(choice) for choice in action.choices])
    elif action.nargs == 0:
        takes = "nothing"
    return words, takes, "yes" if action.required else "no"


def test_the_page_of_the_command_line_has_the_keys_of_a_line_and_of_a_result() -> None:
    line = [
        (row[0].codes[0], row[1].markdown)
        for row in COMMAND_LINE.table("Key of a line", "Required").rows
    ]
    result = [row[0].codes[0] for row in COMMAND_LINE.table("Key", "What it holds").rows]

    assert (line, result) == (
        [
            (name, "yes" if field.is_required() else "no")
            for name, field in BatchLine.model_fields.items()
        ],
        list(result_as_json(ToolResult(content=""))),
    )


def test_the_page_of_the_envelope_has_every_field_and_code() -> None:
    fields = {
        row[0].codes[0]: row[1].codes[0] for row in ENVELOPE.table("Field", "Type", "When").rows
    }
    codes = [(row[0].codes[0], row[1].markdown) for row in ENVELOPE.table("Code", "In `LS`").rows]

    assert (fields, codes) == (
        {
            name: found.get("type", "string")
            for name, found in ENVELOPE_SCHEMA["properties"].items()
        },
        [(code, "yes" if code in LS_ERROR_CODES else "no") for code in ERROR_CODES],
    )


def test_the_page_of_the_envelope_has_every_key_that_ls_writes() -> None:
    said = {
        code
        for table in ENVELOPE.tables
        if table.header[0] == "Key"
        for row in table.rows
        for code in row[0].codes
    }
    recorded = [
        record_answer(demo.directive.demo, DOCS / "trees" / "shop") for demo in ENVELOPE.demos
    ]

    written = {
        f"{part}.{key}"
        for recording in recorded
        for part, held in json.loads(recording.content).items()
        if part in {"data", "stats", "context"}
        for key in held
    }

    assert written == said - {"context.truncation_skip"}


FAULTS: dict[str, errors.TreeglassError] = {
    "The arguments are wrong": errors.InvalidArguments("…"),
    "There is nothing at the path": errors.PathNotFound(),
    "A link leads out of every mount": errors.PathEscapesWorkspace(),
    "A directory is needed, and it is a file": errors.NotADirectory(),
    "It may not be read": errors.PermissionDenied(),
    "Links lead round in a circle": errors.SymlinkLoop(),
    "A name or a path is too long": errors.NameTooLong(),
    "The path holds a NUL": errors.NulInPath(),
    "The tree is over a limit": errors.LimitExceeded("max_walk_entries", 2_000_000),
    "The filesystem fails": errors.HostFault(),
    "Not even the smallest answer fits": errors.OutputBudgetTooSmall(10, 60),
    "It took too long": errors.CallTimedOut(30.0),
    "The host gave the call up": errors.CallCancelled(),
    "Policy forbids the tool": errors.CallDenied("denylisted", "Tool '{tool}' is denylisted"),
    "A person said no": errors.CallDenied("user_denied", "Tool call denied by user"),
    "A mistake in treeglass": errors.InternalFault(),
}

TOOLS = {tool.name: tool for tool in BUILTIN_TOOLS}


def _reported(tool: str, fault: str) -> ToolResult:
    error = FAULTS[fault]
    if isinstance(error, errors.CallDenied):
        error = errors.CallDenied(error.kind, str(error).format(tool=tool))
    context = ToolContext(
        workspace=Workspace({}),
        config=Config(),
        working_dir="/",
        arguments={"path": "place"},
        max_output_bytes=10_000,
    )
    return TOOLS[tool].report_error(error, context)


def _kind(tool: str, fault: str) -> str:
    failure = _reported(tool, fault).error
    return "" if failure is None else failure.kind


def test_every_fault_has_the_kinds_that_the_table_says() -> None:
    table = ERRORS.table("What happened", "`LS`", "`list_directory`")
    said = {row[0].markdown: tuple(cell.codes[0] for cell in row[1:3]) for row in table.rows}

    reported = {
        fault: tuple(_kind(tool, fault) for tool in ("LS", "list_directory")) for fault in FAULTS
    }

    assert said == reported


@pytest.mark.parametrize("tool", ["list_dir", "read_file"])
def test_every_fault_of_a_codex_tool_has_one_kind(tool: str) -> None:
    assert {_kind(tool, fault) for fault in FAULTS} == {"RespondToModel"}


@pytest.mark.parametrize("tool", ["list_dir", "LS", "list_directory"])
def test_every_fault_has_the_words_that_the_table_says(tool: str) -> None:
    (table,) = (table for table in ERRORS.tables if table.heading == f"The words of `{tool}`")
    said = [(row[0].markdown, row[1].codes[0]) for row in table.rows]

    reported = []
    for fault in FAULTS:
        result = _reported(tool, fault)
        words = result.structured_content["text"] if result.structured_content else result.content
        reported.append((fault, words))

    # The faults of arguments are on the page of each tool.
    assert said == reported[1:]


def test_the_page_of_errors_names_every_kind_of_list_directory() -> None:
    table = ERRORS.table("What happened", "`LS`", "`list_directory`")

    assert {row[2].codes[0] for row in table.rows} == set(get_args(ToolErrorKind))


def _codes_under(table: Table) -> list[str]:
    return [row[0].codes[0] for row in table.rows]


def test_the_page_of_errors_has_every_name_that_the_client_rejects_with() -> None:
    source = (DOCS.parent / "web" / "src" / "protocol" / "errors.ts").read_text("utf-8")
    names = re.findall(r'^  \| "(\w+)"', source, re.MULTILINE)
    (table,) = (table for table in ERRORS.tables if table.heading == "What a page catches")

    assert _codes_under(table) == names
