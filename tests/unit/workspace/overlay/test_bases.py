"""The state of a mount below its proposals."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.unit.workspace.overlay.proposing import propose, shown
from treeglass import Workspace
from treeglass.workspace.host import HostFileSystem

MakeTree = Callable[..., Path]
MS = 1_000_000


class TellsOfMany(HostFileSystem):
    """Tells of all paths by one call, as a page's trees do."""

    def sizes_and_times(self, paths: Sequence[str]) -> list[tuple[int, int] | None]:
        """Return the size and the time of each path."""
        return [self._size_and_time(path) for path in paths]

    def _size_and_time(self, path: str) -> tuple[int, int] | None:
        try:
            found = self.lstat(path)
        except OSError:
            return None
        return found.st_size, found.st_mtime_ns


@pytest.mark.parametrize("file_system", [HostFileSystem(), TellsOfMany()], ids=["one", "many"])
def test_a_mount_that_changes_below_a_proposal_is_told_once_for_each_use(
    make_tree: MakeTree, file_system: HostFileSystem
) -> None:
    root = make_tree({"changed": "c", "gone": "g", "touched": "t", "same": "s"})
    workspace = Workspace({"/repo": root}, file_system=file_system)
    names = ("changed", "gone", "touched", "same", "appeared", "new")
    propose(workspace, {f"/repo/{name}": "proposed" for name in names})
    (root / "changed").write_text("other")
    (root / "gone").unlink()
    os.utime(root / "touched", ns=(MS, MS))
    (root / "appeared").write_text("new")

    overlay = workspace.overlay
    states = overlay.changed_bases(f"/repo/{name}" for name in names)
    unused = overlay.take_warnings()
    shown(workspace)

    assert {path.removeprefix("/repo/"): state for path, state in states.items()} == {
        "changed": "changed",
        "gone": "gone",
        "appeared": "appeared",
    }
    assert unused == ()
    assert [warning.partition(";")[0] for warning in overlay.take_warnings()] == [
        "/repo/appeared now exists in its folder, too",
        "/repo/changed has changed in its folder since it was first changed here",
        "/repo/gone is no longer in its folder",
    ]
    assert overlay.take_warnings() == ()
