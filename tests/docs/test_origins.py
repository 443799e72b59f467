"""The page of the origins counts the recorded cases, and every tool's page leads to it."""

import pytest

from tests.conformance.recorded import HERE, SUITES, read_cases, suite
from tests.docs.reference_page import DOCS, read_page

PAGE = read_page("tools/origins.md")


def test_the_page_counts_the_cases_of_every_file() -> None:
    edits = [f"edit/{path.stem}" for path in (HERE / "cases" / "edit").glob("*.json")]
    # A call of a sequence counts as a case.
    asked = [(name, len(suite(name))) for name in SUITES]
    asked += [(name, len(read_cases(name)["cases"])) for name in edits]

    tables = [table for table in PAGE.tables if "Cases" in table.header]
    counted = [
        row
        for table in tables
        for row in zip(table.column("In the file"), table.column("Cases"), strict=True)
    ]

    assert sorted(counted) == sorted((f"`{name}.json`", str(count)) for name, count in asked)


_NO_TOOLS = {"index", "origins", "shared"}


@pytest.mark.parametrize(
    "page", sorted({path.stem for path in (DOCS / "tools").glob("*.md")} - _NO_TOOLS)
)
def test_the_page_of_a_tool_says_at_its_top_where_it_comes_from(page: str) -> None:
    top = (DOCS / "tools" / f"{page}.md").read_text("utf-8").split("\n\n")[1]

    assert "[where it comes from](origins.md#" in top.splitlines()[-1]
