"""The playground in each browser: one page for many stories, or a profile of one's own."""

from __future__ import annotations

from contextlib import ExitStack
from functools import cache
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.playground_next.page import PATIENCE_MS, Playground, open_playground
from tests.support.browser_support import BROWSERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.support.browser_support import Browsers


@pytest.fixture(scope="session", autouse=True)
def _patience() -> None:
    """Give each expectation as long as the page gets for everything else."""
    expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def playgrounds(browsers: Browsers, site: str) -> Iterator[Callable[[str], Playground]]:
    """The playground in a browser, opened when it is first asked for.

    One page for all stories: Python takes seconds to start, a story a moment.
    """
    with ExitStack() as stack:

        @cache
        def open_once(browser_name: str) -> Playground:
            opened = stack.enter_context(open_playground(browsers.get(browser_name), site))
            opened.open()
            return opened

        yield open_once


@pytest.fixture(params=BROWSERS)
def playground(
    request: pytest.FixtureRequest, playgrounds: Callable[[str], Playground]
) -> Iterator[Playground]:
    """The playground in each browser, as at first, with the sample on show.

    What the page does wrong fails the story.
    """
    opened = playgrounds(request.param)
    opened.start_over()
    yield opened
    opened.raise_faults()


@pytest.fixture
def chromium_playground(playgrounds: Callable[[str], Playground]) -> Iterator[Playground]:
    """The playground in Chromium alone, for what the driver of Firefox cannot do."""
    opened = playgrounds("chromium")
    opened.start_over()
    yield opened
    opened.raise_faults()


@pytest.fixture(params=BROWSERS)
def fresh(request: pytest.FixtureRequest, browsers: Browsers, site: str) -> Iterator[Playground]:
    """A playground in a profile of its own, which keeps nothing of other stories.

    The story itself goes to the page.
    """
    with open_playground(browsers.get(request.param), site) as opened:
        yield opened
