"""Fixtures that every folder of tests may use."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest

# pytest rewrites the assertions of test modules alone; those of modules beside them would fail
# without a word.
pytest.register_assert_rewrite(
    *(f"tests.{folder}" for folder in ("browser", "bundlers", "conformance", "docs", "edge")),
    *(f"tests.{folder}" for folder in ("property", "repo", "scale", "support", "unit")),
)

from build_steps.folders import DIST  # noqa: E402
from tests.support.disk_support import holds_every_tree  # noqa: E402
from tests.support.tiers import FAST, FULL, FULL_MARKS, group_of, tier_of, turn_of  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping
    from pathlib import Path

    from xdist.workermanage import WorkerController  # type: ignore[import-untyped]  # ships no types

_LEFT_OUT = pytest.StashKey[int]()
"""How many collected tests do not run, because they belong to the full tier."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run the full tier too")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"{FAST}: set by tests/support/tiers.py")
    config.addinivalue_line("markers", f"{FULL}: set by tests/support/tiers.py")
    for mark, meaning in FULL_MARKS.items():
        config.addinivalue_line("markers", f"{mark}: {meaning}")


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Generator[None, object, object]:
    """Give each test its tier and its group, which shares a process, and begin the long groups."""
    for item in items:
        item.add_marker(tier_of(item))
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(group_of(item)))
    if not config.getoption("--all"):
        left_out = [item for item in items if item.get_closest_marker(FULL)]
        items[:] = [item for item in items if item.get_closest_marker(FAST)]
        config.hook.pytest_deselected(items=left_out)
        config.stash[_LEFT_OUT] = len(left_out)
    # Other plugins shuffle the tests.
    ended = yield
    items.sort(key=turn_of)
    return ended


def pytest_sessionfinish(session: pytest.Session) -> None:
    # With several processes, the one that prints the summary collects nothing itself.
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = session.config.stash.get(_LEFT_OUT, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: WorkerController) -> None:
    # A process that crashed leaves no output; all of them collect the same tests.
    if hasattr(node, "workeroutput"):
        node.config.stash[_LEFT_OUT] = node.workeroutput["left_out"]


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if left_out := config.stash.get(_LEFT_OUT, 0):
        terminalreporter.line(f"tests left out: {left_out:,}, the full tier; --all runs it too")


@pytest.fixture(scope="session")
def dist() -> Path:
    """The built `dist/`; a test that needs it fails without a build."""
    if not (DIST / "site").is_dir():
        pytest.fail("dist/ is not built: run `python build.py bundle` first")
    return DIST


@pytest.fixture
def make_tree(tmp_path: Path) -> Callable[[Mapping[str, str | bytes | None]], Path]:
    """Return a function that writes one literal tree and returns its directory.

    A value is the text or the bytes of a file, `None` for a directory, and a
    text that begins with `-> ` for a symbolic link. A test skips if its disk
    cannot hold the tree and is one that cannot hold every tree.
    """

    def make(tree: Mapping[str, str | bytes | None]) -> Path:
        root = tmp_path / "tree"
        root.mkdir()
        for name, content in tree.items():
            try:
                _make_entry(root, name, content)
            except (OSError, ValueError) as refusal:
                if holds_every_tree(tmp_path):
                    raise
                pytest.skip(f"this disk cannot hold {name!r}: {refusal}")
        return root

    return make


def _make_entry(root: Path, name: str, content: str | bytes | None) -> None:
    path = root / name
    if content is None:
        path.mkdir(parents=True, exist_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content.startswith("-> "):
        path.symlink_to(content.removeprefix("-> "))
    else:
        path.write_text(content, "utf-8", newline="")
    *_, last = name.split("/")
    if re.fullmatch(r"[\w.-]*\w", last, re.ASCII):
        return
    if last not in (found.name for found in path.parent.iterdir()):
        message = "it gives the entry another name"
        raise ValueError(message)


@pytest.fixture
def make_pipe() -> Callable[[Path], None]:
    """Return a function that makes a named pipe; where a system has no pipes, the test skips."""
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no named pipes")
    make: Callable[[Path], None] = os.mkfifo
    return make
