"""The build on systems that lack what Linux has, or that do it otherwise."""

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from filelock import FileLock, Timeout

from build_steps import freshness
from build_steps.freshness import content_fingerprint, only_process
from build_steps.programs import runs_as_root
from build_steps.testing import browsers
from tests.conformance.trees import Node, Tree, write_tree
from tests.support.disk_support import holds_every_tree


def test_one_process_at_a_time_works_in_a_folder_on_windows_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(freshness, "BUILD", tmp_path)
    other = FileLock(tmp_path / "locks" / "folder.lock", timeout=0)

    with only_process("folder"), ThreadPoolExecutor() as threads:
        refused = threads.submit(other.acquire).exception()

    assert isinstance(refused, Timeout)


class _WindowsOrder(type(Path())):  # type: ignore[misc]  # the class of this system's paths
    """A path that is sorted as Windows sorts it."""

    def __lt__(self, other: object) -> bool:
        return str(self).lower() < str(other).lower()


def test_a_fingerprint_does_not_depend_on_how_the_system_sorts_paths(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("B", "a", "a-b", "a_/c")]
    for file in files:
        file.parent.mkdir(exist_ok=True)
        file.write_text(file.name, "utf-8")

    there = content_fingerprint([_WindowsOrder(file) for file in files], below=tmp_path)

    assert there == content_fingerprint(files, below=tmp_path)


def test_nobody_is_root_where_there_is_no_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "geteuid", raising=False)

    assert not runs_as_root()


@pytest.mark.parametrize(
    ("refused", "hosts"),
    [([], "all"), (list(browsers.WEBKIT), "chromium,firefox,node,deno,bun,workerd")],
    ids=["all", "all but WebKit"],
)
def test_the_hosts_are_printed_so_that_a_shell_on_windows_reads_them_too(
    refused: list[str],
    hosts: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(browsers, "install_debian_packages", lambda _packages: refused)

    browsers.main()

    assert capsys.readouterr().out == hosts


def test_a_recorded_tree_is_the_same_where_paths_cannot_start_from_a_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes = {
        b"d": Node("directory", modified_ns=1_000_000_000),
        b"d/f": Node("file", content=b"a\r\nb\n", modified_ns=2_000_000_000),
        b"l": Node("symlink", target=b"d/f"),
    }
    (tmp_path / "linux").mkdir()
    (tmp_path / "windows").mkdir()
    write_tree(Tree(nodes), tmp_path / "linux")
    monkeypatch.setattr(os, "supports_dir_fd", set())
    monkeypatch.setattr(os, "supports_follow_symlinks", set())
    monkeypatch.delattr(os, "mkfifo")

    write_tree(Tree(nodes), tmp_path / "windows")

    there, here = tmp_path / "windows" / "project", tmp_path / "linux" / "project"
    assert [_facts(there / name) for name in ("d", "d/f", "l")] == [
        _facts(here / name) for name in ("d", "d/f", "l")
    ]
    with pytest.raises(OSError, match="not implemented"):
        write_tree(Tree({b"p": Node("pipe")}), tmp_path)


def _facts(path: Path) -> tuple[object, ...]:
    if path.is_symlink():
        return ("link", path.readlink())
    content = path.read_bytes() if path.is_file() else None
    return content, path.stat().st_mtime_ns


@pytest.mark.parametrize(
    ("holds_all", "outcome"), [(True, ValueError), (False, pytest.skip.Exception)]
)
def test_a_tree_that_cannot_be_made_skips_only_on_a_disk_that_cannot_hold_every_tree(
    make_tree: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
    outcome: type[BaseException],
    *,
    holds_all: bool,
) -> None:
    named = make_tree.__globals__
    monkeypatch.setitem(named, "holds_every_tree", lambda _folder: holds_all)

    with pytest.raises(outcome, match="null"):
        # No disk holds a name with NUL.
        make_tree({"a\0b": ""})


def test_a_disk_that_takes_two_names_for_one_cannot_hold_every_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def touch_without_case(path: Path, *, exist_ok: bool) -> None:
        assert not exist_ok
        path.with_name(path.name.lower()).open("x").close()

    monkeypatch.setattr(Path, "touch", touch_without_case)

    assert not holds_every_tree(tmp_path)
