from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # ships no types

from treeglass import Config
from treeglass.call_arguments import ToolArguments
from treeglass.errors import InvalidArguments
from treeglass.tools.forge.arguments import ListDirectoryArgs, parse_list_directory
from treeglass.tools.forge.schemas import LIST_DIRECTORY_INPUT_SCHEMA

BUILT_IN: dict[str, Any] = {
    "path": ".",
    "recursive": False,
    "max_depth": 1,
    "max_entries": 200,
    "include_hidden": False,
    "include_files": True,
    "include_dirs": True,
    "include_symlinks": True,
    "include_other": False,
}


def parse(values: dict[str, Any], table: dict[str, Any] | None = None) -> ListDirectoryArgs:
    config = Config.from_object({"tools": {"list_directory": table or {}}})
    return parse_list_directory(ToolArguments(values), config)


def refusal_of(values: dict[str, Any], table: dict[str, Any] | None = None) -> str:
    with pytest.raises(InvalidArguments) as caught:
        parse(values, table)
    return str(caught.value)


def test_published_schema_is_the_normative_one() -> None:
    Draft202012Validator.check_schema(LIST_DIRECTORY_INPUT_SCHEMA)
    assert LIST_DIRECTORY_INPUT_SCHEMA == {
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "recursive": {"type": "boolean", "default": False},
            "max_depth": {"type": "integer", "minimum": 1},
            "max_entries": {"type": "integer", "minimum": 1},
            "include_hidden": {"type": "boolean", "default": False},
            "include_files": {"type": "boolean", "default": True},
            "include_dirs": {"type": "boolean", "default": True},
            "include_symlinks": {"type": "boolean", "default": True},
            "include_other": {"type": "boolean", "default": False},
        },
        "required": ["path"],
    }
    assert list(LIST_DIRECTORY_INPUT_SCHEMA["properties"]) == list(ListDirectoryArgs.model_fields)


def test_absent_arguments_have_the_built_in_values() -> None:
    assert parse({"path": " ./ "}).model_dump() == BUILT_IN


def test_recursive_call_without_depth_has_the_configured_one() -> None:
    recursive = {"path": ".", "recursive": True}

    assert parse(recursive).max_depth == 4
    assert parse(recursive, {"max_depth": 2}).max_depth == 2
    assert parse({**recursive, "max_depth": 1}).max_depth == 1


def test_absent_arguments_have_the_configured_values() -> None:
    table = {
        "max_entries": 7,
        "include_hidden_default": True,
        "include_files_default": False,
        "include_dirs_default": False,
        "include_symlinks_default": True,
        "include_other_default": True,
    }

    assert parse({"path": "src"}, table).model_dump() == {
        **BUILT_IN,
        "path": "src",
        "max_entries": 7,
        "include_hidden": True,
        "include_files": False,
        "include_dirs": False,
        "include_other": True,
    }


def test_argument_beats_the_configured_default() -> None:
    table = {"include_hidden_default": True, "max_entries": 7}

    args = parse({"path": ".", "include_hidden": False, "max_entries": 3}, table)

    assert args.model_dump() == {**BUILT_IN, "max_entries": 3}


def test_limits_themselves_are_allowed() -> None:
    values = {"path": ".", "recursive": True, "max_depth": 9, "max_entries": 5}

    args = parse(values, {"max_depth": 9, "max_entries": 5})

    assert args.model_dump() == {**BUILT_IN, **values}


def test_depth_of_one_goes_without_recursion() -> None:
    assert parse({"path": ".", "max_depth": 1}).model_dump() == BUILT_IN


def test_types_are_those_that_the_answer_spells() -> None:
    assert parse({"path": "."}).types == {"file", "dir", "symlink"}
    assert parse({"path": ".", "include_other": True, "include_files": False}).types == {
        *("dir", "symlink", "other")
    }


