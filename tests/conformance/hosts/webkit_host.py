"""The tools in WebKitGTK: the built npm package, driven as a page would drive it."""

from collections.abc import Sequence
from contextlib import ExitStack

from tests.conformance.hosts.page_jobs import PACKAGE, answers_in, job_of, pages_beside_package
from tests.conformance.scenes import Answer, HostAbout, Scene, ToolCall
from tests.support.hosts.webkit_support import launch_webkit, serve_watched

_PAGE = "const page = await import('/conformance.mjs');"


class WebKitHost:
    """One page of a WebKit of its own that holds one client of the package.

    Args:
        name: The host's name, for reports.
        way: How the runtime has to start: `image` or `packages`.

    Raises:
        FileNotFoundError: The package is not built.
        WebKitNotFound: There is no WebKit to run.
    """

    def __init__(self, name: str, way: str) -> None:
        self.name = name
        self._way = way
        pages = pages_beside_package(has_image=way == "image")
        with ExitStack() as stack:
            origin = stack.enter_context(serve_watched(PACKAGE, pages=pages))
            self._webkit = stack.enter_context(launch_webkit())
            self._webkit.driver.get(f"{origin}/conformance.html")
            self._stack = stack.pop_all()

    def answer(self, scene: Scene, calls: Sequence[ToolCall]) -> list[Answer | Exception]:
        """Mount the scene's tree through the public API and make every call.

        Raises:
            CannotStage: The package has no way to mount such a tree, or refuses to.
        """
        job = job_of(scene, calls, self._way)
        return answers_in(self._webkit.run(f"{_PAGE} return page.answerCalls(given);", job))

    def about(self) -> HostAbout:
        """Return the browser's version, and the client's time from `connect` to its readiness."""
        start_ms = self._webkit.run(f"{_PAGE} return page.startMs();")
        return HostAbout(version=self._webkit.version, start_ms=start_ms)

    def close(self) -> None:
        """Close the client and the browser; a page that misbehaved fails here."""
        with self._stack:
            self._webkit.run(f"{_PAGE} await page.close();")
