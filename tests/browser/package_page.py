"""A page that imports the built npm package, and runs a story's script in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page, Worker

PATIENCE_MS = 60_000

# An empty icon keeps the browser from asking for one and logging that it is missing.
_BLANK = b'<!doctype html><title>package</title><link rel="icon" href="data:,">'

_SCRIPT = b"""\
import { connect, TreeglassError } from "/index.js";

export { connect };

let shared;

/** The client that stories share; whoever closes one, or configures it, makes another. */
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
    return error instanceof TreeglassError ? { kind: error.kind, message } : { name };
  }
}

/** Bytes that came into the page as a list of numbers. */
export const bytesOf = (numbers) => Uint8Array.from(numbers);
"""

PACKAGE_PAGES = {"/blank.html": _BLANK, "/story.mjs": _SCRIPT}
"""What is served beside the package."""


class PackagePage:
    """A page whose scripts see `connect`, `sharedClient`, `outcome` and `bytesOf`."""

    def __init__(self, page: Page, origin: str) -> None:
        self.page = page
        self.origin = origin
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"{origin}/blank.html")

    def run(self, body: str, given: object = None) -> Any:
        """Run the body of an async function of `given` and return what it returns."""
        names = "connect, sharedClient, outcome, bytesOf"
        return self.page.evaluate(
            f"async (given) => {{ const {{ {names} }} = await import('/story.mjs'); {body} }}",
            given,
        )

    def note_workers(self) -> list[Worker]:
        """Return a list that takes every worker which the page starts from now on."""
        started: list[Worker] = []

        def note(worker: Worker) -> None:
            started.append(worker)

        self.page.on("worker", note)
        return started

    def unmount_all(self) -> None:
        """Take away what the story before left in the shared client."""
        self.run("""
            const client = await sharedClient();
            for (const { path } of await client.mounts()) await client.unmount(path);
            await client.configure({});
        """)
