"""Every block of code of the documentation is run, or says that it cannot be."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.browser_support import open_watched_page, serve_directory
from tests.docs.code_blocks import blocks_of, documentation_pages, faults_of, fill_folder

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser_support import Browsers
    from tests.docs.code_blocks import Block

# What its examples go on from stands in the first one, so that they are checked together.
_CHECKED_TOGETHER = {("docs/adapters.md", "ts")}

_BLOCKS = [block for page in documentation_pages() for block in blocks_of(page)]
_RUN = [
    block for block in _BLOCKS if block.is_run and (block.page, block.tag) not in _CHECKED_TOGETHER
]


@pytest.mark.usefixtures("dist")
@pytest.mark.parametrize("block", _RUN, ids=lambda block: block.place)
def test_block_is_what_its_tag_says_and_does_what_it_shows(block: Block, tmp_path: Path) -> None:
    fill_folder(tmp_path, block.page)

    assert faults_of(block, tmp_path) == []


_WHOLE = re.compile(r"""^import .* from ["']treeglass["'];$""", re.MULTILINE)
_SHOWN = re.compile(r"^(?P<expression>\S.*);\n(?P<comments>(?:// ?.*\n)+)", re.MULTILINE)
_WHOLE_SCRIPTS = [block for block in _BLOCKS if block.tag == "js" and _WHOLE.search(block.text)]

# The icon keeps the browser from asking for one.
_PAGE = b"""<!doctype html><title>Block</title><link rel="icon" href="data:,">
<script type="importmap">{"imports": {"treeglass": "/index.js"}}</script>"""


@pytest.mark.browser
@pytest.mark.parametrize("block", _WHOLE_SCRIPTS, ids=lambda block: block.place)
def test_script_gives_in_a_browser_what_its_comments_say(
    block: Block, dist: Path, browsers: Browsers
) -> None:
    said = [
        re.sub(r"^// ?", "", shown["comments"].removesuffix("\n"), flags=re.MULTILINE)
        for shown in _SHOWN.finditer(block.text)
    ]
    module = "export const shown = [];\n" + _SHOWN.sub(
        r"shown.push(String(\g<expression>));\n", block.text
    )
    pages = {"/block.html": _PAGE, "/block.js": module.encode()}

    with (
        serve_directory(dist / "npm", pages=pages) as origin,
        open_watched_page(browsers.get("chromium")) as page,
    ):
        page.goto(f"{origin}/block.html")
        shown = page.evaluate("async () => (await import('/block.js')).shown")

    assert shown == said
