"""The packed package, built by every bundler, gives each tool's answer in a browser."""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.browser.cpython_answers import CPythonAnswers, without_duration
from tests.bundlers.built_project import built_and_shown, install
from tests.bundlers.bundlers import BUNDLERS, PAGE, Bundler, with_table
from tests.support.browser_support import Browsers

_TREE = {"README.md": "# Hi\n", "src/app.py": "print('hello')\n"}
_CALLS = {
    "list_dir": {"dir_path": "/repo"},
    "read_file": {"file_path": "/repo/src/app.py"},
    "LS": {"path": "src"},
    "list_directory": {"path": "src"},
}
"""The tree and the calls of `tree.js` and `answers.js` in `projects/shared/`."""

_OFFERED = {"anthropicTools": 3, "geminiTools": 1, "openAiTools": 3, "promptApiTools": 3}
"""How many tools the adapters there offer; Gemini's shape has one, with all functions."""


@pytest.fixture
def expected(make_tree: Callable[[Mapping[str, str]], Path]) -> dict[str, Any]:
    """What a page shows: CPython's answers to the calls, and the tools of each adapter."""
    tree = make_tree(_TREE)
    for path in tree.rglob("*"):
        # As entries without a time have it.
        os.utime(path, (0, 0))
    cpython = CPythonAnswers(tree)
    answers = {tool: cpython.content(tool, arguments) for tool, arguments in _CALLS.items()}
    return {"answers": answers, "offered": _OFFERED, "demo": answers["list_dir"]}


@pytest.mark.network
@pytest.mark.parametrize("bundler", BUNDLERS, ids=[bundler.title for bundler in BUNDLERS])
def test_the_package_works_as_installed(
    browsers: Browsers,
    tarball: Path,
    tmp_path: Path,
    expected: dict[str, Any],
    bundler: Bundler,
) -> None:
    project = install(bundler, tarball, tmp_path)

    shown = json.loads(built_and_shown(bundler, project, browsers))

    timeless = {tool: without_duration(text) for tool, text in shown["answers"].items()}
    listing = expected["demo"]
    rendered = {"rendered": listing} if bundler.renders_demo else {}
    served = {} if bundler.server is None else {"served": listing}
    assert shown | {"answers": timeless} == expected | rendered | served


def test_the_page_has_the_table_of_all_bundlers() -> None:
    page = PAGE.read_text("utf-8")

    assert with_table(page) == page
