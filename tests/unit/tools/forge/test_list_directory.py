from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # ships no types

from treeglass import ToolAnnotations, ToolDefinition, Workspace
from treeglass.config import Config
from treeglass.registry import ToolRegistry
from treeglass.tools.forge.canonical_json import encode_canonical
from treeglass.tools.forge.definitions import LIST_DIRECTORY
from treeglass.tools.forge.schemas import LIST_DIRECTORY_INPUT_SCHEMA, LIST_DIRECTORY_OUTPUT_SCHEMA

if TYPE_CHECKING:
    from treeglass import ToolResult

UNLIMITED = 10**9
FIVE: dict[str, str | bytes | None] = {"a": "a", "b": "b", "c": "c", "d/x": "x", "e": "e"}
WITHOUT_E = [("a", "file", 1), ("b", "file", 1), ("c", "file", 1), ("d", "dir")]
FIVE_ENTRIES = [*WITHOUT_E, ("e", "file", 1)]


def call(registry: ToolRegistry, /, path: str = ".", **arguments: Any) -> ToolResult:
    return registry.call_tool("list_directory", {"path": path, **arguments})


def test_definition_is_what_the_specification_says() -> None:
    assert LIST_DIRECTORY.definition() == ToolDefinition(
        name="list_directory",
        title="List directory entries",
        description="List directory entries",
        input_schema=LIST_DIRECTORY_INPUT_SCHEMA,
        output_schema=LIST_DIRECTORY_OUTPUT_SCHEMA,
        annotations=ToolAnnotations(),
        family="forge",
        is_side_effecting=False,
        requires_approval=False,
        risk_level="low",
        supports_parallel_tool_calls=True,
    )
    assert LIST_DIRECTORY.allow_truncation is False


def test_answer_is_canonical_json_with_keys_in_order(make_project: Any, registry_of: Any) -> None:
    root = make_project({'q"\\\n.txt': "é", "src/x": "x"})

    result = call(registry_of(root))

    assert result.content == (
        '{"path":".","entries":['
        r'{"name":"q\"\\\n.txt","path":"q\"\\\n.txt","depth":1,"type":"file","size_bytes":2,'
        '"modified_epoch_ms":1700000000123,"is_hidden":false,"error_code":null,"error":null},'
        '{"name":"src","path":"src","depth":1,"type":"dir","size_bytes":null,'
        '"modified_epoch_ms":1700000000123,"is_hidden":false,"error_code":null,"error":null}'
        '],"returned":2,"max_entries":200,"truncated":false,"truncated_reason":null}'
    )
    assert (result.truncated, result.next_arguments, result.warnings) == (False, None, ())


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


def test_output_is_ordered_by_path_whatever_the_walk_was(
    make_project: Any, registry_of: Any, listing_text: Any
) -> None:
    tree = {"a/x": "", "a-b/y": "", "a.d": "", "a0": "", "B": "", "é": "", "\uff5e": "", "😀": ""}
    registry = registry_of(make_project(tree))

    assert call(registry, recursive=True).content == listing_text(
        ".",
        [
            *(("B", "file", 0), ("a", "dir"), ("a-b", "dir"), ("a-b/y", "file", 0)),
            *(("a.d", "file", 0), ("a/x", "file", 0), ("a0", "file", 0)),
            *(("é", "file", 0), ("\uff5e", "file", 0), ("😀", "file", 0)),
        ],
    )


def test_kept_entries_are_the_first_of_the_walk(
    make_project: Any, registry_of: Any, listing_text: Any
) -> None:
    registry = registry_of(make_project({"a/x": "", "a-b/y": "", "z": ""}))

    assert call(registry, recursive=True, max_entries=2).content == listing_text(
        ".", [("a", "dir"), ("a/x", "file", 0)], max_entries=2, reason="max_entries"
    )


def test_exactly_as_many_entries_as_asked_for_is_not_truncated(
    make_project: Any, registry_of: Any, listing_text: Any
) -> None:
    result = call(registry_of(make_project(FIVE)), max_entries=5)

    assert result.content == listing_text(".", FIVE_ENTRIES, max_entries=5)
    assert (result.truncated, result.next_arguments, result.warnings) == (False, None, ())


