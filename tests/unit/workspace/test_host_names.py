"""The gate on systems that open an entry by other names than its own.

A disk in memory answers as Windows does, and the real one as macOS does; the code of the gate
is the one that runs there.
"""

import errno
import io
import ntpath
import os
import stat
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PureWindowsPath
from types import SimpleNamespace
from typing import Any, BinaryIO

import pytest

from treeglass import Workspace
from treeglass.errors import IsADirectory, WorkspaceError
from treeglass.workspace import Entry, gate, host_names
from treeglass.workspace import mounts as mounts_module
from treeglass.workspace.gate import Gate
from treeglass.workspace.host import HostFileSystem
from treeglass.workspace.mounts import Mount

_JUNCTION_TAG = 0xA0000003
_LINK_TAG = 0xA000000C

_DISK = {
    r"C:\repo": None,
    r"C:\repo\.env": "password",
    r"C:\repo\long-file-name.txt": "long",
    r"C:\repo\src": None,
    r"C:\repo\src\a.txt": "a",
    r"C:\repo\link": r"-> \\?\C:\Repo\src",
    r"C:\repo\relative": r"-> src\a.txt",
    r"C:\repo\other-disk": r"-> \\?\D:\repo\src",
    r"C:\repo\rooted": r"-> \repo\src",
    r"C:\repo\drive-relative": "-> D:src",
    r"C:\repo\share": r"-> \\?\UNC\server\repo\src",
    r"C:\repo\junction": r"=> \\?\C:\secret",
    r"C:\repo\inner-junction": r"=> \\?\C:\repo\src",
    r"C:\secret": None,
    r"C:\secret\key": "key",
    r"D:\repo\src": None,
    "D:key": "key of another disk",
}
"""Paths with the content of files; `->` is a symbolic link, `=>` a junction."""

_SHORT_NAMES = {"long-f~1.txt": "long-file-name.txt"}


class _WindowsStatus:
    """What `os.lstat` tells on Windows, as far as the gate asks."""

    def __init__(self, content: str | None) -> None:
        text = content or ""
        self.st_mode = stat.S_IFDIR if content is None or text.startswith("=>") else stat.S_IFREG
        self.st_reparse_tag = _JUNCTION_TAG if text.startswith("=>") else 0
        if text.startswith("->"):
            self.st_mode, self.st_reparse_tag = stat.S_IFLNK, _LINK_TAG


class _WindowsDisk:
    """Opens what Windows opens by a path, and notes which entry it was."""

    def __init__(self) -> None:
        self.touched: set[str] = set()

    def _find(self, path: str) -> str:
        folder, name = ntpath.split(ntpath.normpath(path.partition("::")[0]))
        name = name.rstrip(". ").lower()
        wanted = ntpath.join(folder, _SHORT_NAMES.get(name, name)).lower()
        for known in _DISK:
            if known.lower() == wanted:
                self.touched.add(known)
                return known
        raise FileNotFoundError(2, "missing")

    def lstat(self, path: str) -> _WindowsStatus:
        return _WindowsStatus(_DISK[self._find(path)])

    def readlink(self, path: str) -> str:
        return (_DISK[self._find(path)] or "")[3:]

    def open(self, path: str) -> BinaryIO:
        return io.BytesIO((_DISK[self._find(path)] or "").encode())

    def has_entry(self, directory: str, name: str) -> bool:
        return ntpath.join(self._find(directory), name) in _DISK


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> _WindowsDisk:
    """The disk, with the gate's code as it runs on Windows."""
    windows = SimpleNamespace(sep="\\", altsep="/", path=ntpath, fsencode=os.fsencode)
    monkeypatch.setattr(gate, "os", windows)
    monkeypatch.setattr(mounts_module, "os", windows)
    monkeypatch.setattr(host_names, "os", windows)
    monkeypatch.setattr(host_names, "PurePath", PureWindowsPath)
    monkeypatch.setattr(host_names, "IS_WINDOWS", True)
    monkeypatch.setattr(host_names, "LISTS_TRUE_NAMES_ONLY", True)
    return _WindowsDisk()


