"""Fixtures that every folder of tests may use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a module in one process, where no mark says what they share."""
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.location[0]))


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
