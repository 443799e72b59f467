"""An image that does not fit the engine or is missing costs time, and nothing else."""

import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.browser.package_page import PACKAGE_PAGES, PackagePage
from tests.support.browser_support import Browsers, open_watched_page
from tests.support.served_directory import serve_directory
from tests.support.start_json import without_image

Pages = dict[str, bytes]
pytestmark = pytest.mark.slow

_START = """
    const client = await connect();
    await client.mount("/repo", { entries: { "src/a.py": "1" } });
    const { content } = await client.callTool("list_dir", { dir_path: "/repo" });
    const { way, reason } = client.start;
    await client.close();
    return [way, reason, content];
"""


def _changed_start(package: Path, **changes: Any) -> Pages:
    start = json.loads((package / "assets" / "start.json").read_text("utf-8"))
    start["image"].update(changes)
    return {"/assets/start.json": json.dumps(start).encode()}


def _other_fingerprint(package: Path) -> tuple[Pages, str]:
    start = json.loads((package / "assets" / "start.json").read_text("utf-8"))
    made = start["image"]["fingerprint"]
    return (
        _changed_start(package, fingerprint=made + 1),
        f"this engine numbers functions differently ({made})",
    )


def _other_version(package: Path) -> tuple[Pages, str]:
    start = json.loads((package / "assets" / "start.json").read_text("utf-8"))
    there = start["image"]["pyodideVersion"]
    return (
        _changed_start(package, pyodideVersion="0.1.2"),
        f"the image is of Pyodide 0.1.2, not {there}",
    )


def _no_image(package: Path) -> tuple[Pages, str]:
    return {"/assets/start.json": without_image(package)}, "the assets have no image"


@pytest.mark.parametrize("hindrance", [_other_fingerprint, _other_version, _no_image])
def test_the_tools_start_from_the_packages_and_say_why(
    browsers: Browsers,
    dist: Path,
    browser_name: str,
    hindrance: Callable[[Path], tuple[Pages, str]],
) -> None:
    package = dist / "npm"
    pages, reason = hindrance(package)
    with ExitStack() as stack:
        served = serve_directory(package, pages={**PACKAGE_PAGES, **pages})
        origin = stack.enter_context(served)
        page = stack.enter_context(open_watched_page(browsers.get(browser_name)))
        answer = PackagePage(page, origin).run(_START)

    assert answer == ["packages", reason, "Absolute path: /repo\nsrc/\n  a.py"]


def test_a_start_that_is_aborted_does_not_wait_for_what_stalls(
    browsers: Browsers, dist: Path
) -> None:
    # No server has to stall: when the abort comes, every request is still under way.
    with ExitStack() as stack:
        origin = stack.enter_context(serve_directory(dist / "npm", pages=PACKAGE_PAGES))
        page = stack.enter_context(open_watched_page(browsers.get("chromium")))
        told = PackagePage(page, origin).run("""
            const ending = new AbortController();
            const start = connect({ signal: ending.signal });
            ending.abort();
            return start.then(() => "started", (error) => error.name);
        """)

    assert told == "AbortError"
