"""The walk ends in time, and lists odd entries: faulty, denied, hostile in name or time."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from treeglass import Limits, ToolRegistry
from treeglass.workspace.host import HostFileSystem

RECURSIVE = {"path": ".", "recursive": True}


def os_error(name: str) -> OSError:
    return OSError(getattr(errno, name), f"{name} at a path of the host")


def content_of(registry: ToolRegistry, **arguments: Any) -> str:
    result = registry.call_tool("list_directory", {"path": ".", **arguments})
    assert result.error is None, result.content
    return result.content


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (os_error("EACCES"), "permission_denied"),
        (os_error("EPERM"), "permission_denied"),
        (os_error("ENOENT"), "metadata_unavailable"),
        (os_error("ENOTDIR"), "metadata_unavailable"),
        (os_error("ESTALE"), "metadata_unavailable"),
        (os_error("EIO"), "io_error"),
        (os_error("ELOOP"), "io_error"),
        (RuntimeError("an exception of the page"), "unknown"),
    ],
    ids=str,
)
def test_entry_that_cannot_be_inspected_becomes_unknown(
    make_project: Any,
    registry_of: Any,
    faulty_file_system: Any,
    listing_text: Any,
    *,
    error: Exception,
    code: str,
) -> None:
    root = make_project({"a": "a", "m": "m", "z": "z"})
    registry = registry_of(root, file_system=faulty_file_system(root, lstat={"m": error}))

    result = registry.call_tool("list_directory", {"path": "."})

    entries = [("a", "file", 1), ("m", "unknown", code), ("z", "file", 1)]
    assert result.content == listing_text(".", entries)
    assert result.warnings == ("Entries that cannot be inspected or read, see error_code: 1.",)


@pytest.mark.parametrize("error", [os_error("EACCES"), os_error("EIO"), RuntimeError("page")])
@pytest.mark.parametrize("include_dirs", [True, False])
def test_unreadable_directory_is_one_unknown_entry_and_the_walk_goes_on(
    make_project: Any,
    registry_of: Any,
    faulty_file_system: Any,
    listing_text: Any,
    *,
    error: Exception,
    include_dirs: bool,
) -> None:
    root = make_project({"a/f": "f", "b/y": "y", "z": "z"})
    registry = registry_of(root, file_system=faulty_file_system(root, scandir={"a": error}))

    content = content_of(registry, recursive=True, include_dirs=include_dirs)

    b = [("b", "dir")] if include_dirs else []
    assert content == listing_text(
        ".", [("a", "unknown", "read_dir_failed"), *b, ("b/y", "file", 1), ("z", "file", 1)]
    )


def test_denied_directory_is_listed_and_not_entered(
    make_project: Any, registry_of: Any, listing_text: Any
) -> None:
    tree = {".ssh/keys/k": "k", "id_rsa_dir/x": "x", "pub/y": "y", "private/z": "z"}
    registry = registry_of(
        make_project(tree), {"sandbox": {"denied_patterns": ["/project/private"]}}
    )

    result = registry.call_tool("list_directory", {**RECURSIVE, "include_hidden": True})

    assert result.content == listing_text(
        ".",
        [
            *((".ssh", "dir"), ("id_rsa_dir", "dir"), ("private", "dir")),
            *(("pub", "dir"), ("pub/y", "file", 1)),
        ],
    )
    assert result.warnings == ("Directories not entered because the sandbox denies them: 3.",)


def test_walk_goes_by_lossy_name_and_twins_by_their_bytes(
    make_project: Any, registry_of: Any
) -> None:
    root = make_project({})
    for raw, size in ((b"x\xff", 1), (b"x\xfe", 2), ("x\ufffd".encode(), 3), (b"w", 4)):
        Path(os.fsdecode(bytes(root) + b"/" + raw)).write_bytes(b"." * size)
    registry = registry_of(root)

    result = registry.call_tool("list_directory", {"path": "."})

    assert result.structured_content is not None
    entries = result.structured_content["entries"]
    assert [(entry["name"], entry["size_bytes"]) for entry in entries] == [
        *(("w", 4), ("x\ufffd", 3), ("x\ufffd", 2), ("x\ufffd", 1))
    ]
    assert result.warnings == ("Names that are not valid UTF-8, shown with U+FFFD: 2.",)


def test_time_that_no_reader_of_json_can_hold_is_null(make_project: Any, registry_of: Any) -> None:
    root = make_project({"f": ""})

    class FarFuture(HostFileSystem):
        def lstat(self, path: str, held: int | None = None) -> Any:
            found = super().lstat(path, held)
            return _At(found, 2**53 * 1_000_000) if path.endswith("/f") else found

    result = registry_of(root, file_system=FarFuture()).call_tool("list_directory", {"path": "."})

    assert result.structured_content is not None
    assert [entry["modified_epoch_ms"] for entry in result.structured_content["entries"]] == [None]


class _At:
    """A status with another time; `os.stat_result` cannot be told its nanoseconds."""

    def __init__(self, found: os.stat_result, modified_ns: int) -> None:
        self.st_mode, self.st_size, self.st_mtime_ns = found.st_mode, found.st_size, modified_ns


def test_hidden_directories_are_neither_shown_nor_entered(
    make_project: Any, registry_of: Any, faulty_file_system: Any, listing_text: Any
) -> None:
    root = make_project({".h/i": "i", "vis/.dot": "d", "vis/..x": "x", "...": "z"})
    file_system = faulty_file_system(root)

    content = content_of(registry_of(root, file_system=file_system), recursive=True)

    assert content == listing_text(".", [("vis", "dir")])
    assert file_system.scanned == [".", "vis"]


def test_walk_that_collects_too_much_fails_and_says_what_to_do(
    make_project: Any, registry_of: Any
) -> None:
    root = make_project({"a/1": "", "a/2": "", "b": ""})
    registry = registry_of(root, limits=Limits(max_walk_entries=3))

    result = registry.call_tool("list_directory", RECURSIVE)

    assert result.content == (
        "list_directory failed: cannot list directory: . "
        "(max_walk_entries is 3; ask for less, for example one subdirectory)"
    )


def test_walk_stops_when_the_host_gives_the_call_up(
    make_project: Any, registry_of: Any, faulty_file_system: Any
) -> None:
    root = make_project({"a/1": "", "b/2": ""})
    file_system = faulty_file_system(root)
    registry = registry_of(root, file_system=file_system)

    result = registry.call_tool(
        "list_directory", RECURSIVE, is_cancelled=lambda: len(file_system.scanned) == 2
    )

    assert result.content == "Cancelled by user"
    assert file_system.scanned == [".", "a"]


def test_walk_stops_when_the_time_is_up_within_one_directory(
    make_project: Any, registry_of: Any, faulty_file_system: Any
) -> None:
    root = make_project({f"f{number:03}": "" for number in range(400)})
    file_system = faulty_file_system(root)
    registry = registry_of(
        root, file_system=file_system, clock=lambda: float(len(file_system.inspected))
    )
    file_system.inspected.clear()

    result = registry.call_tool("list_directory", {"path": ".", "include_files": False})

    assert result.content == "Tool 'list_directory' timed out after 256s"
    assert len(file_system.inspected) == 256
