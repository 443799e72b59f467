"""What a docstring or a comment of the Python code cites is a heading of the documentation.

A citation is `PAGE.md 2.3`, for a section of a page in `docs/specifications/`; the path of a page,
such as `docs/tools/Search.md`; or the name of a requirement of `list_directory`, such as
`FR-LD-VAL-01`.
"""

import re
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_LIST_DIRECTORY = "docs/specifications/list_directory.md"

_NUMBER = r"\d+(?:\.\d+)*"
_PAGE = re.compile(rf"[\w/.-]+\.md\b(?:\s+{_NUMBER}(?:(?:,|,?\s+to|,?\s+and)\s+{_NUMBER})*)?")
_REQUIREMENT = re.compile(
    r"\b(?:TE (?:FR|CFG)(?:-[A-Z]+)+|N?FR(?:-[A-Z]+)+|CFG(?:-[A-Z]+)+|C(?=-\d\d\b))"
    r"(?:-\d+[a-z]?(?:\(\d\))?)?"
)
_WITHOUT_PAGE = re.compile(rf"\b(?:section|clause)\s+{_NUMBER}")


class _Citation(NamedTuple):
    place: str
    page: str
    heading: str | None
    """The number or the name with which the heading begins; None for a whole page."""


def test_every_citation_of_the_code_is_a_heading_of_the_documentation(root: Path) -> None:
    pages: dict[str, set[str]] = {}
    dangling = []
    for place, page, heading in _citations(root):
        if page not in pages:
            pages[page] = _headings(root / page)
        if not pages[page] or heading not in {None, *pages[page]}:
            dangling.append(f"{place}: {page}, {heading or 'the page'}")

    assert not dangling, "\n".join(
        ["correct the citation, or write the section that it names:", *dangling]
    )


def test_no_citation_leaves_its_page_out(root: Path) -> None:
    unnamed = [
        f"{place}: {words}"
        for place, words in _found(_WITHOUT_PAGE, root / "src" / "treeglass" / "tools", root)
    ]

    assert not unnamed, "\n".join(["cite `PAGE.md 2.3` instead:", *unnamed])


def test_every_requirement_that_a_case_proves_is_described(root: Path) -> None:
    known = tomllib.loads((root / "tests/conformance/requirements.toml").read_text("utf-8"))
    # The others are the design's own list of tests, and a heading of it.
    names = {name for name in known if not name.startswith(("T-LD-", "§"))}

    assert names - _headings(root / _LIST_DIRECTORY) == set()


def _citations(root: Path) -> Iterator[_Citation]:
    code = root / "src" / "treeglass"
    for place, name in _found(_REQUIREMENT, code, root):
        yield _Citation(place, _LIST_DIRECTORY, name)
    # Other modules speak of pages that a tree holds.
    for place, words in _found(_PAGE, code / "tools", root):
        name, *_ = words.split()
        page = name if "/" in name else f"docs/specifications/{name}"
        for number in re.findall(_NUMBER, words.removeprefix(name)) or [None]:
            yield _Citation(place, page, number)


def _found(pattern: re.Pattern[str], folder: Path, root: Path) -> Iterator[tuple[str, str]]:
    """Yield what matches in the comments and docstrings below a folder, with its file and line."""
    for path in sorted(folder.rglob("*.py")):
        with path.open("rb") as source:
            for token in tokenize.tokenize(source.readline):
                if token.type != tokenize.COMMENT and '"""' not in token.string[:4]:
                    continue
                for found in pattern.finditer(token.string):
                    line = token.start[0] + token.string.count("\n", 0, found.start())
                    yield f"{path.relative_to(root).as_posix()}:{line}", found[0]


def _headings(page: Path) -> set[str]:
    """Return the numbers or names with which headings begin; an empty set for a missing page."""
    if not page.is_file():
        return set()
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    numbers = {heading.split(" ")[0] for heading in headings}
    return {name for heading in headings for name in (heading, heading.split(":")[0])} | numbers
