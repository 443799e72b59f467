"""A directory as one archive or manifest, for a page that mounts it.

The same tree gives the same bytes: the host's order, times, owners, permissions
and locale do not matter. The output goes to a stream that the caller opened.
"""

from __future__ import annotations

import hashlib
import json
import stat
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from treeglass.pack.tree import LeftOut, OpenedFile, PackedTree

if TYPE_CHECKING:
    from treeglass.workspace import Workspace

MANIFEST_VERSION = 1

_DEFLATE_LEVEL = 9
_FIRST_ZIP_TIME_S, _LAST_ZIP_TIME_S = 315_532_800, 4_354_819_198
"""1980-01-01 00:00:00 and 2107-12-31 23:59:58, the times that a zip can hold."""
_MODES = {
    "file": stat.S_IFREG | 0o644,
    "directory": stat.S_IFDIR | 0o755,
    "symlink": stat.S_IFLNK | 0o777,
}
_MADE_ON_UNIX = 3
_DOS_DIRECTORY = 0x10


@dataclass(frozen=True, slots=True, kw_only=True)
class PackReport:
    """Counts of the packed entries, and the entries left out."""

    file_count: int
    directory_count: int
    """Empty directories; the paths of their entries imply the others."""
    symlink_count: int
    content_bytes: int
    """Bytes of all files as they are on the host."""
    left_out: tuple[LeftOut, ...]
    """Sorted by path."""


def pack_zip(
    workspace: Workspace,
    directory: str,
    output: BinaryIO,
    *,
    store: bool = False,
    modified_s: int | None = None,
    gitignore: bool = False,
    exclude: Callable[[str], bool] = lambda _path: False,
) -> PackReport:
    """Write a directory as a zip, the same bytes for the same tree.

    Files have the mode 0644, and symbolic links stay links. Links that lead out
    of the directory are left out and reported, and so are pipes, devices, entries
    that cannot be read, and names that are not UTF-8. Memory holds the paths and
    one piece of one file.

    Args:
        workspace: The workspace that mounts the tree.
        directory: Its virtual path.
        output: Written from its position on; seekable if possible.
        store: True if files are stored. Deflated files (level 9) are the same
            bytes only if the same build of zlib packs them.
        modified_s: The time of every entry, in seconds since 1970, clamped to
            the times that a zip can hold; 1980-01-01 by default.
        gitignore: True to leave out `.git`, and the entries that the
            `.gitignore` files in the directory ignore.
        exclude: Tells whether to leave out a path below the directory without a
            report; by default none is.

    Raises:
        PackFailed: A file changed or failed while it was packed or a limit was
            reached.
        WorkspaceError: The directory does not exist or cannot be read.

    Example:
        >>> import io, pathlib, tempfile
        >>> from treeglass import Workspace
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "a.txt").write_text("hello")
        >>> output = io.BytesIO()
        >>> report = pack_zip(Workspace({"/docs": folder}), "/docs", output, store=True)
        >>> report.file_count, report.content_bytes, len(output.getvalue())
        (1, 5, 113)
    """
    tree = PackedTree(workspace, directory, exclude, gitignore=gitignore)
    seconds = min(max(modified_s or 0, _FIRST_ZIP_TIME_S), _LAST_ZIP_TIME_S)
    with zipfile.ZipFile(output, "w") as archive:
        for found in tree.entries:
            name = f"{found.path}/" if found.kind == "directory" else found.path
            header = zipfile.ZipInfo(name, time.gmtime(seconds)[:6])
            header.create_system = _MADE_ON_UNIX
            header.external_attr = _MODES[found.kind] << 16
            if found.kind == "file":
                with tree.open(found) as opened:
                    if opened is not None:
                        _write_file(archive, header, opened, store=store)
            else:
                header.external_attr |= _DOS_DIRECTORY if found.kind == "directory" else 0
                archive.writestr(header, found.target)
    return _report(tree)


def _write_file(
    archive: zipfile.ZipFile, header: zipfile.ZipInfo, opened: OpenedFile, *, store: bool
) -> None:
    if not store and opened.size_bytes:
        header.compress_type = zipfile.ZIP_DEFLATED
        # Since Python 3.13 also public, as compress_level.
        header._compresslevel = _DEFLATE_LEVEL  # type: ignore[attr-defined]  # noqa: SLF001
    header.file_size = opened.size_bytes  # decides about zip64
    with archive.open(header, "w") as entry:
        for chunk in opened.chunks:
            entry.write(chunk)


def pack_manifest(
    workspace: Workspace,
    directory: str,
    output: BinaryIO,
    *,
    base_url: str = "./",
    gitignore: bool = False,
    exclude: Callable[[str], bool] = lambda _path: False,
) -> PackReport:
    """Write the list of a directory's entries as JSON, one entry a line.

    A page that mounts it fetches the files themselves from `base_url`, and
    checks them by their SHA-256. Lists and leaves out the same entries as
    `pack_zip`.

    Args:
        workspace: The workspace that mounts the tree.
        directory: Its virtual path.
        output: Written from its position on.
        base_url: The URL of the directory, absolute or relative to the manifest's,
            with a slash at its end.
        gitignore: As in `pack_zip`, whose errors are raised here, too.
        exclude: As in `pack_zip`.

    Example:
        >>> import io, pathlib, tempfile
        >>> from treeglass import Workspace
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> (folder / "empty").mkdir()
        >>> output = io.BytesIO()
        >>> report = pack_manifest(Workspace({"/docs": folder}), "/docs", output)
        >>> print(output.getvalue().decode(), end="")
        {"manifest_version": 1, "base_url": "./", "entries": [
        {"path": "empty", "kind": "directory"}
        ]}
    """
    tree = PackedTree(workspace, directory, exclude, gitignore=gitignore)
    head = json.dumps({"manifest_version": MANIFEST_VERSION, "base_url": base_url, "entries": []})
    output.write(head.removesuffix("]}").encode())
    separator = "\n"
    for found in tree.entries:
        entry: dict[str, str | int] = {"path": found.path, "kind": found.kind}
        if found.kind == "symlink":
            entry["target"] = found.target
        elif found.kind == "file":
            with tree.open(found) as opened:
                if opened is None:
                    continue
                digest = hashlib.sha256()
                for chunk in opened.chunks:
                    digest.update(chunk)
            entry |= {"size_bytes": opened.size_bytes, "sha256": digest.hexdigest()}
        output.write((separator + json.dumps(entry, ensure_ascii=False)).encode())
        separator = ",\n"
    output.write(b"]}\n" if separator == "\n" else b"\n]}\n")
    return _report(tree)


def _report(tree: PackedTree) -> PackReport:
    kinds = Counter(entry.kind for entry in tree.entries)
    return PackReport(
        file_count=tree.opened_files,
        directory_count=kinds["directory"],
        symlink_count=kinds["symlink"],
        content_bytes=tree.opened_bytes,
        left_out=tuple(sorted(tree.left_out)),
    )
