"""The page with MCP's client that stories share."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from tests.browser.mcp.mcp_pages import McpPages, open_mcp_pages
from tests.support.browser_support import Browsers


@pytest.fixture(scope="session")
def opened_mcp_pages(
    browsers: Browsers, dist: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], McpPages]]:
    """The page of a browser, opened once for all stories."""
    folder = tmp_path_factory.mktemp("libraries")
    with ExitStack() as stack:

        @cache
        def open_once(browser_name: str) -> McpPages:
            browser = browsers.get(browser_name)
            return stack.enter_context(open_mcp_pages(browser, dist / "npm", folder))

        yield open_once


@pytest.fixture
def pages(browser_name: str, opened_mcp_pages: Callable[[str], McpPages]) -> McpPages:
    """The page in the browser of the test, with a frame whose tools serve no page yet."""
    opened = opened_mcp_pages(browser_name)
    opened.start_over()
    return opened
