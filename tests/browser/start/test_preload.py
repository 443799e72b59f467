"""The files that a preload fetches, and the files that a start fetches."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from tests.browser.package_page import PACKAGE_PAGES, PackagePage
from tests.support.browser_support import (
    Browsers,
    expect_console_error,
    open_watched_page,
)
from tests.support.served_directory import serve_directory

LATE = re.compile(r"\.late\.wasm$|/treeglass-[^/]*\.whl$")
"""The paths of what a worker fetches after its first answer."""

_PRELOAD = "const { preload } = await import('/index.js');"
_LIST = """
    const client = await connect();
    const { content } = await client.callTool("list_dir", { dir_path: "/" });
    const { way } = client.start;
    await client.close();
    return [way, content];
"""


def _files_of_a_start(dist: Path) -> tuple[list[str], list[str]]:
    """Paths of the image's files, and of the modules that a start imports."""
    start = json.loads((dist / "npm" / "assets" / "start.json").read_text("utf-8"))
    image = [start["image"][name]["path"] for name in ("interpreter", "sideModule", "memory")]
    pyodide = start["folders"]["pyodide"]
    modules = [f"/assets/{pyodide}{name}" for name in ("pyodide.mjs", "pyodide.asm.mjs")]
    return [f"/assets/{path}" for path in image], ["/assets/worker.js", *modules]


@pytest.mark.each_browser
def test_a_start_after_a_preload_fetches_nothing(
    browsers: Browsers, dist: Path, browser_name: str
) -> None:
    image, modules = _files_of_a_start(dist)
    asked: list[str] = []
    headers = {"Cache-Control": "max-age=3600"}
    with (
        serve_directory(dist / "npm", pages=PACKAGE_PAGES, headers=headers, asked=asked) as origin,
        browsers.launch_anew(browser_name) as browser,
        open_watched_page(browser) as page,
    ):
        package_page = PackagePage(page, origin)
        package_page.run("")
        asked.clear()
        package_page.run(f"{_PRELOAD} await preload();")
        preloaded = Counter(asked)
        asked.clear()
        answers = [package_page.run(_LIST), package_page.run(_LIST)]

    assert preloaded == Counter(["/assets/start.json", *image, *modules])
    assert [path for path in asked if not LATE.search(path)] == []
    assert answers == [["image", "Absolute path: /"], ["image", "Absolute path: /"]]


@pytest.mark.each_browser
def test_the_images_files_are_kept_where_nothing_may_be_cached(
    browsers: Browsers, dist: Path, browser_name: str
) -> None:
    image, modules = _files_of_a_start(dist)
    asked: list[str] = []
    with (
        serve_directory(dist / "npm", pages=PACKAGE_PAGES, asked=asked) as origin,
        open_watched_page(browsers.get(browser_name)) as page,
    ):
        package_page = PackagePage(page, origin)
        package_page.run(f"{_PRELOAD} await preload();")
        asked.clear()
        answer = package_page.run(_LIST)

    assert answer == ["image", "Absolute path: /"]
    assert {path for path in asked if not LATE.search(path)} == set(modules)
    assert image != []


def test_a_preload_of_what_is_not_there_says_what_to_serve(browsers: Browsers, dist: Path) -> None:
    with (
        serve_directory(dist / "npm", pages=PACKAGE_PAGES) as origin,
        pytest.raises(AssertionError) as complaint,
        open_watched_page(browsers.get("chromium")) as page,
        expect_console_error(page),
    ):
        told = PackagePage(page, origin).run(
            f"{_PRELOAD} return await outcome(preload({{ assets: '/elsewhere' }}));"
        )

    message = (
        f"The runtime could not be fetched from {origin}/elsewhere/: start.json answered 404. "
        "Serve the package's assets folder there, or pass its address as preload({ assets })."
    )
    assert told == {"name": "StartFailed", "message": message}
    assert "status of 404" in str(complaint.value)
