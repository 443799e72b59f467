"""Fixtures of the repository's tests: the tracked files, and the built packages."""

from pathlib import Path

import pytest

from build_steps.folders import ROOT
from build_steps.programs import find_program
from tests.support.browser_support import use_browser_support
from tests.support.programs import printed_by


def pytest_configure(config: pytest.Config) -> None:
    use_browser_support(config)


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def package(dist: Path) -> Path:
    """The npm package, unpacked as it is published."""
    return dist / "npm"


@pytest.fixture(scope="session")
def tracked(root: Path) -> tuple[str, ...]:
    """The tracked files that stand in the work tree, as names below the root, sorted."""
    names = printed_by(find_program("git"), "ls-files", "-z", folder=root).split("\0")
    return tuple(sorted(name for name in names if name and (root / name).is_file()))
