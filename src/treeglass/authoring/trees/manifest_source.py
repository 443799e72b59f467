"""The entries of a manifest, as `treeglass pack` writes it, whose files lie on this disk."""

from __future__ import annotations

import hashlib
import re
import stat
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import quote

from treeglass.authoring.addresses import NotRecordable, file_at
from treeglass.authoring.demo import DemoInvalid
from treeglass.authoring.javascript_json import parse_object
from treeglass.authoring.trees.tree_in_memory import ContentElsewhere, ContentUnreadable
from treeglass.escaping import escape_path
from treeglass.pack import MANIFEST_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from treeglass.authoring.trees.tree_in_memory import TreeBuilder

LOOK_BYTES = 512
"""What `is_manifest` looks at."""
_MAX_MANIFEST_BYTES = 64 * 1024**2
_SHA256 = re.compile("[0-9a-f]{64}")
_UNQUOTED = "!'()*-._~/"
"""What `encodeURIComponent` leaves as it is, and what separates names."""


@dataclass(frozen=True, slots=True)
class ManifestFiles:
    """Where the files of a manifest lie."""

    folder: Path
    """The folder of the manifest."""
    root: Path
    """What the site serves as `/`; no file is read outside of it."""


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file as a manifest lists it."""

    path: str
    address: str
    """Relative to the manifest, or absolute."""
    size_bytes: int
    sha256: str | None
    entry: dict[str, Any]
    """What the manifest says of it."""

    def read(self, files: ManifestFiles) -> bytes:
        """Return the file's bytes, which are what the manifest says.

        Raises:
            NotRecordable: They lie on another host.
            DemoInvalid: They are not there, lie out of the root, or are others.
        """
        file = file_at(self.address, files.folder, files.root)
        try:
            status = file.stat()
            if not stat.S_ISREG(status.st_mode):
                raise DemoInvalid(f"{self.address!r} is no file; pack the tree again")
            self._require(status.st_size)
            content = file.read_bytes()
        except OSError as error:
            raise DemoInvalid(f"{self.address!r}: {error.strerror}") from None
        self._require(len(content))
        if self.sha256 is not None and hashlib.sha256(content).hexdigest() != self.sha256:
            raise DemoInvalid("it is not what the manifest says; pack the tree again")
        return content

    def _require(self, size_bytes: int) -> None:
        if size_bytes != self.size_bytes:
            raise DemoInvalid(
                f"it has {size_bytes} bytes, and the manifest says {self.size_bytes}; "
                "pack the tree again"
            )


def is_manifest(start: bytes) -> bool:
    """Tell whether a file that starts so is a manifest, and no archive."""
    # A tar archive starts with a file's name, which may start with a brace, and has NULs after it.
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    return text.startswith(b"{") and b"\0" not in start


def manifest_text(file: BinaryIO) -> str:
    """Return the text of a manifest.

    Raises:
        DemoInvalid: It is too large, or not UTF-8.
    """
    content = file.read(_MAX_MANIFEST_BYTES + 1)
    if len(content) > _MAX_MANIFEST_BYTES:
        raise DemoInvalid(f"a manifest has at most {_MAX_MANIFEST_BYTES:,} bytes; pack an archive")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DemoInvalid("the manifest is not UTF-8; pack the tree again") from None


def add_manifest(text: str, files: ManifestFiles, builder: TreeBuilder) -> None:
    """Add a manifest's entries; its files are read when a tool asks for them.

    Raises:
        DemoInvalid: The manifest is malformed; the text names the place.
    """
    manifest = parse_manifest(text)
    for index, entry in enumerate(manifest["entries"]):
        try:
            _add(entry, manifest["base_url"], files, builder)
        except _MALFORMED as error:
            raise _malformed(index, error) from None


def parse_manifest(text: str) -> dict[str, Any]:
    """Return a manifest whose `base_url` is an address with a slash at its end, and its entries.

    Raises:
        DemoInvalid: It is no manifest of this version.
    """
    try:
        manifest = parse_object(text)
    except ValueError as error:
        raise DemoInvalid(f"the manifest is no JSON object: {error}; pack the tree again") from None
    if manifest.get("manifest_version") != MANIFEST_VERSION:
        raise DemoInvalid(
            f"the manifest is not of version {MANIFEST_VERSION}; pack the tree with this treeglass"
        )
    base = manifest.get("base_url", "./")
    if not isinstance(base, str) or not isinstance(manifest.get("entries"), list):
        raise DemoInvalid("the manifest has no list of entries; pack the tree again")
    base = re.split(r"[?#]", base, maxsplit=1)[0]
    manifest["base_url"] = base if base.endswith("/") else f"{base}/"
    return manifest


def listed_files(manifest: dict[str, Any]) -> Iterator[ListedFile]:
    """Yield the files that a parsed manifest lists, in its order.

    Raises:
        DemoInvalid: An entry is malformed; the text names its place.
    """
    for index, entry in enumerate(manifest["entries"]):
        try:
            listed = _listed(entry, manifest["base_url"]) if entry["kind"] == "file" else None
        except _MALFORMED as error:
            raise _malformed(index, error) from None
        if listed is not None:
            yield listed


def copy_listed(stream: BinaryIO, files: ManifestFiles, target: Path) -> dict[str, Any]:
    """Copy what a manifest lists, and return the manifest with the new addresses.

    Args:
        stream: The manifest.
        files: Where its files lie.
        target: A folder with a folder `files`, which gets each file under the
            SHA-256 of its content.

    Raises:
        DemoInvalid: The manifest is malformed, or a file is not what it says.
        OSError: A file cannot be written.
    """
    manifest = parse_manifest(manifest_text(stream))
    for listed in listed_files(manifest):
        try:
            content = listed.read(files)
        except NotRecordable:
            continue
        except DemoInvalid as error:
            raise DemoInvalid(f"{escape_path(listed.path)}: {error}") from None
        name = f"files/{hashlib.sha256(content).hexdigest()}"
        (target / name).write_bytes(content)
        listed.entry["url"] = name
    return manifest


def find_listed(stream: BinaryIO, files: ManifestFiles) -> list[Path]:
    """Return where the files that a manifest lists lie on this disk.

    Raises:
        DemoInvalid: The manifest is malformed, or names a place out of the root.
    """
    found: list[Path] = []
    for listed in listed_files(parse_manifest(manifest_text(stream))):
        with suppress(NotRecordable):
            found.append(file_at(listed.address, files.folder, files.root))
    return found


_MALFORMED = (KeyError, TypeError, AttributeError, ValueError)


def _malformed(index: int, error: Exception) -> DemoInvalid:
    if isinstance(error, DemoInvalid):
        return error
    return DemoInvalid(f"entries[{index}] of the manifest is malformed; pack the tree again")


def _listed(entry: dict[str, Any], base: str) -> ListedFile:
    path, address = _text(entry["path"]), entry.get("url")
    if address is None:
        address = base + quote(path, safe=_UNQUOTED).lstrip("/")
    sha256 = entry.get("sha256")
    if sha256 is not None and not _SHA256.fullmatch(sha256):
        raise ValueError
    size_bytes = entry["size_bytes"]
    if not isinstance(size_bytes, int) or size_bytes < 0:
        raise ValueError
    return ListedFile(path, _text(address), size_bytes, sha256, entry)


def _add(entry: dict[str, Any], base: str, files: ManifestFiles, builder: TreeBuilder) -> None:
    path, modified_ms = _text(entry["path"]), float(entry.get("modified_ms", 0))
    match entry["kind"]:
        case "file":
            listed = _listed(entry, base)
            read = partial(_read, listed, files)
            builder.add_file(path, listed.size_bytes, modified_ms, read)
        case "directory":
            builder.add_directory(path, modified_ms)
        case "symlink":
            builder.add_symlink(path, _text(entry["target"]), modified_ms, stays_inside=True)
        case _:
            raise ValueError


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _read(listed: ListedFile, files: ManifestFiles) -> bytes:
    try:
        return listed.read(files)
    except NotRecordable as error:
        raise ContentElsewhere(str(error)) from None
    except DemoInvalid as error:
        raise ContentUnreadable(str(error)) from None
