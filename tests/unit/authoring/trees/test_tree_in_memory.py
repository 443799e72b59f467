"""Entries become a tree by the rules of a mount, and a tree answers as a host does."""

import errno
import os
from collections.abc import Iterator

import pytest

from treeglass.authoring.demo import DemoInvalid
from treeglass.authoring.trees import tree_in_memory
from treeglass.authoring.trees.memory_file_system import TOP, MemoryFileSystem
from treeglass.authoring.trees.tree_in_memory import (
    MemoryDirectory,
    MemoryFile,
    MemoryLink,
    TreeBuilder,
)


@pytest.fixture
def builder() -> TreeBuilder:
    return TreeBuilder("/repo")


def add(builder: TreeBuilder, path: str, content: bytes = b"x") -> None:
    builder.add_file(path, len(content), 0, lambda: content)


def shown(directory: MemoryDirectory, prefix: str = "") -> Iterator[str]:
    for name, entry in directory.children.items():
        if isinstance(entry, MemoryDirectory):
            yield f"{prefix}{name}/"
            yield from shown(entry, f"{prefix}{name}/")
        elif isinstance(entry, MemoryLink):
            yield f"{prefix}{name} -> {entry.target}"
        else:
            yield f"{prefix}{name}"


def test_paths_are_cut_into_names_and_what_leads_out_is_left_out(builder: TreeBuilder) -> None:
    for path in (
        *("b.txt", "a//./c.txt", "/absolute", "x/../y", "../out", "a/../../out", "nul\0", ".", ""),
        *("C:/d", "back\\slash", "n" * 255, "n" * 256, "é" * 128, "lone\udc80"),
        *("/".join(["d"] * 257), "/".join(["e"] * 258), "p/" * 2047 + "p", "q/" * 2048 + "q"),
    ):
        add(builder, path)

    deep = ["d/" * depth for depth in range(1, 257)]
    assert list(shown(builder.root)) == [
        *("b.txt", "a/", "a/c.txt", "absolute", "y", "C:/", "C:/d", "back\\slash", "n" * 255),
        *("lone\ufffd", *deep, f"{deep[-1]}d"),
    ]


def test_the_first_entry_of_a_path_wins(builder: TreeBuilder) -> None:
    add(builder, "a/b", b"first")
    add(builder, "a/b", b"second")
    add(builder, "a")
    add(builder, "a/b/c")
    builder.add_symlink("a/b", "elsewhere", 0, stays_inside=True)
    builder.add_directory("a/b", 5000)
    builder.add_directory("a", 5000)

    assert list(shown(builder.root)) == ["a/", "a/b"]
    directory = builder.root.children["a"]
    assert isinstance(directory, MemoryDirectory)
    file = directory.children["b"]
    assert isinstance(file, MemoryFile)
    assert (directory.modified_ms, file.read()) == (5000, b"first")


def test_links_stay_inside_where_they_have_to(builder: TreeBuilder) -> None:
    targets = [
        "x",
        "../x",
        "../../x",
        "/etc",
        "/repo",
        "/repo//x",
        "/repo/../x",
        "/repox",
        "",
        "n\0",
    ]
    for number, target in enumerate(targets):
        builder.add_symlink(f"d/{number}", target, 0, stays_inside=True)
        builder.add_symlink(f"e/{number}", target, 0, stays_inside=False)
    builder.add_symlink("e/long", "l" * 4095, 0, stays_inside=False)
    builder.add_symlink("e/longer", "l" * 4096, 0, stays_inside=False)

    assert list(shown(builder.root)) == [
        *("d/", "d/0 -> x", "d/1 -> ../x", "d/4 -> ../", "d/5 -> ../x"),
        *("e/", "e/0 -> x", "e/1 -> ../x", "e/2 -> ../../x", "e/3 -> /etc", "e/4 -> ../"),
        *("e/5 -> ../x", "e/6 -> ../../x", "e/7 -> /repox", f"e/long -> {'l' * 4095}"),
    ]


@pytest.mark.parametrize(
    ("given_ms", "kept_ms"),
    [(1500.9, 1500), (-1, -1000), (-1500, -2000), (1e300, 8_640_000_000_000_000)],
)
def test_times_are_whole_milliseconds_and_before_1970_whole_seconds(
    builder: TreeBuilder, given_ms: float, kept_ms: int
) -> None:
    builder.add_directory("d", given_ms)

    assert builder.root.children["d"].modified_ms == kept_ms


