"""The packed package, and the browser that opens what was built with it."""

import shutil
from pathlib import Path

import pytest

from tests.support.browser_support import use_browser_support
from tests.support.programs import pack_npm


def pytest_configure(config: pytest.Config) -> None:
    use_browser_support(config)


@pytest.fixture(scope="session")
def tarball(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as npm would publish it, in a folder for what installs it."""
    return Path(shutil.copy(pack_npm(), tmp_path_factory.mktemp("packed")))
