"""The tier of each test: `fast` is what a change most likely breaks, `full` is the rest.

A folder, a browser or host, or one of three marks decides; no test names its tier itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

FAST, FULL = "fast", "full"

FULL_MARKS = {
    "slow": "slow on purpose: large inputs, real waiting, thousands of calls",
    "network": "installs packages from a registry",
    "rebuild": "builds or compresses again, or needs the complete `dist/`",
}
"""The marks that are written by hand, each with its meaning."""

_FULL_FOLDERS = ("tests/docs/", "tests/edge/")

_FULL_PLACES = frozenset(
    {
        *("firefox", "webkit", "chromium-packages", "firefox-packages"),
        *("deno", "bun", "workerd", "node-directory", "deno-directory", "bun-directory"),
    }
)
"""Parameters that name a browser, runtime or host beside the three of the fast tier."""


def tier_of(item: pytest.Item) -> str:
    """Return `fast` or `full`."""
    is_marked = any(item.get_closest_marker(mark) for mark in FULL_MARKS)
    is_in_full_folder = item.nodeid.startswith(_FULL_FOLDERS)
    return FULL if is_marked or is_in_full_folder or _places(item) & _FULL_PLACES else FAST


def group_of(item: pytest.Item) -> str:
    """Return the tests that share a process with this one: its module, in the same browser."""
    return " in ".join([item.location[0], *sorted(_places(item) & {"chromium", "firefox"})])


def _places(item: pytest.Item) -> set[str]:
    callspec = getattr(item, "callspec", None)
    values = callspec.params.values() if callspec is not None else ()
    return {value for value in values if isinstance(value, str)}
