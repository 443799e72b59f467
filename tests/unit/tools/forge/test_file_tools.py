"""`Read`, `Glob` and `Search` where no recorded call goes: budgets, what follows, warnings."""

import itertools
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treeglass import Config, Limits, ToolRegistry, ToolResult, Workspace

CONFIG: dict[str, Any] = {"offered": ["forge.Read", "forge.Glob", "forge.Search"]}


class FileTools:
    """A mounted tree and its three tools."""

    def __init__(
        self,
        root: Path,
        limits: Limits | None = None,
        *,
        clock: Callable[[], float] = lambda: 0.0,
        **tables: Any,
    ) -> None:
        config = Config.from_object({"tools": {**CONFIG, **tables}})
        workspace = Workspace({"/project": root}, limits=limits)
        self.registry = ToolRegistry(workspace, config, clock=clock)

    def __call__(self, tool: str, budget: int | None = None, /, **arguments: Any) -> ToolResult:
        return self.registry.call_tool(tool, arguments, max_output_bytes=budget)


@pytest.fixture
def tree(make_tree: Callable[..., Path]) -> Path:
    return make_tree(
        {
            "a.txt": "one\ntwo\nthree\nfour\n",
            "key.txt": "a\nAIzaX\nb\nc\n",
            "pem.txt": "-----BEGIN PRIVATE KEY-----\nx\ny\n-----END PRIVATE KEY-----\nend\n",
            "sub/b.txt": "two again\n",
        }
    )


def test_a_search_holds_no_more_lines_around_matches_than_its_answer_may_have(
    make_tree: Callable[..., Path],
) -> None:
    root = make_tree({f"{number}.txt": "l\n" * 100_000 for number in range(4)})
    call = FileTools(root, Limits(max_searched_bytes=1_000_000))

    def peak_bytes(lines_around: int) -> int:
        tracemalloc.start()
        try:
            call("Search", pattern="l", context=lines_around)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak_bytes(0)
    assert peak_bytes(2**32 - 1) < 3 * peak_bytes(0)


def test_what_follows_a_range_is_said_beside_the_text(tree: Path) -> None:
    result = FileTools(tree)("Read", path="a.txt", start_line=2, end_line=3)

    assert (result.content, result.truncated) == ("2| two\n3| three\n", True)
    assert result.next_arguments == {"path": "a.txt", "start_line": 4, "end_line": 5}
    assert FileTools(tree)("Read", **result.next_arguments).content == "4| four\n"


def test_a_cut_behind_a_masked_block_has_no_next_line(tree: Path) -> None:
    result = FileTools(tree)("Read", 66, path="pem.txt", line_numbers=False)

    assert result.truncated
    assert result.next_arguments is None


def test_a_changed_text_and_an_empty_range_are_warned_about(tree: Path) -> None:
    changed = FileTools(tree)("Read", path="key.txt")
    behind = FileTools(tree)("Read", path="a.txt", start_line=9)
    plain = FileTools(tree, forge_read={"sanitize": False})("Read", path="key.txt")

    assert changed.content == "1| a\n2| AIza***\n3| b\n4| c\n"
    assert changed.warnings == (
        (
            "Characters or keys of this file are taken out or masked, "
            "so the text differs from the file's."
        ),
    )
    assert (behind.content, behind.warnings) == ("", ("The file ends before line 9.",))
    assert (plain.content, plain.warnings) == ("1| a\n2| AIzaX\n3| b\n4| c\n", ())


def test_a_limit_of_glob_that_is_just_reached_leaves_nothing_out(tree: Path) -> None:
    result = FileTools(tree)("Glob", pattern="**", limit=4)

    assert result.content.endswith("\n\n[truncated at 4 matches]")
    assert (result.truncated, result.next_arguments) == (False, None)
    assert result.warnings == ("Exactly as many paths match as the limit; none is left out.",)


def test_a_glob_of_too_many_braces_is_refused(tree: Path) -> None:
    result = FileTools(tree)("Glob", pattern="{a,b}" * 12)

    assert result.content == "Bad args: the pattern has more than 1000 alternatives"


@pytest.mark.parametrize(
    ("pattern", "is_every_path"),
    [("**/", True), ("**/**/", True), ("{**/,x}", True), ("*/", False), ("**//", False)],
)
def test_folders_alone_stand_for_every_path(
    tree: Path, pattern: str, *, is_every_path: bool
) -> None:
    everything = FileTools(tree)("Glob", pattern="**").content

    result = FileTools(tree)("Glob", pattern=pattern)

    nothing = f"No files match pattern: {pattern}"
    assert result.content == (everything if is_every_path else nothing)


def test_search_takes_folders_alone_for_every_path(tree: Path) -> None:
    result = FileTools(tree)("Search", pattern="two", include_glob=["**/"])

    assert json.loads(result.content)["files_scanned"] == 4


def test_a_name_that_also_ends_with_a_dot_is_not_hidden(make_tree: Callable[..., Path]) -> None:
    tree = make_tree({".a.": "two\n", ".b": "two\n", ".d./c.txt": "two\n"})

    assert FileTools(tree)("Glob", pattern="**").content == "/project/.a.\n/project/.d./c.txt"


