from typing import Any

import pytest

from treeglass import Config
from treeglass.call_arguments import ToolArguments
from treeglass.errors import InvalidArguments
from treeglass.tools.forge.arguments import ListDirectoryArgs, parse_list_directory

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


NOT_RECURSIVE = (
    "max_depth is 2 but recursive is false; leave max_depth out or set it to 1, "
    "or set recursive to true"
)
OF_NO_KIND = dict.fromkeys(("include_files", "include_dirs", "include_symlinks"), False)
NO_KIND = (
    "at least one of include_files, include_dirs, include_symlinks must be true; "
    "set one of them to true"
)


def test_absent_arguments_have_the_built_in_values() -> None:
    assert parse({"path": " ./ "}).model_dump() == BUILT_IN


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
        pytest.param({"path": ".", "max_depth": 2}, NOT_RECURSIVE, id="depth without recursion"),
        pytest.param(
            {"path": ".", "max_depth": 2, "recursive": False},
            NOT_RECURSIVE,
            id="depth and no recursion",
        ),
        pytest.param(
            {"path": ".", "recursive": True, "max_depth": 5},
            "max_depth is 5, above the configured limit 4; "
            "give at most 4 and list a subdirectory to see deeper",
            id="depth above the cap",
        ),
        pytest.param({"path": ".", **OF_NO_KIND, "include_other": True}, NO_KIND, id="no kind"),
    ],
)
def test_argument_against_the_schema_is_named(values: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        parse(values)

    assert str(caught.value) == message


def test_call_for_no_kind_is_refused_if_the_configuration_excludes_all() -> None:
    with pytest.raises(InvalidArguments, match=f"^{NO_KIND}$"):
        parse({"path": "."}, {f"{name}_default": False for name in OF_NO_KIND})
