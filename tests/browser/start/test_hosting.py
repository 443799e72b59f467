"""Pages that host the package under a strict policy, without assets, or on plain Pyodide."""

from pathlib import Path

import pytest

from tests.browser.package_page import PACKAGE_PAGES, PackagePage
from tests.browser.pyodide_stand_ins import pyodide_distribution
from tests.support.browser_support import (
    Browsers,
    expect_console_error,
    open_watched_page,
)
from tests.support.served_directory import serve_directory

_STRICT = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; "
    "worker-src 'self'; img-src data:"
)

_LIST = """
    const client = await sharedClient();
    await client.mount("/repo", { entries: { "a.txt": "1\\n" } });
    const { content } = await client.callTool("list_dir", { dir_path: "/repo" });
    return [content, crossOriginIsolated, await navigator.serviceWorker.getRegistrations()];
"""


@pytest.mark.each_browser
def test_the_package_works_under_a_strict_content_security_policy(
    browsers: Browsers, dist: Path, browser_name: str
) -> None:
    # Images are for the page's icon alone: Firefox asks for one whatever the policy says.
    headers = {"Content-Security-Policy": _STRICT}
    with (
        serve_directory(dist / "npm", pages=PACKAGE_PAGES, headers=headers) as origin,
        open_watched_page(browsers.get(browser_name)) as page,
    ):
        told = PackagePage(page, origin).run(_LIST)

    assert told == ["Absolute path: /repo\na.txt", False, []]


def test_the_package_needs_no_cross_origin_isolation(package_page: PackagePage) -> None:
    assert package_page.run(_LIST) == ["Absolute path: /repo\na.txt", False, []]


def test_missing_assets_reject_with_what_to_do(browsers: Browsers, package: str) -> None:
    with (
        pytest.raises(AssertionError) as complaint,
        open_watched_page(browsers.get("chromium")) as page,
        expect_console_error(page),
    ):
        told = PackagePage(page, package).run(
            "return outcome(connect({ assets: '/blank.html/' }));"
        )

    # The browser complains of each missing file, start.json first; a page cannot prevent that.
    missing = "the server responded with a status of 404 (File not found)"
    complaints = set(str(complaint.value).splitlines()[1:])
    assert complaints == {f"console error: Failed to load resource: {missing}"}
    message = (
        f"The worker did not start from {package}/blank.html/worker.js. Run npx treeglass assets "
        "public/treeglass, and pass its address as connect({ assets: '/treeglass/' }); or "
        "serve it there for a browser with module workers."
    )
    assert told == {"name": "StartFailed", "message": message}


_PLAIN_PYODIDE = """async (wheel) => {
    const indexURL = new URL("/pyodide/", location.href).href;
    const { loadPyodide } = await import(`${indexURL}pyodide.mjs`);
    const pyodide = await loadPyodide({ indexURL, packageBaseUrl: indexURL });
    await pyodide.loadPackage(["pydantic", new URL(wheel, location.href).href]);
    pyodide.FS.mkdirTree("/elsewhere/tree/src");
    pyodide.FS.writeFile("/elsewhere/tree/src/app.py", "x = 1\\n");
    return pyodide.runPython(`
from treeglass import Config, ToolRegistry, Workspace

registry = ToolRegistry(Workspace({"/repo": "/elsewhere/tree"}), Config())
"\\\\n".join(
    registry.call_tool(tool, arguments).content
    for tool, arguments in (
        ("list_dir", {"dir_path": "/repo"}),
        ("read_file", {"file_path": "/repo/src/app.py"}),
        ("list_dir", {"dir_path": "/elsewhere/tree"}),
    )
)
`);
}"""


@pytest.mark.slow
def test_the_wheel_runs_in_a_page_with_nothing_but_pyodide(browsers: Browsers, dist: Path) -> None:
    (wheel,) = (dist / "wheels").glob("*.whl")
    distribution = {f"/pyodide/{name}": file for name, file in pyodide_distribution().items()}
    with (
        serve_directory(dist / "wheels", pages={**PACKAGE_PAGES, **distribution}) as origin,
        open_watched_page(browsers.get("chromium")) as page,
    ):
        page.goto(f"{origin}/blank.html")
        told = page.evaluate(_PLAIN_PYODIDE, f"/{wheel.name}")

    assert told == (
        "Absolute path: /repo\nsrc/\n  app.py\n"
        "L1: x = 1\n"
        "failed to read directory: No such file or directory (os error 2)"
    )


def test_a_page_that_has_to_vouch_for_the_worker_is_told_how(
    browsers: Browsers, dist: Path
) -> None:
    headers = {"Content-Security-Policy": f"{_STRICT}; require-trusted-types-for 'script'"}
    with (
        pytest.raises(AssertionError, match="TrustedScriptURL"),
        serve_directory(dist / "npm", pages=PACKAGE_PAGES, headers=headers) as origin,
        open_watched_page(browsers.get("chromium")) as page,
        expect_console_error(page),
    ):
        told = PackagePage(page, origin).run("return outcome(connect());")

    worker = f"{origin}/assets/worker.js"
    message = (
        "The page's policy (require-trusted-types-for 'script') keeps the worker from starting "
        f"from {worker}. Before connect(), allow its address: "
        'trustedTypes.createPolicy("default", { createScriptURL: (address) => '
        f'(address === "{worker}" ? address : null) }}).'
    )
    assert told == {"name": "StartFailed", "message": message}
