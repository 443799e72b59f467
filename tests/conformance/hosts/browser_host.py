"""The tools in a browser: the built npm package, driven as a page would drive it."""

from collections.abc import Sequence
from contextlib import ExitStack

from playwright.sync_api import Browser

from tests.conformance.hosts.page_jobs import PACKAGE, answers_in, job_of, pages_beside_package
from tests.conformance.scenes import Answer, HostAbout, Scene, ToolCall
from tests.support.browser_support import keep_notes, open_watched_page
from tests.support.served_directory import serve_directory


class BrowserHost:
    """One page of one browser that holds one client of the package.

    Args:
        browser: The browser.
        name: The host's name, for reports.
        way: How the runtime has to start: `image` or `packages`.

    Raises:
        FileNotFoundError: The package is not built.
    """

    def __init__(self, browser: Browser, name: str, way: str) -> None:
        self.name = name
        self._way = way
        pages = pages_beside_package(has_image=way == "image")
        with ExitStack() as stack:
            origin = stack.enter_context(serve_directory(PACKAGE, pages=pages))
            self._version = f"{browser.browser_type.name.capitalize()} {browser.version}"
            self._page = stack.enter_context(open_watched_page(browser))
            self._page.goto(f"{origin}/conformance.html")
            self._stack = stack.pop_all()

    def answer(self, scene: Scene, calls: Sequence[ToolCall]) -> list[Answer | Exception]:
        """Mount the scene's tree through the public API and make every call.

        Raises:
            CannotStage: The package has no way to mount such a tree, or refuses to.
        """
        reply = self._page.evaluate(
            "async (job) => (await import('/conformance.mjs')).answerCalls(job)",
            job_of(scene, calls, self._way),
        )
        return answers_in(reply)

    def about(self) -> HostAbout:
        """Return the browser's version, and the client's time from `connect` to its readiness."""
        start_ms = self._page.evaluate("async () => (await import('/conformance.mjs')).startMs()")
        return HostAbout(version=self._version, start_ms=start_ms)

    def close(self) -> None:
        """Close the client and the page; a page that misbehaved fails here."""
        with self._stack:
            keep_notes(self._page)
            self._page.evaluate("async () => (await import('/conformance.mjs')).close()")
