"""A start with a damaged file ends at once, and names the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.package_page import PACKAGE_PAGES, PackagePage
from tests.support.browser_support import open_watched_page, serve_directory
from tests.support.damaged_assets import WAYS, damages

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tests.support.browser_support import Browsers

pytestmark = pytest.mark.browser

_MAX_START_MS = 20_000
"""A start that hangs would take minutes."""

_START = """
    const late = new Promise((resolve) => setTimeout(resolve, %d, "still waiting"));
    return Promise.race([outcome(connect()), late]);
"""


class _FaultsButMissingFiles(list[str]):
    """What a page does wrong, without the browser's own words about a missing file.

    A page cannot prevent these, and they may arrive after the start has ended.
    """

    def append(self, fault: str) -> None:
        if "status of 404" not in fault:
            super().append(fault)


def _said(
    browsers: Browsers, package: Path, replaced: Mapping[str, bytes | None]
) -> dict[str, object]:
    served = {f"/assets/{path}": content for path, content in replaced.items()}
    pages = {path: content for path, content in served.items() if content is not None}
    faults = _FaultsButMissingFiles()
    with (
        serve_directory(
            package, pages={**PACKAGE_PAGES, **pages}, missing=served.keys() - pages
        ) as origin,
        open_watched_page(browsers.get("chromium"), faults=faults) as page,
    ):
        said: dict[str, object] = PackagePage(page, origin).run(_START % _MAX_START_MS)
    return {**said, "message": str(said["message"]).replace(origin, "")}


def _check(browsers: Browsers, package: Path, files: Callable[[str], bool]) -> None:
    for damage in damages(package, files=files):
        fault = damage.complaint("answered 404")
        message = (
            f"The runtime could not be loaded from /assets/: {fault}. Serve the package's assets "
            "folder there, or pass its address as connect({ assets })."
        )
        said = _said(browsers, package, damage.replaced(package))
        assert (damage, said) == (damage, {"kind": "StartFailed", "message": message})


def test_a_damaged_interpreter_ends_the_start(browsers: Browsers, dist: Path) -> None:
    _check(browsers, dist / "npm", lambda path: path.endswith("pyodide.asm.first.wasm"))


@pytest.mark.slow
def test_any_damaged_file_ends_the_start(browsers: Browsers, dist: Path) -> None:
    _check(browsers, dist / "npm", lambda path: not path.endswith("pyodide.asm.first.wasm"))


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_a_damaged_worker_ends_the_start(browsers: Browsers, dist: Path, way: str) -> None:
    damage = WAYS[way]
    content = (dist / "npm" / "assets" / "worker.js").read_bytes()

    said = _said(browsers, dist / "npm", {"worker.js": damage and damage(content)})

    assert said == {
        "kind": "StartFailed",
        "message": (
            "The worker did not start from /assets/worker.js. Serve the package's assets folder "
            "there, as npx treeglass assets copies it, to a browser with module workers, or pass "
            "its address as connect({ assets })."
        ),
    }


_SEARCH = """
    const client = await sharedClient();
    await client.mount("/repo", { entries: { "a.txt": "needle" } }, { replace: true });
    const found = client.callTool("grep_files", { pattern: "needle", path: "/repo" });
    return outcome(found.then(({ content }) => content));
"""


@pytest.mark.parametrize("way", ["missing", "changed"])
def test_a_search_whose_code_is_damaged_names_the_file_until_the_file_is_back(
    browsers: Browsers, dist: Path, way: str
) -> None:
    package = dist / "npm"
    (wheel,) = (package / "assets").rglob("treeglass-*.whl")
    path = wheel.relative_to(package / "assets").as_posix()
    damage = WAYS[way]
    pages = dict(PACKAGE_PAGES)
    missing = set() if damage else {f"/assets/{path}"}
    if damage:
        pages[f"/assets/{path}"] = damage(wheel.read_bytes())
    with (
        serve_directory(package, pages=pages, missing=missing) as origin,
        open_watched_page(browsers.get("chromium"), faults=_FaultsButMissingFiles()) as page,
    ):
        opened = PackagePage(page, origin)
        said = [opened.run(_SEARCH), opened.run(_SEARCH)]
        pages.pop(f"/assets/{path}", None)
        missing.clear()
        said.append(opened.run(_SEARCH))

    fault = "answered 404" if way == "missing" else "is not the file that start.json names"
    message = (
        f"The runtime could not be loaded from {origin}/assets/: {path} {fault}. Serve the "
        "package's assets folder there, or pass its address as connect({ assets })."
    )
    refusal = {"kind": "WorkerFailed", "message": message}
    assert said == [refusal, refusal, {"value": "/repo/a.txt"}]
