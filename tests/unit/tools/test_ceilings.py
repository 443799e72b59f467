"""What is above a ceiling is refused in words, and the documentation names each ceiling."""

import itertools
import logging
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from treeglass import Config, ToolRegistry, ToolResult, Workspace
from treeglass.search.glob_steps import MAX_PLACES
from treeglass.search.glob_syntax import MAX_ALTERNATIVES, MAX_GLOB_BYTES, MAX_NESTING
from treeglass.search.ignore_stack import MAX_IGNORE_FILE_BYTES, MAX_PLACES_AT_ONCE
from treeglass.search.regex.ceilings import MAX_PATTERN_CHARACTERS, MAX_POSITIONS, MAX_RANGES
from treeglass.tools.envelope.arguments import MAX_INCLUDE_LENGTH, MAX_PATTERN_LENGTH
from treeglass.tools.envelope.ignore import MAX_IGNORE_PATTERN_LENGTH, MAX_IGNORE_PATTERNS

MakeTree = Callable[[Mapping[str, str | bytes | None]], Path]
PAGE = Path(__file__).parents[3] / "docs" / "tools" / "shared.md"


@pytest.fixture
def ask(make_tree: MakeTree) -> Callable[..., ToolResult]:
    """Call a tool on a small tree, with these ignore files in it."""
    root = make_tree(dict.fromkeys(("a.txt", "sub/b.txt", "sub/deep/c.txt"), "needle\n"))
    config = Config.from_object({"tools": {"family": "all"}})
    workspace = Workspace({"/repo": root}, working_dir="/repo")
    registry = ToolRegistry(workspace, config, clock=itertools.repeat(0.0).__next__)

    def call(
        tool: str, arguments: dict[str, Any], files: Mapping[str, bytes] = MappingProxyType({})
    ) -> ToolResult:
        for name, content in files.items():
            (root / name).write_bytes(content)
        result = registry.call_tool(tool, arguments)
        for name in files:
            (root / name).unlink()
        return result

    return call


def rows() -> list[tuple[int, str]]:
    """Return the number and the words of each row of the documentation's table."""
    table = PAGE.read_text("utf-8").partition("## Ceilings\n")[2].partition("\n## ")[0]
    found = re.findall(r"^\| .* \| ([\d,]+) \w+ \| `(.*)` \|$", table, re.MULTILINE)
    return [(int(number.replace(",", "")), words) for number, words in found]


RULES = b"".join(b"x%d\n" % number for number in range(30_000))
MANY_RULES = dict.fromkeys(
    (".ignore", ".rgignore", "sub/.ignore", "sub/.rgignore", "sub/deep/.ignore"),
    (b"x" * 99 + b"\n") * 900,
)
"""Each is below its ceiling, and all together are above that of a directory."""
NEEDLE = {"pattern": "needle", "path": "/repo"}
CASES: list[tuple[int, str, dict[str, Any], dict[str, bytes]]] = [
    (Config().tools.max_tool_args_bytes, "list_dir", {"dir_path": "x" * 262_144}, {}),
    (MAX_PATTERN_CHARACTERS, "grep_files", {"pattern": "x" * 10_001}, {}),
    (MAX_POSITIONS, "Grep", {"pattern": "x{10001}"}, {}),
    (MAX_RANGES, "Search", {"pattern": r"\w" * 200, "case": "sensitive"}, {}),
    (MAX_GLOB_BYTES, "grep_files", {**NEEDLE, "include": "x" * 10_001}, {}),
    (MAX_INCLUDE_LENGTH, "Grep", {**NEEDLE, "include": "x" * 4_097}, {}),
    (MAX_NESTING, "grep_files", {**NEEDLE, "include": "{" * 101}, {}),
    (MAX_ALTERNATIVES, "grep_files", {**NEEDLE, "include": "{a,b}" * 10}, {}),
    (MAX_PLACES, "Search", {**NEEDLE, "include_glob": ["x" * 9_999] * 11}, {}),
    (MAX_PLACES, "grep_files", NEEDLE, {".ignore": RULES}),
    (MAX_IGNORE_FILE_BYTES, "Search", NEEDLE, {".ignore": b"#" * (1024 * 1024 + 1)}),
    (MAX_PLACES_AT_ONCE, "grep_files", NEEDLE, MANY_RULES),
    (MAX_IGNORE_PATTERNS, "LS", {"path": "/repo", "ignore": ["x"] * 101}, {}),
    (MAX_IGNORE_PATTERN_LENGTH, "LS", {"path": "/repo", "ignore": ["x" * 257]}, {}),
]
"""A call above each ceiling, in the order of the table."""


def test_the_documentation_names_each_ceiling_and_what_is_said_above_it(
    ask: Callable[..., ToolResult],
) -> None:
    documented = rows()
    said = [ask(tool, arguments, files) for _, tool, arguments, files in CASES]

    assert [number for number, _ in documented] == [number for number, *_ in CASES]
    assert [
        (words, result.content)
        for (_, words), result in zip(documented, said, strict=True)
        if words not in result.content + "".join(result.warnings)
    ] == []
    assert MAX_PATTERN_LENGTH == MAX_INCLUDE_LENGTH


def test_an_ignore_file_above_a_ceiling_is_named_and_not_applied(
    ask: Callable[..., ToolResult],
) -> None:
    result = ask(
        "grep_files", NEEDLE, {".ignore": b"a.txt\n" + RULES, "sub/.ignore": b"b.txt\ndeep\n"}
    )

    assert (result.content, result.warnings) == (
        "/repo/a.txt",
        (
            (
                "/repo/.ignore is not applied, since it is above a ceiling: more than 100,000 "
                "characters with its alternatives written out. What it would leave out may be in "
                "this answer."
            ),
        ),
    )


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        (
            "grep_files",
            {**NEEDLE, "include": "{" * 9_000},
            (
                "include is above a ceiling: more than 100 braces in one another; search with a "
                "shorter glob"
            ),
        ),
        (
            "grep_files",
            {**NEEDLE, "include": "{" * 100_000},
            (
                "include is above a ceiling: it has 100,003 bytes, and at most 10,000 are read; "
                "search with a shorter glob"
            ),
        ),
        (
            "Search",
            {"pattern": "x{" + "5" * 5_000 + "}"},
            "Bad args: rg: regex parse error:",
        ),
        (
            "Grep",
            {"pattern": "x{" + "5" * 5_000 + "}"},
            "Invalid regex pattern: a number in it has too many digits",
        ),
        (
            "Grep",
            {"pattern": "(" * 4_900 + ")" * 4_900},
            (
                "Invalid regex pattern: its groups are nested too deeply; put fewer groups in "
                "one another"
            ),
        ),
    ],
    ids=["braces", "more braces", "digits for Rust", "digits for Python", "groups"],
)
def test_what_python_cannot_read_is_refused_in_words_and_logs_nothing(
    ask: Callable[..., ToolResult],
    caplog: pytest.LogCaptureFixture,
    tool: str,
    arguments: dict[str, Any],
    sentence: str,
) -> None:
    with caplog.at_level(logging.DEBUG, "treeglass"):
        result = ask(tool, arguments)

    assert (result.is_error, sentence in result.content, caplog.records) == (True, True, [])
