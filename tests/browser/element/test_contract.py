"""The element's documentation names every attribute, part and custom property."""

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.element.element_page import demo_of, open_demos
from tests.support.browser_support import Browsers

_ROOT = Path(__file__).parent.parent.parent.parent
_TOLD = (_ROOT / "docs" / "element.md").read_text("utf-8")

_PARTS = """() => {
    const parts = [];
    for (const { shadowRoot } of document.querySelectorAll("treeglass-demo")) {
        for (const { part } of shadowRoot.querySelectorAll("[part]")) parts.push(...part);
    }
    return [...new Set(parts)].sort();
}"""
_PROPERTIES = """() => [...new Set(
    [...document.querySelector("treeglass-demo").shadowRoot.adoptedStyleSheets]
        .flatMap(({ cssRules }) => [...cssRules])
        .flatMap(({ cssText }) => cssText.match(/var\\(--treeglass-[a-z-]+/g) ?? [])
        .map((used) => used.slice("var(".length)),
)].sort()"""
_ATTRIBUTES = """() =>
    [...customElements.get("treeglass-demo").observedAttributes].sort()"""
_MIRRORED = (
    """(names) => names.filter((name) => name in document.createElement("treeglass-demo"))"""
)


def _rows(heading: str, table: int = 0) -> list[list[str]]:
    """Return the cells of a table below a heading, its head left out."""
    section = _TOLD.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    tables = re.findall(r"(?:^\|.*\n)+", section, re.MULTILINE)
    lines = tables[table].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def _named(cells: list[str]) -> list[str]:
    """Return the names that the cells show as code."""
    return sorted({name for cell in cells for name in re.findall(r"`([\w-]+)`", cell)})


def test_the_page_names_what_there_is(browsers: Browsers, dist: Path) -> None:
    demo = demo_of(files="open", form="")
    with open_demos(browsers.get("chromium"), dist / "npm", demo) as demos:
        demos.demo().run()
        # Files and form have a module of their own.
        for name in ("tree", "form"):
            expect(demos.demo().element.locator(f"[part~={name}]")).to_be_visible()
        page = demos.page
        parts, properties = page.evaluate(_PARTS), page.evaluate(_PROPERTIES)
        attributes = page.evaluate(_ATTRIBUTES)
        mirrored = page.evaluate(_MIRRORED, [row[1].strip("`") for row in _rows("Attributes")])

    assert _named([row[0] for row in _rows("Attributes")]) == attributes
    assert mirrored == [row[1].strip("`") for row in _rows("Attributes")]
    assert _named([row[0] for row in _rows("Looks")]) == properties
    assert _named([cell for row in _rows("Looks", 1) for cell in row]) == parts
