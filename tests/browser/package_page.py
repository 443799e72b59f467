"""A page that imports the built npm package, and runs a story's script in it."""

import os
from typing import Any

from playwright.sync_api import Error, Page, Worker

from tests.support.browser_support import PATIENCE_MS

STORY_PATIENCE_MS = 4 * PATIENCE_MS
"""A story takes seconds, and starts Python at most a few times."""

# An empty icon keeps the browser from asking for one and logging that it is missing.
_BLANK = b'<!doctype html><title>package</title><link rel="icon" href="data:,">'

_SCRIPT = b"""\
import { connect, TreeglassError } from "/index.js";

export { connect };

let shared;

/** The client that stories share; a story that closes a client makes another. */
export function sharedClient() {
  shared ??= connect();
  return shared;
}

/** What became of a promise, in a form that leaves the page. */
export async function outcome(promise) {
  try {
    return { value: (await promise) ?? null };
  } catch (error) {
    const { name, message } = error;
    return error instanceof TreeglassError ? { name, message } : { name };
  }
}

/** What a story returns, as a record; null where it has not ended in time. */
export async function inTime(story, limitMs) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve(null), limitMs);
  });
  const ended = story.then((value) => ({ value }));
  return await Promise.race([ended, late]).finally(() => clearTimeout(timer));
}

/** Bytes that came into the page as a list of numbers. */
export const bytesOf = (numbers) => Uint8Array.from(numbers);
"""

PACKAGE_PAGES = {"/blank.html": _BLANK, "/story.mjs": _SCRIPT}
"""What is served beside the package."""


class PackagePage:
    """A page whose scripts see `connect`, `sharedClient`, `outcome` and `bytesOf`."""

    def __init__(self, page: Page, origin: str, faults: list[str] | None = None) -> None:
        self.page = page
        self.origin = origin
        self.faults = [] if faults is None else faults
        """What the page did wrong, if the caller of `open_watched_page` notes it."""
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"{origin}/blank.html")
        self._unanswered: str | None = None

    def run(self, body: str, given: object = None, *, limit_ms: int = STORY_PATIENCE_MS) -> Any:
        """Run the body of an async function of `given` and return what it returns.

        Raises:
            AssertionError: It has not ended within `limit_ms`; the page is opened
                anew, so that the next story finds nothing of it. Or the page
                itself came to a halt in a story before.
        """
        if self._unanswered is not None:
            message = f"the page came to a halt in {self._unanswered}"
            raise AssertionError(message)
        story = os.environ.get("PYTEST_CURRENT_TEST", "a story")
        names = "connect, sharedClient, outcome, bytesOf"
        # A timeout of the test ends the wait for a blocked page here, without an answer.
        self._unanswered = story
        try:
            told = self.page.evaluate(
                f"""async ({{ given, limitMs }}) => {{
                    const {{ inTime, {names} }} = await import('/story.mjs');
                    return inTime((async () => {{ {body} }})(), limitMs);
                }}""",
                {"given": given, "limitMs": limit_ms},
            )
        except Error:
            self._unanswered = None
            raise
        self._unanswered = None
        if told is None:
            self.page.goto(f"{self.origin}/blank.html")
            message = f"what {story} does in the page has not ended within {limit_ms / 1000:g} s"
            raise AssertionError(message)
        return told["value"]

    def note_workers(self) -> list[Worker]:
        """Return a list that gets every worker that the page starts from now on."""
        started: list[Worker] = []

        def note(worker: Worker) -> None:
            started.append(worker)

        self.page.on("worker", note)
        return started

    def unmount_all(self) -> None:
        """Take away what the story before left in the shared client."""
        self.run("""
            const client = await sharedClient();
            // A mount stays as long as something is proposed in it.
            if ((await client.changes()).entries.length > 0) await client.discardChanges();
            for (const { path } of await client.mounts()) await client.unmount(path);
            await client.configure({});
        """)
