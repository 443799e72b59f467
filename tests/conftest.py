"""Fixtures that every folder of tests may use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.tiers import FAST, FULL, FULL_MARKS, group_of, tier_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run the full tier too")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"{FAST}: set by tests/support/tiers.py")
    config.addinivalue_line("markers", f"{FULL}: set by tests/support/tiers.py")
    for mark, meaning in FULL_MARKS.items():
        config.addinivalue_line("markers", f"{mark}: {meaning}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give each test its tier, and a group of tests that share a process."""
    for item in items:
        item.add_marker(tier_of(item))
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(group_of(item)))
    if not config.getoption("--all"):
        left_out = [item for item in items if item.get_closest_marker(FULL)]
        items[:] = [item for item in items if item.get_closest_marker(FAST)]
        config.hook.pytest_deselected(items=left_out)


def pytest_report_header(config: pytest.Config) -> str:
    is_all = config.getoption("--all")
    return "tiers: fast and full" if is_all else "tiers: fast; --all runs the full tier too"


@pytest.fixture
def make_tree(tmp_path: Path) -> Callable[[Mapping[str, str | bytes | None]], Path]:
    """Return a function that writes one literal tree and returns its directory.

    A value is the text or the bytes of a file, `None` for a directory, and a
    text that begins with `-> ` for a symbolic link.
    """

    def make(tree: Mapping[str, str | bytes | None]) -> Path:
        root = tmp_path / "tree"
        root.mkdir()
        for name, content in tree.items():
            path = root / name
            if content is None:
                path.mkdir(parents=True, exist_ok=True)
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, bytes):
                path.write_bytes(content)
            elif content.startswith("-> "):
                path.symlink_to(content.removeprefix("-> "))
            else:
                path.write_text(content, "utf-8", newline="")
        return root

    return make