def test_filtered_entries_do_not_count(
    make_project: Any, registry_of: Any, listing_text: Any
) -> None:
    registry = registry_of(make_project({".a": "", ".b": "", "d/x": "", "e": "", "f": ""}))

    result = call(registry, include_dirs=False, max_entries=2)

    assert result.content == listing_text(".", [("e", "file", 0), ("f", "file", 0)], max_entries=2)


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


def test_budget_decides_how_many_of_the_sorted_entries_are_shown(
    make_project: Any, registry_of: Any, listing_text: Any
) -> None:
    registry = registry_of(make_project({**FIVE, "é": "é"}))
    entries = [*FIVE_ENTRIES, ("é", "file", 2)]
    whole = listing_text(".", entries)
    cut = [listing_text(".", entries[:count], reason="max_output_bytes") for count in range(6)]
    sizes = [len(text.encode()) for text in [*cut, whole]]

    for budget in range(sizes[0], sizes[-1] + 2):
        result = registry.call_tool("list_directory", {"path": "."}, max_output_bytes=budget)

        fitting = [text for text in [*cut, whole] if len(text.encode()) <= budget]
        assert result.content == fitting[-1]
        assert result.truncated is (fitting[-1] != whole)


def test_smaller_of_the_two_budgets_counts(
    make_project: Any, registry_of: Any, listing_text: Any
) -> None:
    registry = registry_of(make_project(FIVE))
    cut = listing_text(".", [("a", "file", 1)], reason="max_output_bytes")

    for budgets in ((UNLIMITED, len(cut)), (len(cut), UNLIMITED)):
        result = registry.call_tool(
            "list_directory",
            {"path": "."},
            max_output_bytes=budgets[0],
            available_capacity_bytes=budgets[1],
        )

        assert result.content == cut
        assert (result.truncated, result.next_arguments) == (True, None)
        advice = "call again for one subdirectory, or with fewer kinds of entries."
        assert result.warnings == (f"Cut to {len(cut)} bytes; {advice}",)


def test_budget_overrides_the_reason_of_max_entries(
    make_project: Any, registry_of: Any, listing_text: Any
) -> None:
    registry = registry_of(make_project(FIVE))
    cut = listing_text(".", FIVE_ENTRIES[:2], max_entries=3, reason="max_output_bytes")

    result = registry.call_tool(
        "list_directory", {"path": ".", "max_entries": 3}, max_output_bytes=len(cut)
    )

    assert result.content == cut
    assert result.next_arguments is None


@pytest.mark.parametrize(
    ("path", "needed_bytes"),
    [pytest.param(".", 111, id="full"), pytest.param("d/y", 100, id="empty")],
)
def test_budget_below_the_smallest_answer_is_a_failure(
    make_project: Any, registry_of: Any, path: str, needed_bytes: int
) -> None:
    registry = registry_of(make_project({"a": "a", "d/y": None}))

    for budget in (0, needed_bytes - 1):
        result = registry.call_tool("list_directory", {"path": path}, max_output_bytes=budget)

        assert result.error is not None
        assert result.error.kind == "ExecutionFailed"
        assert result.content == (
            f"list_directory failed: output budget too small: the smallest answer takes "
            f"{needed_bytes} bytes, {budget} are left; call again with more room"
        )
    result = registry.call_tool("list_directory", {"path": path}, max_output_bytes=needed_bytes)
    assert len(result.content) == needed_bytes


def test_answer_is_never_cut_from_outside(make_project: Any, registry_of: Any) -> None:
    registry = registry_of(make_project({f"f{number:03}": "" for number in range(60)}))

    for budget in range(111, 1500, 37):
        result = registry.call_tool("list_directory", {"path": "."}, max_output_bytes=budget)

        assert json.loads(result.content) == result.structured_content
        assert len(result.content) <= budget


