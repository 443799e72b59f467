"""The machine-checkable rules of WCAG 2.2 AA, for the current state of a page."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

_AXE = Path(__file__).parent.parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"

_CHECK = """async () => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
    const runOnly = { type: "tag", values: tags };
    const { violations, passes } = await axe.run(document, { runOnly });
    const found = violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, any }) => `${id}: ${target} ${any.map(({ message }) => message)}`),
    );
    return { found, hasChecked: passes.length > 0 };
}"""

FINE = {"found": [], "hasChecked": True}


def check_rules(page: Page) -> Any:
    """Return what breaks a rule; `FINE` means nothing does."""
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(_AXE.read_text("utf-8"))
    return page.evaluate(_CHECK)
