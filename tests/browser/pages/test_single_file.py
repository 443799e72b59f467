"""One file, opened from the disk without any server, is the whole playground."""

import base64
import gzip
import json
import re
import tarfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import ViewportSize, expect

from build_steps.site.single_file.make import make_single_file
from tests.browser.accessibility_rules import FINE, check_rules
from tests.browser.cpython_answers import CPythonAnswers, extract_zip
from tests.browser.packed_trees import tar_of, zip_of
from tests.browser.pages.single_file_page import SingleFilePage
from tests.browser.playground.playground_page import DESKTOP
from tests.support.browser_support import Browsers, open_watched_page

pytestmark = pytest.mark.rebuild

_SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
_PHONE: ViewportSize = {"width": 390, "height": 844}
# Chromium gets a file of another hash. Firefox gets a broken one, which it reports on the page's
# console if a Response reads it.
_DAMAGED = {
    "pyodide.asm.mjs": (
        ".status",
        (
            "The runtime inside this page could not be used: "
            "{path} could not be fetched. Get the page again."
        ),
    ),
    "image.bin": (
        ".status",
        (
            "The runtime inside this page could not be used: "
            "{path} could not be fetched. Get the page again."
        ),
    ),
    "sample-project.zip": (
        ".refusal",
        (
            "Sample project was not mounted: "
            "sample-project.zip is damaged in this page; get the page again"
        ),
    ),
}
_TREE = {"README.md": "# Dropped\n", "src/app.py": "print('hello')\n"}


