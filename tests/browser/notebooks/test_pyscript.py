"""The page with PyScript, served as its example says.

Its CDN is PyScript's npm package. Pyodide's distribution and the package index
are stood in for: the address asks for the Pyodide that PyScript names, and gets
the one that the project pins.
"""

import json
import re
import shlex
import sys
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Route

from build_steps.folders import BUILD
from build_steps.web.packages import install_locked
from tests.browser.example_commands import copy_examples, documented_commands, running
from tests.browser.notebooks.notebook_display import displayed_by_cpython, displayed_in_page
from tests.browser.pyodide_stand_ins import (
    CDN_HOST,
    INDEX_HOST,
    answer_distribution,
    answer_index,
    fulfill,
    pyodide_distribution,
)
from tests.support.browser_support import Browsers, open_watched_page

pytestmark = pytest.mark.network

PATIENCE_MS = 180_000

_LOCKED = Path(__file__).with_name("pyscript")


@pytest.fixture(scope="module")
def core() -> Path:
    """PyScript's npm package, in the version of the lock."""
    folder = install_locked("pyscript", _LOCKED, into=BUILD / "pyscript")
    return folder / "node_modules" / "@pyscript" / "core"


def _pyodide_version(core: Path) -> str:
    """Return the version of Pyodide that PyScript asks the CDN for."""
    (chunk,) = (core / "dist").glob("core-*.js")
    (version,) = set(re.findall(r'"(\d{3}\.\d+\.\d+)"', chunk.read_text("utf-8")))
    return str(version)


def test_the_page_displays_what_cpython_answers_over_the_same_files(
    browsers: Browsers, core: Path, dist: Path, tmp_path: Path
) -> None:
    copy_examples(dist, tmp_path)
    example = tmp_path / "web" / "examples" / "pyscript"
    expected = displayed_by_cpython(example / "shop")
    (wheel,) = (dist / "wheels").glob("treeglass-*.whl")
    command = f"{documented_commands()['pyscript']} 0 2>/dev/null"
    command = re.sub("^python3 ", f"{shlex.quote(sys.executable)} ", command)
    version = json.loads((core / "package.json").read_text("utf-8"))["version"]

    def answer_core(route: Route) -> None:
        path = urlsplit(route.request.url).path.partition(f"core@{version}/")[2]
        fulfill(route, path, (core / path).read_bytes())

    hosts = frozenset({CDN_HOST, INDEX_HOST})
    with (
        running(command, example, PYTHONUNBUFFERED="1") as origin,
        open_watched_page(browsers.get("chromium"), answered_hosts=hosts) as page,
    ):
        page.set_default_timeout(PATIENCE_MS)
        page.context.route(f"https://{CDN_HOST}/npm/@pyscript/core@{version}/**", answer_core)
        distribution = cache(pyodide_distribution)
        answer_distribution(page.context, distribution, version=_pyodide_version(core))
        answer_index(page.context, wheel)
        page.goto(origin)
        shown, parsed = displayed_in_page(page, expected)
        state = page.get_by_role("status").text_content()

    assert shown == parsed
    assert state == "Ready."
