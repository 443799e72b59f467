"""The packed package, built by every bundler, gives each tool's answer in a browser."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from build_steps.programs import find_program
from tests.browser.cpython_answers import CPythonAnswers, without_duration
from tests.browser.example_commands import running
from tests.bundlers.bundlers import BUNDLERS, PAGE, PROJECTS, SHARED, with_table
from tests.support.browser_support import open_watched_page, serve_directory
from tests.support.edge_support import program_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from tests.bundlers.bundlers import Bundler
    from tests.support.browser_support import Browsers

_TREE = {"README.md": "# Hi\n", "src/app.py": "print('hello')\n"}
_CALLS = {
    "list_dir": {"dir_path": "/repo"},
    "read_file": {"file_path": "/repo/src/app.py"},
    "LS": {"path": "src"},
    "list_directory": {"path": "src"},
}
"""The tree and the calls of `projects/shared/answers.js`."""


@pytest.fixture
def answers(make_tree: Callable[[Mapping[str, str]], Path]) -> dict[str, str]:
    """CPython's answers to the calls."""
    tree = make_tree(_TREE)
    for path in tree.rglob("*"):
        # As entries without a time have it.
        os.utime(path, (0, 0))
    cpython = CPythonAnswers(tree)
    return {tool: cpython.content(tool, arguments) for tool, arguments in _CALLS.items()}


@pytest.mark.browser
@pytest.mark.network
@pytest.mark.parametrize("bundler", BUNDLERS, ids=[bundler.title for bundler in BUNDLERS])
def test_the_package_works_as_installed(
    browsers: Browsers,
    tarball: Path,
    tmp_path: Path,
    answers: dict[str, str],
    bundler: Bundler,
) -> None:
    project = tmp_path / bundler.project
    shutil.copytree(SHARED, project / bundler.sources)
    shutil.copytree(PROJECTS / bundler.project, project, dirs_exist_ok=True)
    _run(f"npm install --no-audit --no-fund {tarball}", project)
    _run(f"npx treeglass assets {bundler.assets}", project)
    _run(bundler.command, project)

    with (
        _served(bundler, project) as origin,
        open_watched_page(browsers.get("chromium")) as page,
    ):
        page.goto(origin)
        shown = page.locator("pre:not(:empty)").text_content()

    shown_answers = json.loads(shown or "{}")
    assert {tool: without_duration(text) for tool, text in shown_answers.items()} == answers


def test_the_page_has_the_table_of_all_bundlers() -> None:
    page = PAGE.read_text("utf-8")

    assert with_table(page) == page


def _run(command: str, folder: Path) -> None:
    name, *words = shlex.split(command)
    program = program_of("bun") if name == "bun" else find_program(name)
    ran = subprocess.run(
        [program, *words],
        cwd=folder,
        env=_environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


@contextmanager
def _served(bundler: Bundler, project: Path) -> Iterator[str]:
    if bundler.output is not None:
        with serve_directory(project / bundler.output) as origin:
            yield origin
        return
    with running("npx next start --port 0", project) as origin:
        yield origin


def _environment() -> dict[str, str]:
    return {**os.environ, "NEXT_TELEMETRY_DISABLED": "1", "NO_COLOR": "1"}
