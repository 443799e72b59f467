"""A page of WebKitGTK, and the scripts of its stories."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.support.hosts.webkit_support import WebKit

_PRELUDE = "const { connect, sharedClient, outcome } = await import('/story.mjs');"

ASK = """
    const client = await sharedClient();
    const bytesFrom = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    const told = {};
    const tell = async (name, source) => {
        const report = await client.mount("/repo", source, { replace: true });
        delete report.elapsedMs;
        const answers = [];
        for (const [tool, first] of given.calls) {
            for (let args = first; args !== null; ) {
                const { content, nextArguments } = await client.callTool(tool, args);
                answers.push(content);
                args = nextArguments;
            }
        }
        told[name] = { report, answers };
    };
"""
"""Begins a story's script: `tell` mounts a source, and keeps its report and answers in `told`."""


class StoryPage:
    """A page of WebKit whose scripts see `connect`, `sharedClient` and `outcome`."""

    def __init__(self, webkit: WebKit) -> None:
        self.webkit = webkit

    def run(self, body: str, given: object = None) -> Any:
        """Run the body of an async function of `given` and return what it returns."""
        return self.webkit.run(_PRELUDE + body, given)

    @contextmanager
    def beside(self, address: str) -> Iterator[WebKit]:
        """Open another page in a tab of its own, and come back at the end."""
        driver = self.webkit.driver
        first = driver.current_window_handle
        driver.switch_to.new_window("tab")
        try:
            driver.get(address)
            yield self.webkit
        finally:
            driver.close()
            driver.switch_to.window(first)