@pytest.fixture(scope="module")
def single_file(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file with the sample inside, in a folder of its own."""
    assert (dist / "site" / "sample-project.zip").is_file()
    file = tmp_path_factory.mktemp("single file") / "treeglass.html"
    make_single_file(None, file)
    return file


@pytest.fixture
def file_without_image(single_file: Path, tmp_path: Path) -> Path:
    """The file with assets that have no image."""
    block = re.compile(r'(<script[^>]* data-path="assets/start\.json")[^>]*>([^<]+)')
    inside = single_file.read_text("utf-8")
    (found,) = block.finditer(inside)
    start = json.loads(gzip.decompress(base64.b64decode(found[2])))
    content = base64.b64encode(json.dumps({**start, "image": None}).encode()).decode()
    # Neither packed nor checked: the block has a path alone.
    text = block.sub(rf"\g<1>>{content}", inside)
    file = tmp_path / "without image.html"
    file.write_text(text, "utf-8")
    return file


@pytest.fixture(scope="module")
def pages(browsers: Browsers, single_file: Path) -> Iterator[Callable[[str], SingleFilePage]]:
    """The file in a browser, opened when it is first asked for; one page for all stories."""
    with ExitStack() as stack:

        @cache
        def open_once(browser_name: str) -> SingleFilePage:
            page = stack.enter_context(open_watched_page(browsers.get(browser_name)))
            opened = SingleFilePage(page, single_file)
            page.set_viewport_size(DESKTOP)
            opened.open()
            return opened

        yield open_once


@pytest.fixture
def page(browser_name: str, pages: Callable[[str], SingleFilePage]) -> SingleFilePage:
    """The file in the browser of the test, as at first, with the sample on show."""
    opened = pages(browser_name)
    opened.start_over()
    return opened


@pytest.mark.each_browser
def test_it_starts_from_the_image_and_its_worker_asks_for_two_modules_before_the_wheel(
    page: SingleFilePage, dist: Path, sample: CPythonAnswers
) -> None:
    (pyodide,) = (dist / "npm" / "assets").glob("pyodide-*")
    modules = [(pyodide / name).stat().st_size for name in ("pyodide.mjs", "pyodide.asm.mjs")]
    (wheel,) = (dist / "npm" / "assets").glob("*/treeglass-*.whl")

    assert page.first_content == sample.content("list_dir", {"dir_path": "/repo"})
    assert sorted(page.first_handed_over_bytes[:2]) == modules
    # Once the first answer is there, the worker asks for the modules that a search needs.
    assert page.first_handed_over_bytes[2:] in ([], [wheel.stat().st_size])


_CALLS: list[tuple[str, dict[str, Any]]] = [
    ("list_dir", {"dir_path": "/repo/src", "depth": 3}),
    ("read_file", {"file_path": "/repo/pyproject.toml"}),
    ("LS", {"path": "docs", "include_hidden": True}),
    ("list_directory", {"path": "web", "recursive": True}),
    ("read_file", {"file_path": "/repo/none"}),
]


def test_each_tool_answers_as_cpython_does(page: SingleFilePage, sample: CPythonAnswers) -> None:
    found = [page.call(tool, json.dumps(arguments)) for tool, arguments in _CALLS]

    assert found == [sample.content(tool, arguments) for tool, arguments in _CALLS]


def test_nothing_is_asked_for_but_the_file_and_what_it_makes_of_itself(
    page: SingleFilePage,
) -> None:
    asked = set(page.requests) - {page.origin, "blob"}

    assert (asked, page.policy_violations()) == (set(), [])


def test_an_archive_that_is_dropped_is_mounted(page: SingleFilePage, tmp_path: Path) -> None:
    answers = CPythonAnswers(extract_zip(_archive(tmp_path), tmp_path / "tree"))
    for name, packed in (("mine.zip", zip_of(_TREE)), ("mine.tar.gz", tar_of(_TREE, "gz"))):
        page.drop_from_script({name: packed})

        page.wait_for_tree(name)
        listed = {"dir_path": "/repo"}
        assert page.call("list_dir", json.dumps(listed)) == answers.content("list_dir", listed)
        read = {"file_path": "/repo/src/app.py"}
        assert page.call("read_file", json.dumps(read)) == answers.content("read_file", read)


def _archive(folder: Path) -> Path:
    archive = folder / "tree.zip"
    archive.write_bytes(zip_of(_TREE))
    return archive


def test_the_tour_runs_to_its_review(browsers: Browsers, single_file: Path) -> None:
    with open_watched_page(browsers.get("chromium")) as opened:
        page = SingleFilePage(opened, single_file)
        page.page.goto(page.origin)
        page.wait_until_ready()

        page.take_tour()

        review = page.timeline.locator("treeglass-review")
        expect(review).to_contain_text("test_expiry.py")
        page.open_file("src", "larder", "units.py")
        assert page.code_lines()[0].startswith('"""Amounts')
        assert page.policy_violations() == []


def test_it_leads_nowhere_but_into_itself(page: SingleFilePage) -> None:
    addresses = page.page.evaluate(
        "[...document.querySelectorAll('[href], [src]')]"
        ".map((element) => (element.getAttribute('href') ?? element.getAttribute('src'))"
        ".replace(/(?<=^(blob|data):).*/s, ''))"
    )

    assert addresses == ["data:"]


def test_it_breaks_no_rule_of_accessibility(pages: Callable[[str], SingleFilePage]) -> None:
    opened = pages("chromium")
    opened.start_over()
    checked = {}
    for scheme, size in product(_SCHEMES, (DESKTOP, _PHONE)):
        opened.page.emulate_media(color_scheme=scheme)
        opened.page.set_viewport_size(size)
        checked[scheme, size["width"]] = check_rules(opened.page)
    opened.page.emulate_media(color_scheme="null")
    opened.page.set_viewport_size(DESKTOP)

    assert checked == dict.fromkeys(product(_SCHEMES, (1280, 390)), FINE)


def test_a_link_into_it_opens_with_the_call_that_the_link_names(
    browsers: Browsers, single_file: Path, sample: CPythonAnswers, browser_name: str
) -> None:
    read = {"file_path": "/repo/README.md"}
    with open_watched_page(browsers.get(browser_name)) as opened:
        page = SingleFilePage(opened, single_file)
        page.open(f"#tool=read_file&arguments={json.dumps(read)}")
        expect(page.calls).to_have_count(1)

        assert page.read_content() == sample.content("read_file", read)


@pytest.mark.each_browser
def test_without_an_image_it_starts_from_the_packages_inside(
    browsers: Browsers, file_without_image: Path, sample: CPythonAnswers, browser_name: str
) -> None:
    with open_watched_page(browsers.get(browser_name)) as opened:
        page = SingleFilePage(opened, file_without_image)
        page.open()

        assert (page.first_content, page.policy_violations()) == (
            sample.content("list_dir", {"dir_path": "/repo"}),
            [],
        )
        # The modules, the lock, the interpreter, its library and six wheels.
        assert len(page.first_handed_over_bytes) == 11


@pytest.mark.parametrize("name", _DAMAGED)
def test_what_is_damaged_is_told_in_a_sentence(
    browsers: Browsers, single_file: Path, tmp_path: Path, name: str
) -> None:
    shown_in, sentence = _DAMAGED[name]
    inside = single_file.read_text("utf-8")
    (path,) = re.findall(rf'data-path="(?:assets/)?([^"]*{re.escape(name)})"', inside)
    other = _replace(single_file, name, b"broken", tmp_path)
    with open_watched_page(browsers.get("firefox")) as page:
        page.goto(other.as_uri())

        expect(page.locator(shown_in)).to_have_text(sentence.format(path=path))


def _replace(single_file: Path, name: str, stored: bytes, folder: Path) -> Path:
    """Return a copy of the page in which a file of this name has another content."""
    text, count = re.subn(
        rf'(data-path="(?:[^"]*/)?{re.escape(name)}"[^>]*>)[^<]+',
        rf"\g<1>{base64.b64encode(stored).decode()}",
        single_file.read_text("utf-8"),
    )
    assert count == 1
    other = folder / "other.html"
    other.write_text(text, "utf-8")
    return other


@pytest.mark.parametrize("kind", ["directory", "archive"])
def test_it_opens_with_the_tree_that_was_chosen(
    browsers: Browsers,
    make_tree: Callable[[Mapping[str, str | None]], Path],
    tmp_path: Path,
    browser_name: str,
    kind: str,
) -> None:
    file = tmp_path / "chosen.html"
    directory = make_tree({**_TREE, "empty": None, ".gitignore": "*.log\n"})
    make_single_file(directory if kind == "directory" else _tar(tmp_path, directory), file)
    name = "tree" if kind == "directory" else "packed.tar.gz"
    answers = CPythonAnswers(directory)
    with open_watched_page(browsers.get(browser_name)) as opened:
        page = SingleFilePage(opened, file)
        page.open()

        assert page.first_content == answers.content("list_dir", {"dir_path": "/repo"})
        read = {"file_path": "/repo/src/app.py"}
        assert page.call("read_file", json.dumps(read)) == answers.content("read_file", read)
        expect(page.page.locator(".mount-report p").first).to_have_text(name)


def _tar(folder: Path, directory: Path) -> Path:
    packed = folder / "packed.tar.gz"
    with tarfile.open(packed, "w:gz") as archive:
        for path in sorted(directory.rglob("*")):
            archive.add(path, path.relative_to(directory).as_posix(), recursive=False)
    return packed
