"""A start with a damaged file ends at once, and names the file."""

import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

import pytest

from tests.browser.package_page import PACKAGE_PAGES, PackagePage
from tests.support.browser_support import Browsers, open_watched_page
from tests.support.damaged_assets import WAYS, damages
from tests.support.served_directory import serve_directory

_MAX_START_MS = 20_000
"""A start that hangs would take minutes."""

_START = """
    const late = new Promise((resolve) => setTimeout(resolve, %d, "still waiting"));
    return Promise.race([outcome(connect()), late]);
"""


class _FaultsButMissingFiles(list[str]):
    """What a page does wrong, without words about a missing file that a page cannot prevent.

    The browser's may arrive after the start has ended. Pyodide's are about a call that was in the
    middle of a function whose code is missing.
    """

    def append(self, fault: str) -> None:
        if not _UNPREVENTED.search(fault):
            super().append(fault)


_UNPREVENTED = re.compile(
    r"status of 404|[Ff]atal.error|late\.wasm could not be fetched|error: Error$"
)


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


def _check(
    browsers: Browsers, package: Path, files: Callable[[str], bool], ways: Collection[str] = WAYS
) -> None:
    for damage in damages(package, files=files):
        if damage.way not in ways:
            continue
        fault = damage.complaint("answered 404")
        message = (
            f"The runtime could not be loaded from /assets/: {fault}. Serve the package's assets "
            "folder there, or pass its address as connect({ assets })."
        )
        said = _said(browsers, package, damage.replaced(package))
        assert (damage, said) == (damage, {"name": "StartFailed", "message": message})


def test_a_damaged_interpreter_ends_the_start(browsers: Browsers, dist: Path) -> None:
    _check(browsers, dist / "npm", lambda path: path.endswith("pyodide.asm.first.wasm"))


@pytest.mark.slow
def test_any_damaged_file_ends_the_start(browsers: Browsers, dist: Path) -> None:
    # The interpreter is damaged in every way above, and every file for the hosts of tests/edge.
    _check(
        browsers,
        dist / "npm",
        lambda path: not path.endswith("pyodide.asm.first.wasm"),
        ("missing", "changed"),
    )


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_a_damaged_worker_ends_the_start(browsers: Browsers, dist: Path, way: str) -> None:
    damage = WAYS[way]
    content = (dist / "npm" / "assets" / "worker.js").read_bytes()

    said = _said(browsers, dist / "npm", {"worker.js": damage and damage(content)})

    assert said == {
        "name": "StartFailed",
        "message": (
            "The worker did not start from /assets/worker.js. Run npx treeglass assets "
            "public/treeglass, and pass its address as connect({ assets: '/treeglass/' }); "
            "or serve it there for a browser with module workers."
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
    refusal = {"name": "WorkerFailed", "message": message}
    assert said == [refusal, refusal, {"value": "/repo/a.txt"}]


_RARE = {
    "grep": ("envelope.Grep", {"pattern": r"\N{GREEK SMALL LETTER ALPHA}", "path": "/repo"}),
    "list": ("list_dir", '{"dir_path": "/repo", "limit": %s}' % ("9" * 4000)),
}
"""Calls that need a late part: Unicode's table of names, and integers of any length."""

_OFFLINE = """
    const client = await sharedClient();
    await client.mount("/repo", { entries: { "a.txt": "text" } }, { replace: true });
    const contentOf = async (name, args) => (await client.callTool(name, args)).content;
    const asked = (name, args) => outcome(contentOf(name, args));
    const rare = await Promise.all(given.map(([name, args]) => asked(name, args)));
    return [rare, await asked("read_file", { file_path: "/repo/a.txt" })];
"""


@pytest.mark.each_browser
def test_a_client_goes_on_without_a_network_after_calls_whose_code_has_not_arrived(
    browsers: Browsers, dist: Path, browser_name: str
) -> None:
    package = dist / "npm"
    late = [
        next((package / "assets").rglob(name)).relative_to(package / "assets").as_posix()
        for name in ("pyodide.asm.late.wasm", "pydantic_core.late.wasm")
    ]
    missing: set[str] = set()
    with (
        serve_directory(package, pages=PACKAGE_PAGES, missing=missing) as origin,
        open_watched_page(browsers.get(browser_name), faults=_FaultsButMissingFiles()) as page,
    ):
        opened = PackagePage(page, origin)
        opened.run("await sharedClient();")
        # No worker and no interpreter can be fetched again; `Grep` finds its modules.
        assets = package / "assets"
        gone = (path for path in assets.rglob("*") if not path.match("treeglass-*.whl"))
        missing |= {f"/assets/{path.relative_to(assets)}" for path in gone}
        calls = list(_RARE.values())
        said = [opened.run(_OFFLINE, calls * 3), opened.run(_OFFLINE, calls)]
        missing.clear()
        answers, _ = opened.run(_OFFLINE, calls)

    faults = [
        {
            "name": "WorkerFailed",
            "message": (
                f"The runtime could not be loaded from {origin}/assets/: {path} could not be "
                "fetched. Serve the package's assets folder there, or pass its address as "
                "connect({ assets }). The worker was replaced, and every mount is back."
            ),
        }
        for path in late
    ]
    assert said == [[faults * 3, {"value": "L1: text"}], [faults, {"value": "L1: text"}]]
    assert [set(answer) for answer in answers] == [{"value"}, {"value"}]
