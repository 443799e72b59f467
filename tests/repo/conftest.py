"""Fixtures of the repository's tests: the tracked files, and the built packages."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.support.browser_support import use_browser_support

_ROOT = Path(__file__).resolve().parent.parent.parent


def pytest_configure(config: pytest.Config) -> None:
    use_browser_support(config)


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the repository."""
    return _ROOT


@pytest.fixture(scope="session")
def dist(root: Path) -> Path:
    """The built `dist/`; a test that needs it fails without a build."""
    dist = root / "dist"
    if not (dist / "site").is_dir():
        pytest.fail("dist/ is not built: run `python build.py bundle` first")
    return dist


@pytest.fixture(scope="session")
def tracked(root: Path) -> tuple[str, ...]:
    """The tracked files that stand in the work tree, as names below the root, sorted."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"],  # noqa: S607  # the person's own Git
        cwd=root,
        capture_output=True,
        check=True,
    )
    names = listed.stdout.decode().split("\0")
    return tuple(sorted(name for name in names if name and (root / name).is_file()))
