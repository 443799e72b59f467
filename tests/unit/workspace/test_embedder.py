"""Trees that the program around the interpreter holds, here a dictionary in place of a page."""

import errno
import re
import stat
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.unit.workspace.overlay.proposing import propose
from treeglass.errors import NotARegularFile, WorkspaceInvalid
from treeglass.workspace import Entry, Workspace
from treeglass.workspace.embedder import EmbedderFileSystem
from treeglass.workspace.host import ALONE, HostFileSystem
from treeglass.workspace.lines import skip_lines

TOP = "/embedded/1"
_LINE = b"x" * 15 + b"\n"
_BIG = _LINE * (3 * 1024 * 1024 // len(_LINE))


class Content(bytes):
    """Bytes as an embedder gives them."""

    def to_bytes(self) -> bytes:
        return bytes(self)


class Gathered(NamedTuple):
    """Files as an embedder gives them."""

    sizes: str
    bytes: Content


class Trees:
    """One tree; each call is counted."""

    directory = "/embedded/"

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.wanted: list[str] = []
        self.entries: dict[str, bytes | str | None] = {
            TOP: None,
            f"{TOP}/a.txt": b"one\ntwo\nthree",
            f"{TOP}/folder": None,
            f"{TOP}/link": "a.txt",
            f"{TOP}/big": _BIG,
        }

    def list(self, path: str) -> str | int:
        self.calls["list"] += 1
        return "fdlo/a.txt/folder/\ud800/pipe" if path == TOP else errno.ENOTDIR

    def look(self, path: str) -> str | int:
        self.calls["look"] += 1
        if path.endswith("/pipe"):
            return f"{stat.S_IFIFO} 0 0 0 0"
        if path not in self.entries:
            return errno.ENOENT
        match self.entries[path]:
            case bytes(content):
                identity = 7 if content is _BIG else 0
                return f"{stat.S_IFREG | 0o755} {len(content)} -1500 300 {identity}"
            case str(target):
                return f"{stat.S_IFLNK | 0o777} {len(target)} 0 0 0"
            case None:
                return f"{stat.S_IFDIR | 0o555} 4096 1600000000500 0 0"

    def missing(self) -> bool:
        return False

    def times(self, path: str, names: str) -> str | int:
        self.calls["times"] += 1
        if path != TOP:
            return errno.ENOTDIR
        return " ".join("-" if name == "gone" else "-1499999700" for name in names.split("/"))

    def statuses(self, paths: str) -> str | int:
        self.calls["statuses"] += 1
        if paths == TOP:
            return errno.ENOSYS
        found = [self.entries.get(path) for path in paths.split("\0")]
        return " ".join(
            f"{len(each)} -1499999700" if isinstance(each, bytes) else "-1 0" for each in found
        )

    def link(self, path: str) -> str | int:
        target = self.entries.get(path)
        return target if isinstance(target, str) else errno.EINVAL

    def read(self, path: str, start: int, end: int) -> Content | int:
        self.calls["read"] += 1
        content = self.entries.get(path)
        return Content(content[start:end]) if isinstance(content, bytes) else errno.EIO

    def gather(self, paths: str, max_bytes: int) -> Gathered:
        self.calls["gather"] += 1
        contents = [self.entries.get(path) for path in paths.split("\0")]
        small = [
            each if isinstance(each, bytes) and len(each) <= max_bytes else None
            for each in contents
        ]
        sizes = " ".join("-1" if each is None else str(len(each)) for each in small)
        return Gathered(sizes, Content(b"".join(each for each in small if each is not None)))

    def want(self, paths: str, max_files: int, _max_bytes: int) -> int:
        self.wanted = paths.split("\0")
        return min(len(self.wanted), max_files)


@pytest.fixture(name="trees")
def fixture_trees() -> Trees:
    return Trees()


@pytest.fixture(name="system")
def fixture_system(trees: Trees) -> EmbedderFileSystem:
    return EmbedderFileSystem(trees)


def test_a_change_keeps_the_permissions_of_its_file(system: EmbedderFileSystem) -> None:
    workspace = Workspace({"/z": TOP}, file_system=system)

    propose(workspace, {"/z/a.txt": "new\n"})

    patch = workspace.overlay.export_patch().decode()
    assert patch.splitlines()[1].rpartition(" ")[2] == "100755"
    assert workspace.permissions(workspace.resolve("/z/a.txt")) == 0o755


def test_a_directory_is_one_call_and_half_a_pair_is_invalid_bytes(
    trees: Trees, system: EmbedderFileSystem
) -> None:
    assert system.entries(TOP, 10) == [
        Entry("a.txt", "file"),
        Entry("folder", "directory"),
        Entry("\udced\udca0\udc80", "symlink"),
        Entry("pipe", "other"),
    ]
    assert system.entries(TOP, 1) == [Entry("a.txt", "file")]
    assert trees.calls == {"list": 2}


def test_a_status_has_its_time_to_the_nanosecond(system: EmbedderFileSystem) -> None:
    file, folder = system.lstat(f"{TOP}/a.txt"), system.lstat(f"{TOP}/folder")
    with system.hold(TOP) as held:
        assert held is None

    assert (file.st_mode, file.st_size, file.st_mtime_ns) == (0o100755, 13, -1_499_999_700)
    assert (folder.st_mode, folder.st_mtime_ns) == (0o40555, 1_600_000_000_500_000_000)


def test_the_times_of_a_directory_are_one_call_and_a_missing_entry_has_none(
    trees: Trees, system: EmbedderFileSystem
) -> None:
    assert system.modified_times(TOP, ["a.txt", "gone", "big"]) == [-1499999700, None, -1499999700]
    assert trees.calls == {"times": 1}


def test_the_sizes_and_times_of_many_paths_are_one_call_and_a_missing_entry_has_none(
    trees: Trees, system: EmbedderFileSystem
) -> None:
    paths = [f"{TOP}/a.txt", f"{TOP}/gone", f"{TOP}/big"]
    assert system.sizes_and_times(paths) == [
        (13, -1_499_999_700),
        None,
        (len(_BIG), -1_499_999_700),
    ]
    assert trees.calls == {"statuses": 1}


@pytest.mark.parametrize(
    ("directory", "names"),
    [
        pytest.param(TOP, ["a.txt", "\udcff"], id="name-that-is-no-text"),
        pytest.param(f"{TOP}/a.txt", ["x"], id="refused-directory"),
        pytest.param("/etc", ["x"], id="directory-of-the-system"),
        pytest.param(TOP, [], id="no-names"),
    ],
)
def test_otherwise_each_entry_is_asked_for_its_time(
    system: EmbedderFileSystem, directory: str, names: list[str]
) -> None:
    assert system.modified_times(directory, names) is None


@pytest.mark.parametrize(
    "paths",
    [
        pytest.param([f"{TOP}/\udcff"], id="name-that-is-no-text"),
        pytest.param([TOP], id="refused"),
        pytest.param([f"{TOP}/a.txt", "/etc/x"], id="path-of-the-system"),
        pytest.param([], id="no-paths"),
    ],
)
def test_otherwise_each_entry_is_asked_for_its_size_and_time(
    system: EmbedderFileSystem, paths: list[str]
) -> None:
    assert system.sizes_and_times(paths) is None


def test_a_small_file_is_two_calls(trees: Trees, system: EmbedderFileSystem) -> None:
    with system.open(f"{TOP}/a.txt") as file:
        found = [file.readline(), file.tell(), file.read(), file.read(5)]

    assert found == [b"one\n", 4, b"two\nthree", b""]
    assert trees.calls == {"look": 1, "read": 1}


def test_seeking_goes_anywhere_and_past_the_end_there_is_nothing(
    system: EmbedderFileSystem,
) -> None:
    with system.open(f"{TOP}/a.txt") as file:
        positions = [file.seek(-5, 2), file.seek(1), file.seek(2, 1)]
        found = [file.read(3), file.seek(99), file.read()]

    assert positions == [8, 1, 3]
    assert found == [b"\ntw", 99, b""]


def test_nothing_is_before_the_start_of_a_file(system: EmbedderFileSystem) -> None:
    with system.open(f"{TOP}/a.txt") as file, pytest.raises(OSError, match="before") as refused:
        file.seek(-14, 2)

    assert refused.value.errno == errno.EINVAL


def test_each_refusal_is_the_error_of_its_number(trees: Trees, system: EmbedderFileSystem) -> None:
    del trees.entries[f"{TOP}/folder"]
    with pytest.raises(FileNotFoundError):
        system.lstat(f"{TOP}/folder")
    with pytest.raises(NotADirectoryError):
        system.entries(f"{TOP}/a.txt", 10)
    with pytest.raises(OSError, match="refuses") as no_link:
        system.readlink(f"{TOP}/a.txt")
    with pytest.raises(OSError, match="link") as followed:
        system.open(f"{TOP}/link")
    with pytest.raises(NotARegularFile):
        system.open(f"{TOP}/pipe")
    with system.open(f"{TOP}/a.txt") as file:
        trees.entries[f"{TOP}/a.txt"] = "no longer a file"
        with pytest.raises(OSError, match="refuses") as torn:
            file.read()

    assert system.readlink(f"{TOP}/link") == "a.txt"
    assert no_link.value.errno == errno.EINVAL
    assert followed.value.errno == errno.ELOOP
    assert torn.value.errno == errno.EIO


def test_a_name_that_is_no_text_is_missing_without_a_call(
    trees: Trees, system: EmbedderFileSystem
) -> None:
    with pytest.raises(FileNotFoundError):
        system.lstat(f"{TOP}/\udcff")

    assert trees.calls == {}


def test_any_other_path_is_the_systems(system: EmbedderFileSystem, tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_bytes(b"text")
    path = str(tmp_path / "real.txt")

    with system.open(path) as file, system.hold(str(tmp_path)) as held:
        assert file.read() == b"text"
        assert system.lstat(path, held) == HostFileSystem().lstat(path)
    assert system.entries(str(tmp_path), 10) == [Entry("real.txt", "file")]
    listed = [("real.txt", str(tmp_path)), ("a.txt", str(tmp_path)), ("a.txt", TOP), ("A.txt", TOP)]
    assert [system.has_entry(folder, name) for name, folder in listed] == [True, False, True, False]


def test_the_next_page_of_an_unchanging_file_goes_on_from_the_last(
    trees: Trees, system: EmbedderFileSystem
) -> None:
    found = []
    for _ in range(2):
        trees.calls.clear()
        with system.open(f"{TOP}/big") as file:
            skipped = skip_lines(file, 150_000, lambda: None)
            found.append((skipped, file.tell(), trees.calls["read"]))

    assert found == [(150_000, 2_400_000, 3), (150_000, 2_400_000, 1)]


def test_only_files_of_the_trees_are_wanted_and_those_of_the_system_are_there(
    trees: Trees, system: EmbedderFileSystem
) -> None:
    paths = ["/elsewhere", f"{TOP}/a.txt", f"{TOP}/\udcff", f"{TOP}/big", "/other"]

    assert system.want(paths, 2, 9) == 5
    assert trees.wanted == [f"{TOP}/a.txt", f"{TOP}/big"]
    assert system.want(paths, 1, 9) == 3
    assert HostFileSystem().want(paths, 1, 9) == 5


def test_files_are_gathered_by_one_call_and_large_or_missing_ones_are_left_out(
    trees: Trees, system: EmbedderFileSystem
) -> None:
    paths = [f"{TOP}/a.txt", f"{TOP}/big", f"{TOP}/none", f"{TOP}/a.txt"]

    found = system.gather(paths, 100)

    assert found == (b"one\ntwo\nthree" * 2, [13, ALONE, ALONE, 13])
    assert trees.calls == {"gather": 1}


def test_with_a_file_of_the_system_each_is_opened(
    trees: Trees, system: EmbedderFileSystem, tmp_path: Path
) -> None:
    (tmp_path / "real.txt").write_bytes(b"text")

    found = system.gather([f"{TOP}/a.txt", str(tmp_path / "real.txt"), f"{TOP}/\udcff"], 100)

    assert found == (b"one\ntwo\nthreetext", [13, 4, ALONE])
    assert trees.calls == {"look": 1, "read": 1}


def test_a_tree_is_mounted_by_its_own_answers(trees: Trees, system: EmbedderFileSystem) -> None:
    workspace = Workspace({"/repo": TOP}, file_system=system)

    names = [entry.name for entry in workspace.scan(workspace.resolve("/repo"))]

    assert names == ["a.txt", "folder", "\udced\udca0\udc80", "pipe"]
    assert trees.calls["list"] == 1


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/embedded/2", "No such file or directory (os error 2)"),
        (f"{TOP}/a.txt", "only a directory can be mounted"),
    ],
)
def test_what_is_no_directory_of_a_tree_is_not_mounted(
    path: str, reason: str, system: EmbedderFileSystem
) -> None:
    with pytest.raises(WorkspaceInvalid, match=re.escape(f"mount point '/repo': {reason}")):
        Workspace({"/repo": path}, file_system=system)
