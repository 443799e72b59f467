"""The packed package, and the browser that opens what was built with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from build_steps.folders import NPM
from build_steps.programs import find_program, run_quietly
from tests.support.browser_support import use_browser_support

if TYPE_CHECKING:
    from pathlib import Path


def pytest_configure(config: pytest.Config) -> None:
    use_browser_support(config)


@pytest.fixture(scope="session")
def tarball(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as npm would publish it."""
    folder = tmp_path_factory.mktemp("packed")
    run_quietly(
        [find_program("npm"), "pack", "--pack-destination", folder],
        folder=NPM,
        log_name="npm-pack",
        otherwise="dist/npm cannot be packed; run `python build.py bundle` first.",
    )
    (packed,) = folder.iterdir()
    return packed
