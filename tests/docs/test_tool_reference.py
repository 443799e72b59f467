"""The references of the tools are complete and true: tables and refusals."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any, get_args

import pytest
from pydantic.alias_generators import to_camel

from tests.docs.reference_page import DOCS, Page, read_page
from treeglass import Config, Limits, ToolDefinition, ToolRegistry, Workspace
from treeglass.tools.codex.arguments import (
    CodexArgs,
    GrepFilesArgs,
    IndentationArgs,
    ListDirArgs,
    ReadFileArgs,
)
from treeglass.tools.envelope.glob import PRUNED
from treeglass.tools.envelope.grep_search import LEFT_OUT
from treeglass.tools.envelope.ignore import MAX_IGNORE_PATTERN_LENGTH, MAX_IGNORE_PATTERNS
from treeglass.tools.envelope.ls import DEFAULT_IGNORED
from treeglass.tools.forge.arguments import MAX_WORD, default_values
from treeglass.tools.forge.paths.denied_patterns import DEFAULT_DENIED_PATTERNS
from treeglass.tools.forge.paths.path_sandbox import DENIED_PATTERNS_OF_FILES
from treeglass.tools.forge.walk import ERROR_TEXTS

CONFIG = Config.from_object(
    {
        "tools": {
            "offered": [*Config().tools.offered, "forge.Read", "forge.Glob"],
            "names": {"forge.Read": "forge_read", "forge.Glob": "forge_glob"},
        }
    }
)
REGISTRY = ToolRegistry(Workspace({"/repo": DOCS / "trees" / "shop"}), CONFIG)
DEFINITIONS = {definition.name: definition for definition in REGISTRY.list_tools()}
PAGES = {name: read_page(f"tools/{name}.md") for name in DEFINITIONS}
INDEX = read_page("tools/index.md")
SHARED = read_page("tools/shared.md")

_CODEX_MODELS: dict[str, type[CodexArgs]] = {
    "list_dir": ListDirArgs,
    "read_file": ReadFileArgs,
    "grep_files": GrepFilesArgs,
    "indentation": IndentationArgs,
}

# A right call, to which the argument under test is added.
_RIGHT_CALLS: dict[str, dict[str, Any]] = {
    "list_dir": {"dir_path": "/repo"},
    "read_file": {"file_path": "/repo/src/shop/cart.py", "mode": "indentation"},
    "grep_files": {"pattern": "a"},
    "LS": {},
    "Read": {"path": "README.md"},
    "Glob": {"pattern": "*"},
    "Grep": {"pattern": "a"},
    "list_directory": {"path": ".", "recursive": True},
    "Search": {"pattern": "a"},
    "forge_read": {"path": "README.md"},
    "forge_glob": {"pattern": "*"},
}

_FORGE_FILE_TOOLS = {"Search", "forge_read", "forge_glob"}

_OF_ENVELOPE = {name for name, found in DEFINITIONS.items() if found.family == "envelope"}

each_tool = pytest.mark.parametrize("name", sorted(DEFINITIONS))


def _properties(
    schema: dict[str, Any], prefix: str = ""
) -> Iterator[tuple[str, dict[str, Any], bool]]:
    for name, found in schema["properties"].items():
        yield prefix + name, found, name in schema.get("required", ())
        if "properties" in found:
            yield from _properties(found, f"{name}.")


def _names(definition: ToolDefinition) -> list[str]:
    return [name for name, _, _ in _properties(definition.input_schema)]


@each_tool
def test_the_table_of_parameters_says_what_the_input_schema_and_the_code_say(name: str) -> None:
    expected = [
        (
            f"`{parameter}`",
            f"`{found['type']}`",
            "required" if is_required else _default(name, parameter, found),
            _bounds(name, parameter, found),
        )
        for parameter, found, is_required in _properties(DEFINITIONS[name].input_schema)
    ]

    table = PAGES[name].table("Parameter", "Type", "Default", "Bounds")

    assert [tuple(cell.markdown for cell in row) for row in table.rows] == expected


def _codex_field(tool: str, parameter: str) -> Any:
    *parent, name = parameter.split(".")
    return _CODEX_MODELS[parent[0] if parent else tool].model_fields[name]


_ELSEWHERE = {"indentation.anchor_line": "the `offset`", "indentation.max_lines": "the `limit`"}


def _default(tool: str, parameter: str, found: dict[str, Any]) -> str:
    if parameter in _ELSEWHERE:
        return _ELSEWHERE[parameter]
    if tool in _CODEX_MODELS:
        return f"`{json.dumps(_codex_field(tool, parameter).default)}`"
    if tool in _OF_ENVELOPE:
        return f"`{json.dumps(found['default'])}`"
    if tool in _FORGE_FILE_TOOLS:
        return f"`{json.dumps(found['default'])}`" if "default" in found else "none"
    flat, deep = (default_values(Config(), is_recursive=deep)[parameter] for deep in (False, True))
    if "default" in found:
        assert flat == found["default"], "the schema and the configuration differ"
    if flat != deep:
        return f"`{flat}`, or `{deep}` with `recursive`"
    return f"`{json.dumps(flat)}`"


_MODES = get_args(ReadFileArgs.model_fields["mode"].annotation)
_LISTED = Config().tools.list_directory
_SPECIAL_BOUNDS = {
    "mode": " or ".join(f"`{mode}`" for mode in _MODES),
    "indentation": "the next five",
    "indentation.max_levels": "`0` or more",
    "ignore": f"at most `{MAX_IGNORE_PATTERNS}` patterns "
    f"of `{MAX_IGNORE_PATTERN_LENGTH}` characters each",
    "max_depth": f"`1` to `{_LISTED.max_depth}`, the configured `max_depth`; "
    "only `1` without `recursive`",
    "max_entries": f"`1` to `{_LISTED.max_entries}`, the configured `max_entries`",
}


_FROM_ONE = {"start_line", "end_line"}


def _bounds(tool: str, parameter: str, found: dict[str, Any]) -> str:
    if tool in _FORGE_FILE_TOOLS and found["type"] == "integer" and parameter not in _FROM_ONE:
        cap = getattr(Config().tools.search, parameter, None)
        if cap is not None:
            return f"`0` to `{cap}`, the configured cap"
        return f"`0` to `{MAX_WORD}`" if parameter == "context" else "`0` or more"
    if parameter in _SPECIAL_BOUNDS:
        return _SPECIAL_BOUNDS[parameter]
    if found["type"] == "number":
        return "`1` or more"
    if found["type"] != "integer":
        return "none"
    high = f" to `{found['maximum']}`" if "maximum" in found else " or more"
    return f"`{found['minimum']}`{high}"


@each_tool
def test_numbers_are_taken_up_to_their_bounds_and_refused_beyond(name: str) -> None:
    wrong = []
    for row in PAGES[name].table("Parameter", "Type", "Default", "Bounds").rows:
        if row[1].codes[0] not in {"number", "integer"}:
            continue
        parameter, (low, *high) = row[0].codes[0], _whole_numbers(row[3].codes)[:2]
        # For a parameter without a maximum in the table, the page has one for all of them, or none.
        high = high or _whole_numbers(PAGES[name].paragraphs["Parameters"][0].codes)
        within = dict.fromkeys((low, *high), False)
        beyond = dict.fromkeys((low - 1, *(number + 1 for number in high)), True)
        wrong += [
            (parameter, number)
            for number, is_beyond in (within | beyond).items()
            if _is_out_of_range(name, parameter, number) is not is_beyond
        ]

    assert wrong == []


def _whole_numbers(codes: tuple[str, ...]) -> list[int]:
    return [int(code) for code in codes if code.isdecimal()]


def _is_out_of_range(tool: str, parameter: str, number: int) -> bool:
    *parent, name = parameter.split(".")
    added = {parent[0]: {name: number}} if parent else {name: number}
    result = REGISTRY.call_tool(tool, _RIGHT_CALLS[tool] | added)
    # To begin behind the end is an error of the tree, not of the number.
    return result.is_error and not re.search(
        r"exceeds (directory entry count|file length)", result.content
    )


@each_tool
def test_every_parameter_has_a_heading_of_its_own(name: str) -> None:
    headings = PAGES[name].headings
    start = headings.index("Parameters") + 1

    parameters = [f"`{parameter}`" for parameter in _names(DEFINITIONS[name])]

    assert list(headings[start : start + len(parameters)]) == parameters


@each_tool
def test_every_parameter_is_used_by_a_demo_of_the_page(name: str) -> None:
    used: set[str] = set()
    for demo in PAGES[name].demos:
        assert demo.directive.demo.tool == name
        for key, value in json.loads(demo.directive.demo.arguments).items():
            used |= (
                {key, *(f"{key}.{inner}" for inner in value)} if isinstance(value, dict) else {key}
            )

    assert used == set(_names(DEFINITIONS[name]))


@pytest.mark.parametrize("page", [INDEX, SHARED, *PAGES.values()], ids=["index", "shared", *PAGES])
def test_no_two_demos_of_a_page_have_one_label(page: Page) -> None:
    labels = [demo.label for demo in page.demos]

    assert (len(set(labels)), "" in labels) == (len(labels), False)


@each_tool
def test_every_refusal_reads_as_the_page_has_it(name: str) -> None:
    table = next(table for table in PAGES[name].tables if table.header[-1] == "Refused with")
    expected = [[cell.codes[0] for cell in row[1:]] for row in table.rows]

    answered = []
    for row in table.rows:
        result = REGISTRY.call_tool(name, row[0].codes[0])
        assert result.error is not None, row[0].markdown
        words = result.error.message if name in _OF_ENVELOPE else result.content
        answered.append([result.error.kind, words] if len(row) > 2 else [words])

    assert answered == expected


def test_the_shared_page_has_the_hints_of_every_tool() -> None:
    said = {row[0].codes[0]: row[1].codes[0] for row in SHARED.table("Hint", "Value").rows}

    shown = [
        {to_camel(hint): json.dumps(value) for hint, value in asdict(tool.annotations).items()}
        for tool in DEFINITIONS.values()
    ]

    assert shown == [said] * len(DEFINITIONS)


def test_the_shared_page_has_the_limits_of_a_workspace() -> None:
    rows = SHARED.table("Limit", "Default", "Unit").rows

    said = {row[0].codes[0]: int(row[1].markdown.replace(",", "")) for row in rows}

    assert said == asdict(Limits())


_SHOWN = {
    "list_dir": ['{"dir_path": "/repo"}'],
    "read_file": ['{"file_path": "/repo/README.md"}'],
    "grep_files": ['{"pattern": "TODO"}'],
    "LS": ["{}"],
    "Read": ['{"path": "README.md"}'],
    "Glob": ['{"pattern": "*.py"}'],
    "Grep": ['{"pattern": "TODO"}'],
    "list_directory": ['{"path": "src"}', '{"path": "src", "recursive": true}'],
    "Search": ['{"pattern": "TODO"}'],
    "forge_read": [
        '{"path": "README.md"}',
        '{"path": "README.md", "start_line": 1, "end_line": 2}',
    ],
    "forge_glob": ['{"pattern": "*.py"}'],
}


@each_tool
def test_the_page_quotes_what_a_person_approves(name: str) -> None:
    (quoted,) = PAGES[name].paragraphs["Approval"]

    shown = [REGISTRY.summarize_call(name, arguments) for arguments in _SHOWN[name]]

    assert list(quoted.codes) == shown


@pytest.mark.parametrize(
    ("name", "heading", "names_all"),
    [
        ("LS", "`include_hidden`", lambda codes: set(codes) == DEFAULT_IGNORED),
        ("Glob", "`include_ignored`", lambda codes: set(codes) == PRUNED),
        ("Grep", "What is searched", lambda codes: set(codes) - {"path"} == LEFT_OUT),
        ("list_directory", "The sandbox", lambda codes: codes == DEFAULT_DENIED_PATTERNS),
        ("Search", "The sandbox", lambda codes: {*DENIED_PATTERNS_OF_FILES} <= {*codes}),
    ],
)
def test_the_page_names_all_that_is_hidden_left_out_or_denied(
    name: str, heading: str, names_all: Callable[[tuple[str, ...]], bool]
) -> None:
    said = [part.codes for part in PAGES[name].paragraphs[heading]]

    assert any(map(names_all, said)), said


def test_the_page_of_list_directory_names_every_key_and_code_of_its_answer() -> None:
    page, schema = PAGES["list_directory"], DEFINITIONS["list_directory"].output_schema
    assert schema is not None
    entry_keys = page.table("Key of an entry", "What it holds").rows
    codes = page.table("`error_code`", "`error`", "When").rows

    said = (
        [row[0].codes[0] for row in page.table("Key", "What it holds").rows],
        [code for row in entry_keys for code in row[0].codes],
        {row[0].codes[0]: row[1].codes[0] for row in codes},
    )

    assert said == (
        list(schema["properties"]),
        list(schema["properties"]["entries"]["items"]["properties"]),
        ERROR_TEXTS,
    )
