"""A notebook explores its own files, in a JupyterLite site that is built as its example says.

Pyodide's distribution is stood in for: it has the version of Pyodide and of
pydantic that the project pins, and the wheels of the kernel in the versions
that Pyodide's own lock names. The site asks no other host for anything.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from build_steps.programs import find_program
from tests.browser.example_commands import copy_examples, documented_commands, running
from tests.browser.notebooks.jupyterlite_kernel import kernel_wheels
from tests.browser.notebooks.notebook_display import displayed_by_cpython, displayed_in_page
from tests.browser.pyodide_stand_ins import CDN_HOST, answer_distribution, pyodide_distribution
from tests.support.browser_support import Browsers, open_watched_page
from tests.support.shell_support import shell

pytestmark = pytest.mark.network

PATIENCE_MS = 180_000

_WITH_KERNEL = ".jp-Notebook-ExecutionIndicator:not([data-status='initializing'])"


@pytest.fixture(scope="module")
def example(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example's folder in a checkout of its own."""
    checkout = tmp_path_factory.mktemp("checkout")
    copy_examples(dist, checkout)
    return checkout / "web" / "examples" / "jupyterlite"


@pytest.fixture(scope="module")
def site(example: Path) -> Iterator[str]:
    """The origin of the site that the documented command builds and serves."""
    build, serve = documented_commands()["jupyterlite"].split(" && ")
    # By the uv and the Python that run this, on any free port, without a log.
    build = re.sub("^uv ", f"{shlex.quote(find_program('uv'))} ", build)
    serve = re.sub("^python3 ", f"{shlex.quote(sys.executable)} ", f"{serve} 0 2>/dev/null")
    environment = os.environ | {"UV_PYTHON": sys.executable}
    built = subprocess.run(
        [shell(), "-c", build],
        cwd=example,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert built.returncode == 0, built.stdout
    with running(serve, example, PYTHONUNBUFFERED="1") as origin:
        yield origin


def test_the_site_has_the_wheel_in_its_index(example: Path, site: str, dist: Path) -> None:
    assert site.startswith("http://127.0.0.1:")
    (wheel,) = (dist / "wheels").glob("treeglass-*.whl")
    index = json.loads((example / "dist" / "pypi" / "all.json").read_text("utf-8"))

    files = {
        name: [file["filename"] for release in project["releases"].values() for file in release]
        for name, project in index.items()
    }
    assert files == {"treeglass": [wheel.name]}
    assert (example / "dist" / "pypi" / wheel.name).read_bytes() == wheel.read_bytes()


def _kernel_pyodide(example: Path) -> str:
    """Return the version of Pyodide that the site's kernel asks the CDN for."""
    scripts = (example / "dist" / "extensions").glob(
        "@jupyterlite/pyodide-kernel-extension/**/*.js"
    )
    address = re.compile(rf"{re.escape(CDN_HOST)}/pyodide/v([0-9.]+)/full")
    asked = [found for script in scripts for found in address.findall(script.read_text("utf-8"))]
    version: str
    (version,) = set(asked)
    return version


def test_a_notebook_shows_what_cpython_answers_over_the_files_of_the_site(
    browsers: Browsers, example: Path, site: str
) -> None:
    expected = displayed_by_cpython(example / "content" / "shop")
    hosts = frozenset({CDN_HOST})
    with open_watched_page(browsers.get("chromium"), answered_hosts=hosts) as page:
        page.set_default_timeout(PATIENCE_MS)
        distribution = cache(lambda: pyodide_distribution(kernel_wheels()))
        answer_distribution(page.context, distribution, version=_kernel_pyodide(example))
        page.goto(f"{site}/lab/index.html?path=explore.ipynb")
        # A notebook that is run before it has a kernel runs no cell, and asks for a kernel. Its
        # status counts only once the kernel's name is there.
        page.locator(".jp-Toolbar-kernelName", has_text="Python (Pyodide)").wait_for()
        page.locator(_WITH_KERNEL).wait_for()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        shown, parsed = displayed_in_page(page, expected)

    assert shown == parsed
