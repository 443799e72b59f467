"""A hostile archive as data: its bytes, and the whole outcome of mounting them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.browser.hostile.archives import Entry, tar_of, zip_of

LEADS_OUT = "leads out of the tree with '..'"
DRIVE = "starts with a drive letter"
ABSOLUTE = "an absolute path, put below the mount point"
BACKSLASHES = "backslashes read as separators"
RESOLVED = "'..' resolved"
NO_NAME = "has no name"
UNREADABLE = "failed to read file: Input/output error (os error 5)"
MISSING = "failed to read file: No such file or directory (os error 2)"

BEFORE = Entry("before.txt", b"before\n")
AFTER = Entry("after.txt", b"after\n")
HONEST_BYTES = len(BEFORE.content + AFTER.content)


@dataclass(frozen=True)
class Look:
    """One tool call on what was mounted at `/repo`, and the whole answer."""

    tool: str
    path: str
    content: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class HostileCase:
    """An archive, and the outcome that mounting it must have."""

    name: str
    archive: bytes
    outcome: Mapping[str, Any]
    """The refusal, as name and message, or the report without the time that it took."""
    looks: Sequence[Look] = ()
    limits: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        assert "name" not in self.outcome or not self.looks, self.name


def reported(
    *,
    files: int = 2,
    directories: int = 0,
    symlinks: int = 0,
    byte_count: int = HONEST_BYTES,
    skipped: Sequence[tuple[str, str]] = (),
    renamed: Sequence[tuple[str, str, str]] = (),
    converted: Sequence[tuple[str, str]] = (),
) -> dict[str, Any]:
    """Return a whole report; by default that of the two honest files alone."""
    return {
        "path": "/repo",
        "origin": None,
        "files": files,
        "directories": directories,
        "symlinks": symlinks,
        "bytes": byte_count,
        "skipped": [{"path": path, "reason": reason} for path, reason in skipped],
        "renamed": [{"from": one, "to": to, "reason": reason} for one, to, reason in renamed],
        "converted": [{"path": path, "reason": reason} for path, reason in converted],
    }


def refused(name: str, message: str) -> dict[str, str]:
    """Return a refusal."""
    return {"name": name, "message": message}


def unreadable_zip(what: str) -> dict[str, str]:
    return refused("SourceUnreadable", f"The zip archive {what}; make it again and retry.")


def unreadable_tar(what: str) -> dict[str, str]:
    return refused("SourceUnreadable", f"The tar archive {what}; make it again and retry.")


def over_limit(name: str, limit: int, what: str) -> dict[str, str]:
    return refused(
        "LimitExceeded",
        f"The tree has more than {limit} {what} ({name}); mount a part of it, "
        f"leave out what is not needed with skip, or raise limits.{name}",
    )


def listing(*lines: str, warnings: tuple[str, ...] = ()) -> Look:
    """Return a listing of the whole tree, given line by line."""
    return Look("list_dir", "/repo", "\n".join(["Absolute path: /repo", *lines]), warnings)


def reading(path: str, content: str, *warnings: str) -> Look:
    return Look("read_file", f"/repo/{path}", content, warnings)


def cannot_read(path: str, reason: str) -> Look:
    """Return the answer to reading a file whose bytes contradict the archive."""
    return reading(path, UNREADABLE, f"'/repo/{path}' cannot be read: {reason}")


HONEST_LOOKS = (
    listing("after.txt", "before.txt"),
    reading("before.txt", "L1: before"),
    reading("after.txt", "L1: after"),
)


def of_both_kinds(
    name: str, entries: Sequence[Entry], outcome: Mapping[str, Any], looks: Sequence[Look]
) -> Iterator[HostileCase]:
    """Yield the case of a zip and of a tar that hold the same entries between two honest ones."""
    everything = [BEFORE, *entries, AFTER]
    yield HostileCase(f"zip: {name}", zip_of(everything), outcome, looks)
    yield HostileCase(f"tar: {name}", tar_of(everything), outcome, looks)


NO_ARCHIVE = refused(
    "SourceUnreadable",
    "The file is not an archive that can be read; choose a zip archive or a tar archive, plain or "
    "compressed by gzip, bzip2 or xz, or mount the file itself with files.",
)
