from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # ships no types

from treeglass import ToolResult, Workspace
from treeglass.config import Config
from treeglass.registry import ToolRegistry
from treeglass.tools.forge.canonical_json import encode_canonical
from treeglass.tools.forge.definitions import LIST_DIRECTORY
from treeglass.tools.forge.schemas import LIST_DIRECTORY_OUTPUT_SCHEMA

FIVE: dict[str, str | bytes | None] = {"a": "a", "b": "b", "c": "c", "d/x": "x", "e": "e"}
WITHOUT_E = [("a", "file", 1), ("b", "file", 1), ("c", "file", 1), ("d", "dir")]
FIVE_ENTRIES = [*WITHOUT_E, ("e", "file", 1)]


def call(registry: ToolRegistry, /, path: str = ".", **arguments: Any) -> ToolResult:
    return registry.call_tool("list_directory", {"path": path, **arguments})


def test_structured_content_is_the_same_object_and_follows_the_schema(
    make_project: Any, registry_of: Any
) -> None:
    Draft202012Validator.check_schema(LIST_DIRECTORY_OUTPUT_SCHEMA)
    registry = registry_of(make_project({**FIVE, ".h": "", "link": "-> none"}))

    for arguments in ({}, {"max_entries": 2}, {"recursive": True, "include_hidden": True}):
        result = call(registry, **arguments)

        assert result.structured_content is not None
        assert encode_canonical(result.structured_content) == result.content
        Draft202012Validator(LIST_DIRECTORY_OUTPUT_SCHEMA).validate(result.structured_content)


def test_truncated_listing_offers_the_call_with_all_it_may_ask_for(
    make_project: Any, registry_of: Any, listing_text: Any
) -> None:
    registry = registry_of(make_project(FIVE), {"list_directory": {"max_entries": 50}})

    result = call(registry, "./", max_entries=4, include_hidden=True, recursive=False)

    assert result.content == listing_text(".", WITHOUT_E, max_entries=4, reason="max_entries")
    assert result.truncated is True
    assert result.next_arguments == {"path": ".", "include_hidden": True, "max_entries": 50}
    advice = "call again with max_entries up to 50, or for one subdirectory."
    assert result.warnings == (f"Stopped at max_entries (4); {advice}",)
    following = registry.call_tool("list_directory", result.next_arguments)
    assert following.content == listing_text(".", FIVE_ENTRIES, max_entries=50)


def test_listing_truncated_at_the_cap_offers_no_next_call(
    make_project: Any, registry_of: Any, listing_text: Any
) -> None:
    registry = registry_of(make_project(FIVE), {"list_directory": {"max_entries": 4}})

    result = call(registry)

    assert result.content == listing_text(".", WITHOUT_E, max_entries=4, reason="max_entries")
    assert (result.truncated, result.next_arguments) == (True, None)
    assert result.warnings == ("Stopped at max_entries (4); call again for one subdirectory.",)


def test_backslash_is_a_separator_while_names_are_not_escaped(
    make_project: Any, registry_of: Any, listing_text: Any
) -> None:
    root = make_project({"line\nfeed/x": "x", "line/u{A}feed/z": "zz"})
    off = registry_of(root, {"output": {"escape_names": False}})

    assert call(off, r"line\u{A}feed").content == listing_text("line/u{A}feed", [("z", "file", 2)])


def test_relative_path_starts_from_the_working_directory_of_the_call(
    make_project: Any, registry_of: Any, listing_text: Any
) -> None:
    registry = registry_of(make_project({"src/x": "x"}))

    result = registry.call_tool("list_directory", {"path": "."}, working_dir="/project/src")

    assert result.content == listing_text(".", [("x", "file", 1)])


def test_directory_that_only_mounts_make_exist_has_no_time(make_project: Any) -> None:
    root = make_project({"one/a": "", "two/b": ""})
    workspace = Workspace({"/m/one": root / "one", "/m/two": root / "two"})
    config = Config.from_object({"tools": {"sandbox": {"allow_absolute": True}}})
    registry = ToolRegistry(workspace, config, tools=[LIST_DIRECTORY])

    result = call(registry, "/")

    assert result.content == (
        '{"path":"/","entries":[{"name":"m","path":"m","depth":1,"type":"dir","size_bytes":null,'
        '"modified_epoch_ms":null,"is_hidden":false,"error_code":null,"error":null}],'
        '"returned":1,"max_entries":200,"truncated":false,"truncated_reason":null}'
    )


FAILED = "list_directory failed: "
HOLDER = "list the directory that holds it"
PARENT = "list its parent directory to see what is there"
OUTSIDE = "Path outside sandbox (attempted: "
WRITE = "list_directory takes paths relative to /project"


@pytest.mark.parametrize(
    ("path", "content", "warnings"),
    [
        ("f", f"{FAILED}path is not a directory: f; {HOLDER}", ()),
        ("to_f", f"{FAILED}path is not a directory: to_f; {HOLDER}", ()),
        ("f/x", f"{FAILED}path is not a directory: f/x; {HOLDER}", ()),
        ("none", f"{FAILED}path does not exist: none; {PARENT}", ()),
        ("no/such/place", f"{FAILED}path does not exist: no/such/place; {PARENT}", ()),
        ("gone", f"{FAILED}path does not exist: gone; {PARENT}", ()),
        (
            "one",
            (
                f"{FAILED}cannot follow path: one (too many levels of symbolic links); "
                "choose another directory"
            ),
            (),
        ),
        ("out/lib", f"{OUTSIDE}/project/out/lib, resolved: outside of every mount)", ()),
        ("../none", f"{OUTSIDE}../none, resolved: ../none)", ()),
        ("none.key", "Path '/project/none.key' matched denied pattern '**/*.key'", ()),
        ("/project", f"{OUTSIDE}/project, resolved: /project)", (f'{WRITE}: write "."',)),
        (
            "/project/src",
            f"{OUTSIDE}/project/src, resolved: /project/src)",
            (f'{WRITE}: write "src"',),
        ),
        ("/elsewhere", f"{OUTSIDE}/elsewhere, resolved: /elsewhere)", (WRITE,)),
    ],
)
def test_a_path_that_cannot_be_listed_has_its_words(
    make_project: Any, registry_of: Any, path: str, content: str, warnings: tuple[str, ...]
) -> None:
    links = {
        "to_f": "-> f",
        "gone": "-> nowhere",
        "one": "-> two",
        "two": "-> one",
        "out": "-> /usr",
    }
    result = call(registry_of(make_project({"f": "f", "src/x": "x", **links})), path)

    assert (result.content, result.warnings) == (content, warnings)


def test_bad_argument_is_told_before_the_sandbox_speaks(
    make_project: Any, registry_of: Any
) -> None:
    result = call(registry_of(make_project({})), "../x", max_entries=0)

    assert result.content == "Bad args: max_entries must be at least 1, not 0"
