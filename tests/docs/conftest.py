"""Fixtures of the documentation's tests: the pages, and the built package."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.docs.sites.generators import MkDocs, Sphinx
from tests.docs.sites.site_environment import make_environment
from tests.support.browser_support import use_browser_support

if TYPE_CHECKING:
    from pathlib import Path


def pytest_configure(config: pytest.Config) -> None:
    use_browser_support(config)


@pytest.fixture(scope="session")
def sphinx(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Sphinx:
    """The environment that `pip install treeglass[sphinx] myst-parser furo` makes."""
    folder = tmp_path_factory.mktemp("sphinx-environment")
    return Sphinx(make_environment(folder, dist, "sphinx", "myst-parser", "furo"))


@pytest.fixture(scope="session")
def mkdocs(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> MkDocs:
    """The environment that `pip install treeglass[mkdocs] pymdown-extensions` makes."""
    folder = tmp_path_factory.mktemp("mkdocs-environment")
    return MkDocs(make_environment(folder, dist, "mkdocs", "pymdown-extensions==13.1"))
