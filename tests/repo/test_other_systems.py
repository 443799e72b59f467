"""The build on systems that lack what Linux has, or that do it otherwise."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from filelock import FileLock, Timeout

from build_steps import freshness
from build_steps.freshness import content_fingerprint, only_process
from build_steps.programs import runs_as_root
from build_steps.testing import browsers


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
