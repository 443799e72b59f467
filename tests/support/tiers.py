"""The tier of each test: `fast` is what a change most likely breaks, `full` is the rest.

A folder, a browser or host, the place in a module, or one of three marks decides; no test names
its tier itself. Of each module of `tests/browser`, the first test is fast, in all its cases: so a
module begins with what it is most about. Of the recorded cases, those in Chromium are
fast and those in Node.js are not, because both run the same ones on the same interpreter.
"""

import pytest

FAST, FULL = "fast", "full"

FULL_MARKS = {
    "slow": "slow on purpose: large inputs, real waiting, thousands of calls",
    "network": "installs packages from a registry",
    "rebuild": "builds or compresses again, or needs the complete `dist/`",
}
"""The marks that are written by hand, each with its meaning."""

_SHORTENED_FOLDER = "tests/browser/"
"""A folder of which each module gives its first test alone to the fast tier: they take seconds."""

_FULL_FOLDERS = ("tests/docs/", "tests/edge/")

_FAST_FILES = (
    "tests/docs/test_editing_page.py",
    "tests/docs/test_origins.py",
    "tests/docs/test_references.py",
    "tests/docs/test_tool_reference.py",
)
"""Files of these folders that take two seconds, and that any change of a tool may break."""

_FOLDERS_OF_PLACES = ("tests/browser/", "tests/conformance/", *_FULL_FOLDERS)
"""Folders whose parameters name the browser, runtime or host that a test runs in."""

_FAST_PLACES = frozenset({"cpython", "chromium"})

_FULL_PLACES = frozenset(
    {
        *("firefox", "webkit", "chromium-packages", "firefox-packages"),
        *("node", "deno", "bun", "workerd", "node-directory", "deno-directory", "bun-directory"),
    }
)


_LONGEST_FIRST = ("bundlers", "docs", "conformance", "edge", "browser", "repo")
"""The folders whose groups take long, those that take longest first."""


def tier_of(item: pytest.Item) -> str:
    """Return `fast` or `full`."""
    is_marked = any(item.get_closest_marker(mark) for mark in FULL_MARKS)
    is_in_full_folder = item.nodeid.startswith(_FULL_FOLDERS) and not item.nodeid.startswith(
        _FAST_FILES
    )
    is_full = is_marked or is_in_full_folder or _places(item) & _FULL_PLACES or _is_late(item)
    return FULL if is_full else FAST


def _is_late(item: pytest.Item) -> bool:
    """Return whether a test of the shortened folder comes after the first one of its module."""
    if not isinstance(item, pytest.Function) or not item.nodeid.startswith(_SHORTENED_FOLDER):
        return False
    written = [name for name in vars(item.module) if name.startswith("test_")]
    return item.originalname not in written[:1]


def group_of(item: pytest.Item) -> str:
    """Return the tests that share a process with this one: its module, in the same place.

    Tests without a place share the process of Chromium, where most of them run. Those of bundlers
    share what npm installs.
    """
    if item.nodeid.startswith("tests/bundlers/"):
        return "bundlers"
    return " in ".join([item.location[0], *sorted(_places(item) - {"chromium"})])


def turn_of(item: pytest.Item) -> int:
    """Return when a test's group is begun: a long one at the end would keep a single core busy."""
    folders = [item.nodeid.startswith(f"tests/{folder}/") for folder in _LONGEST_FIRST]
    return [*folders, True].index(True)


def _places(item: pytest.Item) -> set[str]:
    callspec = getattr(item, "callspec", None)
    if callspec is None or not item.nodeid.startswith(_FOLDERS_OF_PLACES):
        return set()
    values = {value for value in callspec.params.values() if isinstance(value, str)}
    return values & (_FAST_PLACES | _FULL_PLACES)
