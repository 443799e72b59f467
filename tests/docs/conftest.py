"""Fixtures of the documentation's tests: the pages, and the built package."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.sites.site_environment import SiteEnvironment, make_environment
from tests.support.browser_support import use_browser_support

_ROOT = Path(__file__).resolve().parent.parent.parent


def pytest_configure(config: pytest.Config) -> None:
    use_browser_support(config)


@pytest.fixture(scope="session")
def dist() -> Path:
    """The built `dist/`; a test that needs it fails without a build."""
    dist = _ROOT / "dist"
    if not (dist / "site").is_dir():
        pytest.fail("dist/ is not built: run `python build.py bundle` first")
    return dist


@pytest.fixture(scope="session")
def sphinx_environment(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> SiteEnvironment:
    """The environment that `pip install treeglass[sphinx] myst-parser furo` makes."""
    folder = tmp_path_factory.mktemp("sphinx-environment")
    return make_environment(folder, dist, "sphinx", "myst-parser", "furo")