@pytest.mark.parametrize(
    ("values", "message"),
    [
        pytest.param(
            {},
            "path is missing; give the directory to list, '.' for the working directory",
            id="nothing",
        ),
        pytest.param({"path": 7}, "path must be a string, not 7", id="number as path"),
        pytest.param({"path": None}, "path must be a string, not null", id="null as path"),
        pytest.param(
            {"path": " "},
            "path must not be empty; give '.' for the working directory",
            id="empty path",
        ),
        pytest.param(
            {"path": "a\0b"}, "path contains invalid control characters", id="control in path"
        ),
        pytest.param(
            {"path": ".", "max_entries": True},
            "max_entries must be an integer, not true",
            id="boolean is not an integer",
        ),
        pytest.param(
            {"path": ".", "recursive": True, "max_depth": 2.0},
            "max_depth must be an integer, not 2.0",
            id="2.0 is not an integer",
        ),
        pytest.param(
            {"path": ".", "max_entries": "5"},
            'max_entries must be an integer, not "5"',
            id="text is not an integer",
        ),
        pytest.param(
            {"path": ".", "recursive": 1}, "recursive must be true or false, not 1", id="1 as flag"
        ),
        pytest.param(
            {"path": ".", "include_hidden": None},
            "include_hidden must be true or false, not null",
            id="null as flag",
        ),
        pytest.param(
            {"path": ".", "max_depth": None},
            "max_depth must be an integer, not null",
            id="null as depth",
        ),
        pytest.param(
            {"path": ".", "max_entries": 0}, "max_entries must be at least 1, not 0", id="zero"
        ),
        pytest.param(
            {"path": ".", "max_entries": 10**300},
            f"max_entries is 1{'0' * 198}…, above the configured limit 200; "
            "give at most 200 and list subdirectories one by one",
            id="endless number",
        ),
        pytest.param(
            {"path": [], "max_depth": -3, "recursive": "yes"},
            'path must be a string, not []; recursive must be true or false, not "yes"; '
            "max_depth must be at least 1, not -3",
            id="all faults at once",
        ),
        pytest.param(
            {"path": ".", "max_entries": ["\u202e" * 500]},
            'max_entries must be an integer, not ["' + r"\u{202E}" * 197 + "…",
            id="hostile and endless value",
        ),
    ],
)
def test_argument_against_the_schema_is_named(values: dict[str, Any], message: str) -> None:
    assert refusal_of(values) == message


@pytest.mark.parametrize("recursive", [{}, {"recursive": False}])
def test_depth_without_recursion_is_refused(recursive: dict[str, bool]) -> None:
    assert refusal_of({"path": ".", "max_depth": 2, **recursive}) == (
        "max_depth is 2 but recursive is false; leave max_depth out or set it to 1, "
        "or set recursive to true"
    )


def test_depth_above_the_cap_is_refused() -> None:
    values = {"path": ".", "recursive": True, "max_depth": 5}

    assert refusal_of(values) == (
        "max_depth is 5, above the configured limit 4; "
        "give at most 4 and list a subdirectory to see deeper"
    )
    assert refusal_of(values, {"max_depth": 3}) == (
        "max_depth is 5, above the configured limit 3; "
        "give at most 3 and list a subdirectory to see deeper"
    )


def test_entries_above_the_cap_are_refused() -> None:
    assert refusal_of({"path": ".", "max_entries": 201}) == (
        "max_entries is 201, above the configured limit 200; "
        "give at most 200 and list subdirectories one by one"
    )


def test_call_for_no_kind_is_refused_if_the_call_or_the_configuration_excludes_all() -> None:
    off = ("include_files", "include_dirs", "include_symlinks")
    message = (
        "at least one of include_files, include_dirs, include_symlinks must be true; "
        "set one of them to true"
    )

    assert refusal_of({"path": ".", "include_other": True, **dict.fromkeys(off, False)}) == message
    assert refusal_of({"path": "."}, {f"{name}_default": False for name in off}) == message
