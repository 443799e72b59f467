"""The page of the origins counts the recorded cases, and every tool's page leads to it."""

import pytest

from tests.conformance.recorded import HERE, read_cases
from tests.conformance.test_expectations import RECORDED
from tests.docs.reference_page import DOCS, read_page

PAGE = read_page("tools/origins.md")

# In the order of the page's tables.
_SUITES = {
    "Codex": (
        "list_dir",
        "list_dir_paged_then_sorted",
        "read_file",
        "read_file_documented_defaults",
        "grep_files",
        "edit/apply_patch",
    ),
    "MyCodeAgent": (
        "ls",
        "ls_conflicts",
        "Read",
        "Glob",
        "Glob_conflicts",
        "Grep",
        "edit/Write",
        "edit/Edit",
        "edit/MultiEdit",
    ),
    "Forge": ("list_directory", "forge_search", "forge_glob", "forge_read", "edit/forge_edit"),
}


def _count(suite: str) -> int:
    return RECORDED[suite] if suite in RECORDED else len(read_cases(suite)["cases"])


@pytest.mark.parametrize("program", _SUITES)
def test_the_page_counts_the_recorded_cases(program: str) -> None:
    table = next(table for table in PAGE.tables if table.heading == program)

    assert table.column("Cases") == [str(_count(suite)) for suite in _SUITES[program]]


def test_the_page_counts_every_suite() -> None:
    edits = {f"edit/{path.stem}" for path in (HERE / "cases" / "edit").glob("*.json")}

    assert {suite for suites in _SUITES.values() for suite in suites} == {*RECORDED, *edits}


@pytest.mark.parametrize(
    "page", sorted({path.stem for path in (DOCS / "tools").glob("*.md")} - {"index", "origins"})
)
def test_the_page_of_a_tool_says_at_its_top_where_it_comes_from(page: str) -> None:
    top = (DOCS / "tools" / f"{page}.md").read_text("utf-8").split("\n\n")[1]

    assert "[where it comes from](origins.md#" in top.splitlines()[-1]
