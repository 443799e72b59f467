"""A page of demos transfers what the documentation says."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from build_steps.web.compress import SUFFIXES, compress
from tests.browser.element.element_page import demo_of, open_demos
from tests.browser.packed_trees import zip_of
from tests.support.browser_support import Browsers

pytestmark = pytest.mark.rebuild

_PAGE_OF_THE_ELEMENT = Path(__file__).parent.parent.parent.parent / "docs" / "element.md"
_TREES = {f"/{name}.zip": zip_of({f"{name}.txt": "1\n"}) for name in ("one", "two")}
_PAGE = {"/page.html", *_TREES}
_TOLERANCE = 0.01
"""So that an edit of a module does not change the documentation each time."""


class _Transfer(NamedTuple):
    """Of the package's files: how many, and their bytes by how they are sent."""

    requests: int
    raw_bytes: int
    brotli_bytes: int


def _compressed_in_site(dist: Path, file: Path) -> Path | None:
    """Return the compressed form of a file of the package that the site has, too."""
    in_site = dist / "site" / file.relative_to(dist / "npm")
    compressed = in_site.with_name(in_site.name + SUFFIXES["br"])
    is_same = in_site.is_file() and in_site.read_bytes() == file.read_bytes()
    return compressed if is_same and compressed.exists() else None


def _transfer(dist: Path, asked: Iterable[str]) -> _Transfer:
    # What follows the first answer has a table of its own, in hosting.md.
    before = [path for path in asked if path not in _PAGE and not path.endswith(".late.wasm")]
    files = [dist / "npm" / path.removeprefix("/") for path in before]
    there = {file: _compressed_in_site(dist, file) for file in files}
    missing = compress([(file, "br") for file in files if there[file] is None], step="transfer")
    return _Transfer(
        len(files),
        sum(file.stat().st_size for file in files),
        sum((there[file] or missing[file, "br"]).stat().st_size for file in files),
    )


def _told() -> dict[str, tuple[float, ...]]:
    """Return the rows of the documentation's table."""
    text = _PAGE_OF_THE_ELEMENT.read_text("utf-8")
    section = text.partition("\n## What is fetched, and when\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (\S.*?) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$", section, re.MULTILINE)
    return {
        when: tuple(float(number.replace(",", "")) for number in numbers) for when, *numbers in rows
    }


def test_the_documentation_and_run_tell_what_each_step_transfers(
    browsers: Browsers, dist: Path
) -> None:
    # Ten of one tree, and one of another.
    written = [demo_of(src="/one.zip") for _ in range(10)] + [demo_of(src="/two.zip")]
    headers = {"Cache-Control": "max-age=3600"}
    package = dist / "npm"
    steps: dict[str, _Transfer] = {}
    trees = []
    with (
        browsers.launch_anew("chromium") as browser,
        open_demos(browser, package, *written, files=_TREES, headers=headers) as demos,
    ):
        expect(demos.demo(10).run_button).to_be_visible()
        button = demos.demo().run_button.text_content()
        for when, number in {
            "The page with its demos": None,
            "The first click": 0,
            "A click on another demo of the same tree": 9,
            "A click on a demo of another tree": 10,
        }.items():
            if number is not None:
                demos.demo(number).run()
            steps[when] = _transfer(dist, demos.asked)
            trees.append([path for path in demos.asked if path in _TREES])
            demos.asked.clear()

    for when, step in steps.items():
        # pytest shows it if the test fails, as rows for the documentation.
        print(f"| {when} | {' | '.join(f'{number:,}' for number in step)} |")  # noqa: T201
    assert trees == [[], ["/one.zip"], [], ["/two.zip"]]
    told = _told()
    assert button == f"Run {told['The first click'][2] / 1_000_000:.1f} MB"
    assert told == {
        when: (step.requests, *(pytest.approx(size, rel=_TOLERANCE) for size in step[1:]))
        for when, step in steps.items()
    }
