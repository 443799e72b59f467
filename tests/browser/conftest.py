"""Browsers, the built pages, and CPython's answers for the stories."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from tests.browser.cpython_answers import CPythonAnswers, extract_zip
from tests.browser.package_page import PACKAGE_PAGES, PackagePage
from tests.browser.playground.playground_page import Playground
from tests.support.browser_support import (
    BROWSERS,
    Browsers,
    open_watched_page,
    raise_faults,
    use_browser_support,
)
from tests.support.served_directory import KEPT, serve_directory

_DIST = Path(__file__).parent.parent.parent / "dist"


def pytest_configure(config: pytest.Config) -> None:
    use_browser_support(config)
    meaning = "runs in every browser, because they differ in what it tests; others run in Chromium"
    config.addinivalue_line("markers", f"each_browser: {meaning}")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a test that is marked `each_browser` every browser in turn."""
    if metafunc.definition.get_closest_marker("each_browser"):
        metafunc.parametrize("browser_name", BROWSERS)


@pytest.fixture
def browser_name() -> str:
    """Chromium, for a test that is not marked `each_browser`."""
    return "chromium"


@pytest.fixture(scope="session")
def dist() -> Path:
    """The folder of the built packages and site.

    Raises:
        FileNotFoundError: It is not built.
    """
    if not (_DIST / "site" / "index.html").is_file():
        message = "dist/site is not built; run `python build.py bundle` first"
        raise FileNotFoundError(message)
    return _DIST


@pytest.fixture(scope="session")
def site(dist: Path) -> Iterator[str]:
    """The origin of the built playground.

    Browsers keep its files, which no test changes.
    """
    with serve_directory(dist / "site", headers=KEPT) as origin:
        yield origin


@pytest.fixture(scope="session")
def package(dist: Path) -> Iterator[str]:
    """The origin of the built npm package, with a blank page beside it.

    Browsers keep its files, which no test changes.
    """
    with serve_directory(dist / "npm", pages=PACKAGE_PAGES, headers=KEPT) as origin:
        yield origin


@pytest.fixture(scope="session")
def sample(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> CPythonAnswers:
    """CPython's answers over the tree that the playground opens with."""
    archive = dist / "site" / "sample-project.zip"
    return CPythonAnswers(extract_zip(archive, tmp_path_factory.mktemp("sample")))


@pytest.fixture(scope="session")
def playgrounds(browsers: Browsers, site: str) -> Iterator[Callable[[str], Playground]]:
    """The playground in a browser, opened when it is first asked for.

    One page for all stories: Python takes seconds to start, a story a moment.
    """
    with ExitStack() as stack:

        @cache
        def open_once(browser_name: str) -> Playground:
            faults: list[str] = []
            watched = open_watched_page(browsers.get(browser_name), faults=faults)
            playground = Playground(stack.enter_context(watched), site, faults)
            playground.open()
            return playground

        yield open_once


@pytest.fixture
def playground(browser_name: str, playgrounds: Callable[[str], Playground]) -> Iterator[Playground]:
    """The playground in the browser of the test, as at first, with the sample on show.

    The stories share a page. Before each one, `start_over` clears the local storage, the session
    storage and the page's database, then loads the page anew, which ends its worker. The browser
    keeps only the built files, which no story changes. What the page does wrong fails the story.
    """
    opened = playgrounds(browser_name)
    opened.start_over()
    yield opened
    opened.raise_faults()


@pytest.fixture(scope="session")
def package_pages(browsers: Browsers, package: str) -> Iterator[Callable[[str], PackagePage]]:
    """A page of a browser that holds nothing but the package; one for all stories."""
    with ExitStack() as stack:

        @cache
        def open_once(browser_name: str) -> PackagePage:
            faults: list[str] = []
            watched = open_watched_page(browsers.get(browser_name), faults=faults)
            return PackagePage(stack.enter_context(watched), package, faults)

        yield open_once


@pytest.fixture
def package_page(
    browser_name: str, package_pages: Callable[[str], PackagePage]
) -> Iterator[PackagePage]:
    """The package in the browser of the test, with a client whose mounts are gone.

    What the page does wrong fails the story.
    """
    opened = package_pages(browser_name)
    opened.unmount_all()
    yield opened
    raise_faults(opened.faults)
