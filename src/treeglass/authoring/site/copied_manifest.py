"""A manifest whose files a site gets copies of."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO

from treeglass.authoring.addresses import file_at
from treeglass.authoring.demo import DemoInvalid, NotRecordable
from treeglass.authoring.trees.manifest_source import ListedFile, read_manifest
from treeglass.escaping import escape_path

if TYPE_CHECKING:
    from pathlib import Path

    from treeglass.authoring.trees.manifest_source import ManifestFiles


def copy_listed(stream: BinaryIO, files: ManifestFiles, target: Path) -> dict[str, Any]:
    """Copy the files that a manifest lists, and return the manifest with the new addresses.

    Files on other hosts are not copied, and keep their addresses.

    Args:
        stream: The manifest.
        files: Where its files lie.
        target: A folder with a folder `files`, which gets each file under the
            SHA-256 of its content.

    Raises:
        DemoInvalid: The manifest is malformed, or a file does not match it.
        OSError: A file cannot be written.
    """
    manifest = read_manifest(stream)
    for written, entry in zip(manifest.written["entries"], manifest.entries, strict=True):
        if not isinstance(entry, ListedFile):
            continue
        try:
            content = files.read(manifest, entry)
        except NotRecordable:
            continue
        except DemoInvalid as error:
            raise DemoInvalid(f"{escape_path(entry.path)}: {error}") from None
        name = f"files/{hashlib.sha256(content).hexdigest()}"
        (target / name).write_bytes(content)
        written["url"] = name
    return manifest.written


def find_listed(stream: BinaryIO, files: ManifestFiles) -> list[Path]:
    """Return the places of a manifest's files on this disk.

    Raises:
        DemoInvalid: The manifest is malformed, or names a place outside of the root.
    """
    manifest = read_manifest(stream)
    found: list[Path] = []
    for entry in manifest.entries:
        if isinstance(entry, ListedFile):
            with suppress(NotRecordable):
                found.append(file_at(manifest.address(entry), files.folder, files.root))
    return found
