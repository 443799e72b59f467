"""The spy below the recorded cases notices every kind of write, so that its silence is a proof."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.write_spy import nothing_written, recorded_requests, traces_of

MakeTree = Callable[..., Path]


def _open_in_directory(root: Path) -> None:
    directory = os.open(root, os.O_RDONLY)
    os.close(os.open("new", os.O_WRONLY | os.O_CREAT, dir_fd=directory))
    os.close(directory)


def _truncate_what_is_open(root: Path) -> None:
    with (root / "a").open("r+b") as file:
        file.truncate(1)


WRITES: dict[str, Callable[[Path], object]] = {
    "write": lambda root: (root / "a").write_bytes(b"2"),
    "append": lambda root: (root / "a").open("ab").close(),
    "create": lambda root: (root / "new").touch(),
    "create by the system's call": lambda root: os.close(
        os.open(root / "new", os.O_RDONLY | os.O_CREAT)
    ),
    "create in an open directory": _open_in_directory,
    "truncate": lambda root: os.truncate(root / "a", 0),
    "truncate what is open": _truncate_what_is_open,
    "mkdir": lambda root: (root / "new").mkdir(),
    "rename": lambda root: (root / "a").rename(root / "new"),
    "move in": lambda root: (root.parent / "beside").rename(root / "new"),
    "move out": lambda root: (root / "a").rename(root.parent / "new"),
    "remove": lambda root: (root / "a").unlink(),
    "rmdir": lambda root: (root / "d").rmdir(),
    "utime": lambda root: os.utime(root / "a", (1, 1)),
    "chmod": lambda root: (root / "a").chmod(0o600),
    "symlink": lambda root: (root / "new").symlink_to("a"),
    "link": lambda root: (root / "new").hardlink_to(root / "a"),
    "write by way of a link outside": lambda root: (root.parent / "in/a").write_bytes(b"2"),
}


@pytest.fixture
def root(make_tree: MakeTree) -> Path:
    made = make_tree({"a": "1", "d": None})
    (made.parent / "beside").touch()
    (made.parent / "in").symlink_to(made)
    return made


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_each_kind_of_write_is_noticed_when_it_is_asked_for(
    root: Path, write: Callable[[Path], object]
) -> None:
    with recorded_requests(root) as requests:
        write(root)

    assert requests != []


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_write_ends_what_must_write_nothing(root: Path, write: Callable[[Path], object]) -> None:
    with pytest.raises(AssertionError), nothing_written(root):
        write(root)


def test_what_no_event_tells_leaves_a_trace(root: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("this system has no pipes in folders")
    before = traces_of(root)
    with recorded_requests(root) as requests:
        os.mkfifo(root / "new")

    assert (requests, traces_of(root) == before) == ([], False)


def test_a_write_that_is_put_back_leaves_a_trace(root: Path) -> None:
    before, was = traces_of(root), (root / "a").stat()
    beside = root.parent / "beside"
    while beside.stat().st_ctime_ns <= was.st_ctime_ns:
        # The times of a disk are some milliseconds apart.
        beside.write_bytes(b"2")
    (root / "a").write_bytes(b"2")
    (root / "a").write_bytes(b"1")
    os.utime(root / "a", ns=(was.st_atime_ns, was.st_mtime_ns))

    assert traces_of(root) != before


def test_a_write_that_fails_is_noticed(root: Path) -> None:
    with recorded_requests(root) as requests, pytest.raises(FileExistsError):
        (root / "d").mkdir()

    assert requests == [f"os.mkdir {str(root / 'd')!r}"]


def test_reads_and_writes_elsewhere_are_no_writes(root: Path) -> None:
    with nothing_written(root):
        read = (root / "a").read_bytes(), sorted(path.name for path in root.iterdir())
        (root.parent / "beside").write_bytes(b"2")

    assert read == (b"1", ["a", "d"])
