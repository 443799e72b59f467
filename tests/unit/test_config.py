from typing import Any

import pytest

from treeglass import Config, ConfigInvalid
from treeglass.tool_names import TOOL_NAMES
from treeglass.tools.builtin import BUILTIN_TOOLS


def test_table_of_names_holds_every_built_in_tool_once() -> None:
    assert sorted((tool.family, tool.name) for tool in TOOL_NAMES) == sorted(
        (tool.family, tool.name) for tool in BUILTIN_TOOLS
    )


def test_every_key_has_the_documented_default() -> None:
    assert Config().model_dump()["tools"] == {
        "mode": "enabled",
        "family": None,
        "experimental_supported_tools": ["list_dir", "read_file", "grep_files"],
        "offered": ["LS", "Read", "Glob", "Grep", "list_directory", "Search"],
        "names": {},
        "max_tool_args_bytes": 262144,
        "sandbox": {
            "allowed_roots": ["."],
            "denied_patterns": [],
            "allow_absolute": False,
            "include_default_denies": True,
        },
        "approval": {
            "enabled": True,
            "mode": "prompt",
            "allowlist": [],
            "denylist": ["run_command"],
            "prompt_side_effects": True,
        },
        "timeouts": {
            "default_seconds": 30.0,
            "file_operations_seconds": 30.0,
            "shell_commands_seconds": 300.0,
        },
        "output": {"max_bytes": 102400, "escape_names": True},
        "list_directory": {
            "max_entries": 200,
            "max_depth": 4,
            "include_hidden_default": False,
            "include_symlinks_default": True,
            "include_files_default": True,
            "include_dirs_default": True,
            "include_other_default": False,
        },
        "list_dir": {"revision": "sorted-then-paged"},
        "read_file": {"max_levels_default": 4, "include_header_default": False},
        "glob": {"max_visited_entries": 20000, "max_seconds": 30.0},
        "forge_read": {
            "max_file_read_bytes": 204800,
            "max_scan_bytes": 2097152,
            "sanitize": True,
        },
        "search": {
            "default_timeout_ms": 20000,
            "default_max_results": 200,
            "max_matches_per_file": 50,
            "max_files": 10000,
            "max_file_size_bytes": 2000000,
            "mask_keys": True,
        },
        "edit": {"allow": ["**"], "deny": ["**/.git", "**/.git/**"], "refresh_reads": True},
    }


def test_a_table_that_names_one_key_keeps_the_defaults_of_the_others() -> None:
    config = Config.from_toml("[tools.list_directory]\nmax_depth = 6\n")

    assert config.tools.list_directory.max_depth == 6
    assert config.tools.list_directory.max_entries == 200


READING = [tool for tool in TOOL_NAMES if not tool.is_changing]
CODEX = [tool.name for tool in READING if tool.family == "codex"]
DEFAULT = [tool.name for tool in READING if tool.family == "codex" and tool.is_default]
ENVELOPE = [tool.name for tool in READING if tool.family == "envelope"]
_OTHERS = [tool for tool in TOOL_NAMES if tool.family != "codex"]
TAKEN = [
    *(tool.name for tool in _OTHERS if tool.may_stand_alone),
    *(f"{tool.family}.{tool.name}" for tool in _OTHERS),
]
"""The names that `offered` takes, in the order of the refusal of another one."""
FORGE = [tool.spellings[-1] for tool in READING if tool.family == "forge"]


@pytest.mark.parametrize(
    ("tools", "codex", "others"),
    [
        ({}, DEFAULT, [*ENVELOPE, "list_directory", "Search"]),
        ({"family": "all"}, DEFAULT, [*ENVELOPE, "list_directory", "Search"]),
        ({"family": "codex"}, CODEX, []),
        ({"family": "envelope"}, [], ENVELOPE),
        ({"family": "forge"}, [], FORGE),
        ({"family": "forge", "experimental_supported_tools": ["read_file"]}, ["read_file"], FORGE),
        ({"family": "codex", "offered": ["LS"]}, CODEX, ["LS"]),
        ({"offered": ["LS"]}, DEFAULT, ["LS"]),
    ],
)
def test_a_family_is_the_default_of_the_lists_of_offered_tools(
    tools: dict[str, Any], codex: list[str], others: list[str]
) -> None:
    table = Config.from_object({"tools": tools}).tools

    assert (table.experimental_supported_tools, table.offered) == (codex, others)


@pytest.mark.parametrize(
    ("tools", "others"),
    [
        ({}, []),
        ({"mode": "parse_only", "output": {"max_bytes": 9}}, []),
        ({"family": "all"}, [*ENVELOPE, "list_directory", "Search"]),
        ({"offered": ["LS"]}, ["LS"]),
        ({"experimental_supported_tools": []}, [*ENVELOPE, "list_directory", "Search"]),
    ],
)
def test_a_server_offers_one_family_unless_the_configuration_names_tools(
    tools: dict[str, Any], others: list[str]
) -> None:
    config = Config.from_object({"tools": tools})

    assert config.with_default_family().tools.offered == others
    assert config.with_default_family().tools.output == config.tools.output