def test_file_is_not_a_directory(make_project: Any, registry_of: Any) -> None:
    registry = registry_of(make_project({"f": "f", "to_f": "-> f"}))

    for path in ("f", "to_f", "f/x"):
        assert call(registry, path).content == (
            f"list_directory failed: path is not a directory: {path}; "
            "list the directory that holds it"
        )


@pytest.mark.parametrize("path", ["none", "no/such/place", "gone"])
def test_missing_path_is_a_failure_and_no_violation(
    make_project: Any, registry_of: Any, path: str
) -> None:
    result = call(registry_of(make_project({"gone": "-> nowhere"})), path)

    assert result.error is not None
    assert result.error.kind == "ExecutionFailed"
    assert result.content == (
        f"list_directory failed: path does not exist: {path}; "
        "list its parent directory to see what is there"
    )


def test_links_that_loop_are_a_failure(make_project: Any, registry_of: Any) -> None:
    result = call(registry_of(make_project({"one": "-> two", "two": "-> one"})), "one")

    assert result.content == (
        "list_directory failed: cannot follow path: one (too many levels of symbolic links); "
        "choose another directory"
    )


def test_link_to_a_directory_inside_is_listed_under_its_own_name(
    make_project: Any, registry_of: Any, listing_text: Any
) -> None:
    registry = registry_of(make_project({"real/in": "i", "to_real": "-> real"}))

    assert call(registry, "to_real").content == listing_text("to_real", [("in", "file", 1)])


def test_link_to_the_outside_is_a_violation(make_project: Any, registry_of: Any) -> None:
    result = call(registry_of(make_project({"out": "-> /usr"})), "out/lib")

    assert result.error is not None
    assert result.error.kind == "SandboxViolation"
    assert result.content == (
        "Path outside sandbox (attempted: /project/out/lib, resolved: outside of every mount)"
    )


def test_sandbox_is_asked_before_the_tree(make_project: Any, registry_of: Any) -> None:
    registry = registry_of(make_project({}))

    assert call(registry, "../none").content == (
        "Path outside sandbox (attempted: ../none, resolved: ../none)"
    )
    assert call(registry, "none.key").content == (
        "Path '/project/none.key' matched denied pattern '**/*.key'"
    )


def test_bad_argument_is_told_before_the_sandbox_speaks(
    make_project: Any, registry_of: Any
) -> None:
    result = call(registry_of(make_project({})), "../x", max_entries=0)

    assert result.content == "Bad args: max_entries must be at least 1, not 0"


def test_backslash_is_a_separator_while_names_are_not_escaped(
    make_project: Any, registry_of: Any, listing_text: Any
) -> None:
    root = make_project({"line\nfeed/x": "x", "line/u{A}feed/z": "zz"})
    off = registry_of(root, {"output": {"escape_names": False}})

    assert call(off, r"line\u{A}feed").content == listing_text("line/u{A}feed", [("z", "file", 2)])


def test_spelled_two_dots_do_not_climb_out(make_project: Any, registry_of: Any) -> None:
    root = make_project({"mounted/a": "a", "secret": "s"})
    registry = registry_of(root / "mounted")

    result = call(registry, r"\u{2E}\u{2E}")

    assert result.content == (
        r"Path outside sandbox (attempted: \u{2E}\u{2E}, resolved: \u{2E}\u{2E})"
    )


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


@pytest.mark.parametrize(
    ("path", "warning"),
    [
        ("/project", 'list_directory takes paths relative to /project: write "."'),
        ("/project/src", 'list_directory takes paths relative to /project: write "src"'),
        ("/elsewhere", "list_directory takes paths relative to /project"),
    ],
)
def test_a_refused_absolute_path_warns_with_what_to_write(
    make_project: Any, registry_of: Any, path: str, warning: str
) -> None:
    result = call(registry_of(make_project({"src/x": "x"})), path)

    assert result.content == f"Path outside sandbox (attempted: {path}, resolved: {path})"
    assert result.warnings == (warning,)


def test_a_refused_relative_path_has_no_such_warning(make_project: Any, registry_of: Any) -> None:
    assert call(registry_of(make_project({"x": "x"})), "../x").warnings == ()
