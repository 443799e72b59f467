"""The tools in a browser: the built npm package, driven as a page would drive it."""

from __future__ import annotations

import base64
import json
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser_support import open_watched_page, serve_directory
from tests.conformance.scenes import Answer, CannotStage, HostAbout, Scene, ToolCall
from tests.conformance.trees import as_entries, as_tar
from tests.start_json import without_image

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Browser

    from tests.conformance.trees import Json

_HERE = Path(__file__).parent
_PACKAGE = _HERE.parent.parent / "dist" / "npm"

# An empty icon keeps the browser from asking for one and logging that it is missing.
_BLANK = b'<!doctype html><title>conformance</title><link rel="icon" href="data:,">'


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
        if not (_PACKAGE / "index.js").exists():
            message = "dist/npm is not built; run `uv run build.py bundle` first"
            raise FileNotFoundError(message)
        with ExitStack() as stack:
            script = (_HERE / "browser_page.mjs").read_bytes()
            pages = {"/conformance.html": _BLANK, "/conformance.mjs": script}
            if way == "packages":
                pages["/assets/start.json"] = without_image(_PACKAGE)
            origin = stack.enter_context(serve_directory(_PACKAGE, pages=pages))
            self._version = f"{browser.browser_type.name.capitalize()} {browser.version}"
            self._page = stack.enter_context(open_watched_page(browser))
            self._page.goto(f"{origin}/conformance.html")
            self._stack = stack.pop_all()

    def answer(self, scene: Scene, calls: Sequence[ToolCall]) -> list[Answer | Exception]:
        """Mount the scene's tree through the public API and make every call.

        Raises:
            CannotStage: The package has no way to mount such a tree, or refuses to.
        """
        if scene.faults:
            message = "a page has no filesystem of its own to put under the workspace"
            raise CannotStage(message)
        job = {
            "way": self._way,
            "config": scene.config,
            "source": _source(scene),
            "calls": [_to_wire(call) for call in calls],
        }
        reply = json.loads(
            self._page.evaluate(
                "async (job) => (await import('/conformance.mjs')).answerCalls(job)", job
            )
        )
        if "refused" in reply:
            raise CannotStage(reply["refused"])
        return [_from_wire(answer) for answer in reply["answers"]]

    def about(self) -> HostAbout:
        """Return the browser's version, and the client's time from `connect` to its readiness."""
        start_ms = self._page.evaluate("async () => (await import('/conformance.mjs')).startMs()")
        return HostAbout(version=self._version, start_ms=start_ms)

    def close(self) -> None:
        """Close the client and the page; a page that misbehaved fails here."""
        with self._stack:
            self._page.evaluate("async () => (await import('/conformance.mjs')).close()")


def _source(scene: Scene) -> Json:
    """Return the tree as entries, or as an archive where entries cannot say it."""
    tree = scene.tree
    if tree.has_raw_names or tree.pipes or any(node.mode is not None for _, node in tree):
        return {"archive": base64.b64encode(as_tar(tree)).decode()}
    return {"entries": as_entries(tree)}


def _to_wire(call: ToolCall) -> Json:
    options = {
        "workingDir": call.working_dir,
        "maxOutputBytes": call.max_output_bytes,
        "availableCapacityBytes": call.available_capacity_bytes,
    }
    given = {name: value for name, value in options.items() if value is not None}
    return {"tool": call.tool, "args": _sayable(call.arguments), "options": given}


def _sayable(arguments: Json | str) -> Json | str:
    """Return arguments that reach the package as they are written.

    To JavaScript 2.0 is 2, so an object that holds such a number goes as text.
    """
    text = json.dumps(arguments)
    floats: list[str] = []
    json.loads(text, parse_float=floats.append)
    has_integral_float = any(float(number).is_integer() for number in floats)
    return text if has_integral_float else arguments


def _from_wire(answer: Json) -> Answer | Exception:
    if "thrown" in answer:
        return RuntimeError(answer["thrown"])
    result = answer["result"]
    error = result["error"] or {"kind": None, "message": None}
    return Answer(
        content=result["content"],
        structured=result["structured"],
        is_error=result["isError"],
        error_kind=error["kind"],
        error_message=error["message"],
        truncated=result["truncated"],
        next_arguments=result["nextArguments"],
        warnings=tuple(result["warnings"]),
    )
