"""Fixtures of the documentation's tests: the pages, and the built package."""

from pathlib import Path

import pytest

from tests.docs.sites.generators import MkDocs, Sphinx
from tests.docs.sites.site_environment import make_environment
from tests.support.browser_support import use_browser_support


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
