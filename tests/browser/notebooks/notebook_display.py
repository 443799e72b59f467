"""The output of the notebook examples, on CPython and in a page."""

from pathlib import Path

from playwright.sync_api import Page

from treeglass import Config, ToolRegistry, ToolResult, Workspace

_SHOWN = """\
(expected) => {
  const parsed = expected.map((html) => {
    const template = document.createElement("template");
    template.innerHTML = html;
    return template.innerHTML;
  });
  const figures = [...document.querySelectorAll("figure")];
  return [figures.map((figure) => figure.outerHTML), parsed];
}"""


def displayed_by_cpython(shop: Path) -> list[str]:
    """Return the HTML of each thing that the examples display, from CPython over their folder."""
    registry = ToolRegistry(Workspace({"/repo": shop}), Config())
    part = {"file_path": "/repo/src/prices.csv", "limit": 2}
    displayed: list[ToolRegistry | ToolResult] = [
        registry,
        registry.call_tool("list_dir", {"dir_path": "/repo"}),
        registry.call_tool("read_file", part),
        registry.call_tool("read_file", {"file_path": "/etc/passwd"}),
    ]
    return [shown._repr_html_() for shown in displayed]


def displayed_in_page(page: Page, expected: list[str]) -> tuple[list[str], list[str]]:
    """Return what a page shows once it has as much as is expected, and what that is in its words.

    Args:
        page: Where a notebook runs.
        expected: HTML, which is returned as the page's own parser writes it.
    """
    page.locator("figure").nth(len(expected) - 1).wait_for()
    shown, parsed = page.evaluate(_SHOWN, expected)
    return shown, parsed