def test_a_tree_is_limited(builder: TreeBuilder, monkeypatch: pytest.MonkeyPatch) -> None:
    builder.add_file("too large.bin", 2 * 1024**3 + 1, 0, bytes)
    builder.add_file("large.bin", 2 * 1024**3, 0, bytes)
    builder.add_file("larger.bin", 2 * 1024**3, 0, bytes)
    with pytest.raises(DemoInvalid) as too_large:
        add(builder, "one more byte")
    monkeypatch.setattr(tree_in_memory, "MAX_ENTRIES", 6)
    with pytest.raises(DemoInvalid) as too_many:
        add(builder, "a/b/c/d/e/f")

    assert [str(error.value) for error in (too_large, too_many)] == [
        "the tree has more than 4,294,967,296 bytes; use a part of it",
        "the tree has more than 6 entries; use a part of it",
    ]


@pytest.fixture
def files(builder: TreeBuilder) -> MemoryFileSystem:
    def broken() -> bytes:
        message = "the disk is gone"
        raise DemoInvalid(message)

    builder.add_file("d/a.txt", 5, 1_600_000_000_123, lambda: b"hello")
    builder.add_file("d/broken", 1, 0, broken)
    builder.add_file("d/large", 256 * 1024**2 + 1, 0, bytes)
    builder.add_symlink("d/link", "a.txt", -1000, stays_inside=True)
    return MemoryFileSystem(builder.root)


def test_an_entry_is_listed_in_its_order_with_the_mode_size_and_time_of_a_mount(
    files: MemoryFileSystem,
) -> None:
    host = f"{TOP}{os.sep}d"
    listed = files.entries(host, 9)
    found = [files.lstat(f"{host}{os.sep}{name}") for name in ("a.txt", "link")]

    assert [(entry.name, entry.kind) for entry in listed] == [
        *(("a.txt", "file"), ("broken", "file"), ("large", "file"), ("link", "symlink"))
    ]
    assert [files.has_entry(host, name) for name in ("a.txt", "A.txt")] == [True, False]
    assert [(oct(one.st_mode), one.st_size, one.st_mtime_ns) for one in found] == [
        ("0o100644", 5, 1_600_000_000_123_000_000),
        ("0o120777", 5, -1_000_000_000),
    ]
    assert oct(files.lstat(host).st_mode) == "0o40555"
    assert files.readlink(f"{host}{os.sep}link") == "a.txt"
    assert files.open(f"{host}{os.sep}a.txt").read() == b"hello"


def test_what_cannot_be_is_an_error_of_the_host(files: MemoryFileSystem) -> None:
    met = []
    for ask, name in (
        (files.lstat, "nothing"),
        (files.lstat, "d/a.txt/below"),
        (files.lstat, "nothing/below"),
        (files.readlink, "d/a.txt"),
        (lambda path: files.entries(path, 9), "d/a.txt"),
        (files.open, "d/link"),
        (lambda path: files.open(path).read(), "d/broken"),
        (lambda path: files.open(path).read(), "d/large"),
    ):
        with pytest.raises(OSError) as error:  # noqa: PT011  # its number is asserted below
            ask(TOP + os.sep + name.replace("/", os.sep))
        met.append(errno.errorcode[error.value.errno or 0])

    assert met == ["ENOENT", "ENOTDIR", "ENOENT", "EINVAL", "ENOTDIR", "ELOOP", "EIO", "EIO"]
    assert files.faults == [
        "broken cannot be read: the disk is gone",
        "large cannot be read: it has more than 268,435,456 bytes",
    ]


def test_a_file_that_is_read_in_pieces_is_unpacked_once(builder: TreeBuilder) -> None:
    unpacked: list[str] = []

    def unpack() -> bytes:
        unpacked.append("a")
        return b"abc"

    builder.add_file("a", 3, 0, unpack)
    file = MemoryFileSystem(builder.root).open(f"{TOP}{os.sep}a")

    pieces = [file.read(1) for _ in range(3)]

    assert (pieces, unpacked) == ([b"a", b"b", b"c"], ["a"])
