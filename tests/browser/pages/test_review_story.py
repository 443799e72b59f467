"""A person reviews what an agent proposes, over a reload of the page, and applies the patch."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from build_steps.programs import find_program
from tests.browser.cpython_answers import extract_zip
from tests.browser.packed_trees import zip_of
from tests.support.browser_support import Browsers, open_watched_page
from tests.support.served_directory import serve_directory

_FOLDER = Path(__file__).parent / "review_story"
_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "connect-src 'self'; worker-src 'self'; img-src data:; "
    "require-trusted-types-for 'script'; trusted-types default"
)

_TREE = {
    "README.md": "# Shop\n\nIt sells \u201ccakes\u201d.\n",
    "shop.toml": "".join(f"shelf_{number} = {number}\n" for number in range(1, 21)),
    "src/cart.py": "def total(prices):\n    return sum(prices)\n",
    "src/untouched.py": "pass\n",
}

_TURN_1 = """\
*** Begin Patch
*** Update File: /repo/shop.toml
@@
-shelf_2 = 2
+shelf_2 = 22
@@
-shelf_19 = 19
+shelf_19 = 91
*** Update File: /repo/src/cart.py
@@
-def total(prices):
+def total(prices, tax=0):
*** End Patch"""

_TURN_2 = """\
*** Begin Patch
*** Update File: /repo/README.md
@@
-It sells \u201ccakes\u201d.
+It sells tea, and \u201ccakes \u00e0 la carte\u201d.
*** Update File: /repo/src/cart.py
@@
-    return sum(prices)
+    return sum(prices) * (1 + tax)
*** End Patch"""

_LAST_HUNK = "Hunk 1 of 1 in /repo/shop.toml"
_LEFT_OUT = "/repo/README.md"
_REASON = "that shelf stays"

_REVIEWED = {
    **_TREE,
    "shop.toml": _TREE["shop.toml"].replace("= 2\n", "= 22\n", 1),
    "src/cart.py": "def total(prices, tax=0):\n    return sum(prices) * (1 + tax)\n",
}
"""What the person lets through."""

_SHOWN = [
    "-It sells \u201ccakes\u201d.",
    "+It sells tea, and \u201ccakes \u00e0 la carte\u201d.",
    "-shelf_2 = 2",
    "+shelf_2 = 22",
    "-def total(prices):",
    "-    return sum(prices)",
    "+def total(prices, tax=0):",
    "+    return sum(prices) * (1 + tax)",
]
"""What the review shows of the lines once the person has left a hunk."""


class _Story:
    """The page of the story, driven by what a person sees in it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.review = page.locator("treeglass-review")

    def button(self, name: str) -> Locator:
        """Return the button with exactly this name."""
        return self.review.get_by_role("button", name=name, exact=True)

    def mount(self, archive: Path, state: str) -> None:
        """Open the archive, in a page that has connected in this state."""
        told = self.page.locator("#state")
        expect(told).to_have_text(state)
        self.page.locator("#archive").set_input_files(archive)
        expect(told).to_have_text("mounted")

    def propose(self, patch: str, turn: str) -> Any:
        """Call `apply_patch` as an agent does; return whether it failed, and its answer."""
        return self.page.evaluate("([patch, turn]) => propose(patch, turn)", [patch, turn])

    def leave(self, name: str, reason: str) -> None:
        """Leave something for a reason."""
        self.button(f"Leave {name}").click()
        self.page.keyboard.type(reason)
        self.page.keyboard.press("Enter")
        told = f"{name}: the agent gets the reason."
        expect(self.review.get_by_role("status")).to_have_text(told)

    def export_patch(self) -> str:
        """Press the button, and return the text of the file that the browser would save."""
        exported = self.page.evaluate_handle("({ file: nextExport() })")
        self.button("Export patch").click()
        file = exported.evaluate("({ file }) => file")
        assert file["fileName"] == "changes.patch"
        return str(file["text"])

    def shown_lines(self) -> list[str]:
        """Return the lines that the review shows as removed and added, each with its sign."""
        lines: list[str] = self.review.locator(".line :is(del, ins)").evaluate_all(
            "lines => lines.map((line) => (line.matches('del') ? '-' : '+') + line.textContent)"
        )
        return lines