def _outcome(disk: _WindowsDisk, text: str, *, strict: bool) -> str | None:
    mounts = [Mount(("repo",), r"C:\repo", ("repo",))]
    opened = Gate(mounts, disk)  # type: ignore[arg-type]  # its status has only what is asked
    try:
        return opened.resolve(text, "/repo", strict=strict, unescape=False).host
    except WorkspaceError as error:
        return type(error).__name__


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("/repo", r"C:\repo"),
        (".env", r"C:\repo\.env"),
        ("src/a.txt", r"C:\repo\src\a.txt"),
        pytest.param("link/a.txt", r"C:\repo\src\a.txt", id="a link by another case of the mount"),
        ("relative", r"C:\repo\src\a.txt"),
        ("rooted/a.txt", r"C:\repo\src\a.txt"),
        ("inner-junction/a.txt", r"C:\repo\src\a.txt"),
    ],
)
def test_true_names_and_links_inside_the_mount_are_found(
    disk: _WindowsDisk, text: str, host: str
) -> None:
    assert _outcome(disk, text, strict=True) == host
    assert _outcome(disk, text, strict=False) == host


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(".ENV", id="another case"),
        pytest.param(".env.", id="a dot at the end"),
        pytest.param(".env ", id="a space at the end"),
        pytest.param(".env::$DATA", id="a stream of the file"),
        pytest.param("LONG-F~1.TXT", id="a short name"),
        pytest.param("SRC/a.txt", id="below another case"),
        pytest.param("src\\a.txt", id="a backslash"),
        pytest.param("..\\secret\\key", id="up by backslashes"),
        pytest.param("C:\\secret\\key", id="an absolute path"),
        pytest.param("D:key", id="another disk"),
        pytest.param("D:", id="a drive"),
        pytest.param("drive-relative", id="a link to a place on another disk"),
        pytest.param(".ENV/x/..", id="up again to another case"),
    ],
)
def test_other_names_of_an_entry_lead_nowhere(disk: _WindowsDisk, text: str) -> None:
    assert _outcome(disk, text, strict=True) == "PathNotFound"
    assert _outcome(disk, text, strict=False) is None


@pytest.mark.parametrize("text", ["junction", "junction/key", "other-disk/a.txt", "share/a.txt"])
@pytest.mark.parametrize("strict", [True, False])
def test_links_and_junctions_out_of_the_mount_are_not_followed(
    disk: _WindowsDisk, text: str, *, strict: bool
) -> None:
    assert _outcome(disk, text, strict=strict) == "PathEscapesWorkspace"
    assert {path for path in disk.touched if not path.startswith(r"C:\repo")} == set()


def test_a_name_that_leads_nowhere_does_not_hide_its_neighbours(disk: _WindowsDisk) -> None:
    assert _outcome(disk, "nothing/../src/a.txt", strict=False) == r"C:\repo\src\a.txt"


class _WindowsFileSystem(HostFileSystem):
    """The real disk, on which Windows would refuse to open a directory and `j` is a junction."""

    def open(self, path: str) -> BinaryIO:
        if os.path.isdir(path):  # noqa: PTH112  # as the host gets it
            raise PermissionError(errno.EACCES, "Permission denied")
        return super().open(path)

    @contextmanager
    def scandir(self, path: str) -> Iterator[Iterator[Any]]:
        with super().scandir(path) as found:
            yield map(_WindowsEntry, found)


class _WindowsEntry:
    def __init__(self, entry: os.DirEntry[str]) -> None:
        self.name = entry.name
        self.is_file, self.is_dir, self.is_symlink = entry.is_file, entry.is_dir, entry.is_symlink

    def stat(self, *, follow_symlinks: bool) -> Any:
        assert not follow_symlinks
        return _WindowsStatus("=> elsewhere" if self.name == "j" else None)


def test_windows_lists_a_junction_as_a_link_and_tells_directories_from_files(
    make_tree: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_names, "IS_WINDOWS", True)
    tree = make_tree({"d": None, "j": None, "f": "text"})
    workspace = Workspace({"/repo": tree}, file_system=_WindowsFileSystem())

    listed = sorted(workspace.scan(workspace.resolve("/repo")))
    assert listed == [Entry("d", "directory"), Entry("f", "file"), Entry("j", "symlink")]
    with pytest.raises(IsADirectory):
        workspace.open(workspace.resolve("/repo/d"))


class _LooseFileSystem(HostFileSystem):
    """Opens a name in any case and any form of Unicode, as macOS does."""

    def lstat(self, path: str, *held: int | None) -> os.stat_result:
        folder, wanted = os.path.split(path)  # as the host gets it
        for name in os.listdir(folder):  # noqa: PTH208  # same
            if _folded(name) == _folded(wanted):
                return super().lstat(os.path.join(folder, name), *held)  # noqa: PTH118  # same
        return super().lstat(path, *held)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


@pytest.mark.parametrize("text", [".ENV", "caf\N{LATIN SMALL LETTER E WITH ACUTE}"])
def test_macos_opens_an_entry_by_its_listed_name_alone(
    make_tree: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(host_names, "LISTS_TRUE_NAMES_ONLY", True)
    tree = make_tree({".env": "password", "cafe\N{COMBINING ACUTE ACCENT}": "twin"})
    workspace = Workspace({"/repo": tree}, file_system=_LooseFileSystem())

    assert workspace.resolve(".env").host == str(tree / ".env")
    assert workspace.resolve(text, strict=False).host is None
    with pytest.raises(WorkspaceError, match="No such file"):
        workspace.resolve(text)
