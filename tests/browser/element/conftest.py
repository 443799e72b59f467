"""Pages of demos that stories share, and CPython's answers over the tree of most demos."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from tests.browser.cpython_answers import CPythonAnswers
from tests.browser.element.element_page import SHOP, SharedDemoPage, answers_of, open_shared_demos
from tests.support.browser_support import Browsers


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> CPythonAnswers:
    """CPython's answers over the tree of most demos."""
    return answers_of(SHOP, tmp_path_factory.mktemp("shop"))


@pytest.fixture(scope="session")
def demo_pages(browsers: Browsers, dist: Path) -> Iterator[Callable[[str], SharedDemoPage]]:
    """The shared page of a browser, opened when it is first asked for.

    One page for all stories: Python takes seconds to start, a story a moment.
    """
    with ExitStack() as stack:

        @cache
        def open_once(browser_name: str) -> SharedDemoPage:
            browser = browsers.get(browser_name)
            return stack.enter_context(open_shared_demos(browser, dist / "npm"))

        yield open_once


@pytest.fixture
def demo_page(
    browser_name: str, demo_pages: Callable[[str], SharedDemoPage]
) -> Iterator[SharedDemoPage]:
    """The shared page in the browser of the test; what it does wrong fails the story."""
    opened = demo_pages(browser_name)
    yield opened
    opened.raise_faults()