def test_a_search_over_the_limits_of_the_workspace_ends(tree: Path) -> None:
    result = FileTools(tree, Limits(max_searched_files=1))("Search", pattern="two")

    assert json.loads(result.content)["completion"] == "truncated"
    assert result.warnings == ("3 files were not searched; narrow path.",)


@pytest.fixture
def many(make_tree: Callable[..., Path]) -> Path:
    """Five files with three lines each that match."""
    return make_tree({f"{name}.txt": "two 1\ntwo 2\ntwo 3\n" for name in "abcde"})


CAPS: list[tuple[dict[str, Any], str, dict[str, Any] | None]] = [
    (
        {"max_matches_per_file": 2},
        (
            "max_matches_per_file is 2, so 5 lines that match were left out in 5 files; "
            "ask for max_matches_per_file up to 50, or narrow the pattern, or read the file."
        ),
        {"max_matches_per_file": 50},
    ),
    (
        {"max_files": 2},
        (
            "max_files is 2, so 3 files were not searched; "
            "ask for max_files up to 10,000, or narrow path or include_glob."
        ),
        {"max_files": 10_000},
    ),
    (
        {"max_file_size_bytes": 17},
        (
            "max_file_size_bytes is 17, so 5 files were not searched; "
            "ask for max_file_size_bytes up to 2,000,000, or read the file that you need."
        ),
        {"max_file_size_bytes": 2_000_000},
    ),
]


@pytest.mark.parametrize(("caps", "warning", "raised"), CAPS)
def test_what_a_cap_of_search_leaves_out_is_said_beside_the_text(
    many: Path, caps: dict[str, Any], warning: str, raised: dict[str, Any]
) -> None:
    result = FileTools(many)("Search", pattern="two", **caps)

    assert json.loads(result.content)["completion"] == "complete"
    assert (result.truncated, result.warnings) == (True, (warning,))
    assert result.next_arguments == {"pattern": "two", **raised}
    whole = FileTools(many)("Search", **result.next_arguments)
    assert json.loads(whole.content)["count"] == 15
    assert (whole.truncated, whole.warnings, whole.next_arguments) == (False, (), None)


@pytest.mark.parametrize("caps", [{"max_matches_per_file": 3}, {"max_files": 5}])
def test_a_cap_that_is_just_reached_leaves_nothing_out(many: Path, caps: dict[str, Any]) -> None:
    result = FileTools(many)("Search", pattern="two", **caps)

    assert (result.truncated, result.warnings, result.next_arguments) == (False, (), None)


def test_a_cap_of_the_configuration_has_no_next_call(many: Path) -> None:
    search = {"max_matches_per_file": 1, "max_files": 1}
    result = FileTools(many, search=search)("Search", pattern="two")

    assert (result.truncated, result.next_arguments) == (True, None)
    assert result.warnings == (
        "max_files is 1, so 4 files were not searched; narrow path or include_glob.",
        (
            "max_matches_per_file is 1, so 2 lines that match were left out in 1 file; "
            "narrow the pattern, or read the file."
        ),
    )


def test_a_line_that_would_not_be_shown_is_not_counted(make_tree: Callable[..., Path]) -> None:
    tree = make_tree({"a.txt": b"two 1\ntwo \xff\n", "b.txt": "b\n"})

    result = FileTools(tree)("Search", pattern="two", max_matches_per_file=1)

    assert (result.truncated, result.warnings) == (False, ())


def test_search_out_of_time_says_how_many_files_it_has_searched(many: Path) -> None:
    def searched(timeout_ms: int) -> int | None:
        seconds = itertools.count(step=0.001)
        tools = FileTools(many, clock=lambda: next(seconds))
        result = tools("Search", pattern="two", timeout_ms=timeout_ms)
        answer = json.loads(result.content)
        if answer["completion"] == "complete":
            return None
        assert (answer["completion"], result.truncated) == ("timed_out", True)
        count, of_a_part = divmod(int(answer["count"]), 3)
        assert result.warnings == (
            (
                f"The time was up after {count} of 5 files were searched; "
                "narrow path or include_glob."
            ),
        )
        assert of_a_part == 0
        return count

    assert {searched(timeout_ms) for timeout_ms in range(60)} == {0, 1, 2, 3, 4, None}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({}, "path is missing"),
        ({"path": 1}, "path must be a string, not 1"),
        ({"path": "a", "line_numbers": None}, "line_numbers must be true or false, not null"),
        (
            {"path": "a", "end_line": 2.0},
            (
                "end_line must be a whole number from 0 to 4294967295, without a decimal point, "
                "not 2.0"
            ),
        ),
    ],
)
def test_arguments_of_the_wrong_form_are_named(
    tree: Path, arguments: dict[str, Any], sentence: str
) -> None:
    assert FileTools(tree)("Read", **arguments).content == f"Bad args: {sentence}"


def test_an_error_is_cleaned_as_an_answer_is(tree: Path) -> None:
    result = FileTools(tree)("Search", pattern="\u200b(")

    assert result.content == (
        "Bad args: rg: regex parse error:\n    (?:()\n    ^\nerror: unclosed group"
    )