def test_toml_and_an_object_give_the_same_configuration() -> None:
    toml = '[tools.list_dir]\nrevision = "paged-then-sorted"\n[tools.timeouts]\ndefault_seconds = 5'
    document = {
        "tools": {"list_dir": {"revision": "paged-then-sorted"}, "timeouts": {"default_seconds": 5}}
    }

    assert Config.from_toml(toml) == Config.from_object(document)


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        pytest.param(
            {"tool": {}}, "tool: unknown key; the known ones are tools", id="unknown table"
        ),
        pytest.param(
            {"tools": {"offerd": []}},
            (
                "tools.offerd: unknown key; the known ones are approval, edit, "
                "experimental_supported_tools, family, forge_read, glob, list_dir, list_directory, "
                "max_tool_args_bytes, mode, names, offered, output, read_file, sandbox, search, "
                "timeouts"
            ),
            id="unknown key",
        ),
        pytest.param(
            {"tools": {"experimental_supported_tools": ["shell", "aply_patch"]}},
            (
                'tools.experimental_supported_tools: no tool is called "aply_patch"; did you mean '
                '"apply_patch"? If not, leave it out'
            ),
            id="misspelled tool",
        ),
        pytest.param(
            {"tools": {"experimental_supported_tools": ["codex.listdir"]}},
            (
                'tools.experimental_supported_tools: no tool is called "codex.listdir"; did you '
                'mean "codex.list_dir"? If not, leave it out'
            ),
            id="misspelled tool with its family",
        ),
        pytest.param(
            {"tools": {"sandbox": {"root": "."}}},
            (
                "tools.sandbox.root: unknown key; the known ones are allow_absolute, "
                "allowed_roots, denied_patterns, include_default_denies"
            ),
            id="unknown key of a table",
        ),
        pytest.param(
            {"tools": {"list_directory": {"max_entries": 0}}},
            "tools.list_directory.max_entries: Input should be greater than 0",
            id="zero",
        ),
        pytest.param(
            {"tools": {"list_directory": {"max_depth": -1}}},
            "tools.list_directory.max_depth: Input should be greater than 0",
            id="negative",
        ),
        pytest.param(
            {"tools": {"output": {"max_bytes": True}}},
            "tools.output.max_bytes: Input should be a valid integer",
            id="a boolean is not an integer",
        ),
        pytest.param(
            {"tools": {"list_dir": {"revision": "sorted"}}},
            "tools.list_dir.revision: Input should be 'sorted-then-paged' or 'paged-then-sorted'",
            id="unknown word",
        ),
        pytest.param(
            {"tools": {"offered": ["LSS"]}},
            f"tools.offered.0: Input should be {', '.join(map(repr, TAKEN[:-1]))} or {TAKEN[-1]!r}",
            id="a tool that does not exist",
        ),
        pytest.param(
            {"tools": {"timeouts": {"file_operations_seconds": float("inf")}}},
            "tools.timeouts.file_operations_seconds: Input should be a finite number",
            id="for ever",
        ),
        pytest.param(
            {"tools": {"offered": "LS", "mode": 1}},
            "tools.mode: Input should be 'enabled', 'parse_only' or 'disabled'; "
            "tools.offered: Input should be a valid list",
            id="every fault is named",
        ),
    ],
)
def test_a_wrong_key_or_value_is_refused_by_name(document: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigInvalid) as refusal:
        Config.from_object(document)

    assert str(refusal.value) == sentence


def test_text_that_is_not_toml_is_refused() -> None:
    with pytest.raises(ConfigInvalid) as refusal:
        Config.from_toml("[tools")

    assert str(refusal.value).startswith("not a TOML document: ")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a = " + "[" * 5_000, "a value is nested too deeply; nest less"),
        ("a = " + "{a = " * 5_000, "a value is nested too deeply; nest less"),
        ("a = " + "9" * 5_000, "a number has too many digits; write a smaller one"),
    ],
    ids=["arrays", "tables", "digits"],
)
def test_toml_that_python_cannot_read_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(ConfigInvalid) as refusal:
        Config.from_toml(text)

    assert str(refusal.value) == sentence


TWO_READS = {"offered": ["Read", "forge.Read"]}


def test_two_offered_tools_of_one_name_are_refused_with_what_to_write() -> None:
    with pytest.raises(ConfigInvalid) as refused:
        Config.from_object({"tools": TWO_READS})

    assert str(refused.value) == (
        "tools: envelope.Read and forge.Read would both be called 'Read'; offer one of them, "
        'or name one: [tools.names] "forge.Read" = "forge_read"'
    )


@pytest.mark.parametrize("names", [{"forge.Read": "forge_read"}, {"Read": "page"}])
def test_a_name_of_its_own_tells_two_tools_apart(names: dict[str, str]) -> None:
    tools = Config.from_object({"tools": {**TWO_READS, "names": names}}).tools

    public = [tools.public_name(family, "Read") for family in ("envelope", "forge")]
    assert public == [names.get("Read", "Read"), names.get("forge.Read", "Read")]


@pytest.mark.parametrize("names", [{"rm": "x"}, {"forge.Read": "a b"}, {"forge.Read": ""}])
def test_a_name_of_no_tool_and_a_name_that_hosts_refuse_are_refused(names: dict[str, str]) -> None:
    with pytest.raises(ConfigInvalid, match=r"^tools\.names\."):
        Config.from_object({"tools": {"names": names}})