@contextmanager
def _open(browsers: Browsers, dist: Path, browser_name: str) -> Iterator[_Story]:
    pages = {f"/{file.name}": file.read_bytes() for file in _FOLDER.iterdir()}
    headers = {"Content-Security-Policy": _POLICY}
    with (
        serve_directory(dist / "npm", pages=pages, headers=headers) as origin,
        open_watched_page(browsers.get(browser_name)) as page,
    ):
        page.goto(f"{origin}/story.html")
        yield _Story(page)
        assert page.evaluate("violations") == []


def _apply(patch: str, archive: Path, folder: Path) -> dict[str, str]:
    """Return the texts of the unpacked archive after git has applied the patch."""
    extract_zip(archive, folder)
    subprocess.run(
        [find_program("git"), "apply", "-"],
        cwd=folder,
        input=patch.encode(),
        check=True,
        # Inside of another repository, git would leave out what is not in this folder.
        env={**os.environ, "GIT_CEILING_DIRECTORIES": str(folder.parent)},
    )
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes().decode() for path in files}


@pytest.mark.each_browser
def test_what_a_person_lets_through_over_a_reload_is_what_git_applies(
    browsers: Browsers, dist: Path, browser_name: str, tmp_path: Path
) -> None:
    archive = tmp_path / "shop.zip"
    archive.write_bytes(zip_of(_TREE))
    with _open(browsers, dist, browser_name) as story:
        page = story.page
        story.mount(archive, "connected")
        answers = [story.propose(_TURN_1, "turn 1"), story.propose(_TURN_2, "turn 2")]
        story.button("Take /repo/src/cart.py").click()
        expect(story.button("Taken /repo/src/cart.py")).to_be_visible()
        story.leave("Hunk 2 of 2 in /repo/shop.toml", _REASON)
        known = page.evaluate("known()")
        page.evaluate("keep()")

        page.reload()
        story.mount(archive, "connected with what was kept")
        expect(story.button("Taken /repo/src/cart.py")).to_be_visible()
        expect(story.review.get_by_role("group", name=_LAST_HUNK)).to_be_visible()
        shown = story.shown_lines()
        known_again = page.evaluate("known()")
        notes = page.evaluate("client.takeNotes()")
        story.button("Undo Leave of shop.toml in /repo").click()
        expect(story.button("Leave Hunk 2 of 2 in /repo/shop.toml")).to_be_visible()
        story.button("Redo Leave of shop.toml in /repo").click()
        expect(story.review.get_by_role("group", name=_LAST_HUNK)).to_be_visible()
        shown_again = story.shown_lines()
        story.review.get_by_role("checkbox", name=f"Do not export: {_LEFT_OUT}").check()
        expect(story.review).to_contain_text(
            "An export holds 2 of 3 proposed changes, taken or not: 1 not taken."
        )
        patch = story.export_patch()
        readme = page.evaluate("read('/repo/README.md')")

    assert answers == [
        _answer("/repo/shop.toml", "/repo/src/cart.py"),
        _answer("/repo/README.md", "/repo/src/cart.py"),
    ]
    assert [step["group"] for step in known["changes"]["steps"]] == ["turn 1", "turn 2", None]
    assert known_again == known
    assert shown == shown_again == _SHOWN
    assert notes == [f"/repo/shop.toml: the person rejected 1 of 2 changes: {_REASON}"]
    assert _apply(patch, archive, tmp_path / "shop") == _REVIEWED
    assert readme == "L1: # Shop\nL2: \nL3: It sells tea, and \u201ccakes \u00e0 la carte\u201d."


def _answer(*paths: str) -> list[Any]:
    """Return whether the call failed, and what it says of the files that it changed."""
    changed = "".join(f"M {path}\n" for path in paths)
    success = "Success. Updated the following files:"
    return [False, f"Exit code: 0\nWall time: 0 seconds\nOutput:\n{success}\n{changed}"]
