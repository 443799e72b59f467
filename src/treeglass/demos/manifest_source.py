"""The entries of a manifest, as `treeglass pack` writes it, whose files lie on this disk."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from treeglass.demos.addresses import NotRecordable, file_at
from treeglass.demos.demo import DemoInvalid
from treeglass.demos.javascript_json import parse_object
from treeglass.demos.tree_in_memory import ContentUnreadable
from treeglass.pack import MANIFEST_VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from treeglass.demos.tree_in_memory import TreeBuilder

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


def add_manifest(text: str, files: ManifestFiles, builder: TreeBuilder) -> None:
    """Add a manifest's entries; its files are read when a tool asks for them.

    Raises:
        DemoInvalid: The manifest is malformed; the text names the place.
    """
    manifest = _parsed(text)
    if manifest.get("manifest_version") != MANIFEST_VERSION:
        raise DemoInvalid(
            f"the manifest is not of version {MANIFEST_VERSION}; pack the tree with this treeglass"
        )
    base = manifest.get("base_url", "./")
    entries = manifest.get("entries")
    if not isinstance(base, str) or not isinstance(entries, list):
        raise DemoInvalid("the manifest has no list of entries; pack the tree again")
    base = re.split(r"[?#]", base, maxsplit=1)[0]
    base = base if base.endswith("/") else f"{base}/"
    for index, entry in enumerate(entries):
        try:
            _add(entry, base, files, builder)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            if isinstance(error, DemoInvalid):
                raise
            raise DemoInvalid(
                f"entries[{index}] of the manifest is malformed; pack the tree again"
            ) from None


def _parsed(text: str) -> dict[str, Any]:
    try:
        return parse_object(text)
    except ValueError as error:
        raise DemoInvalid(f"the manifest is no JSON object: {error}; pack the tree again") from None


def _add(entry: Mapping[str, Any], base: str, files: ManifestFiles, builder: TreeBuilder) -> None:
    path, modified_ms = _text(entry["path"]), float(entry.get("modified_ms", 0))
    match entry["kind"]:
        case "file":
            address = entry.get("url")
            if address is None:
                address = base + quote(path, safe=_UNQUOTED).lstrip("/")
            sha256 = entry.get("sha256")
            if sha256 is not None and not _SHA256.fullmatch(sha256):
                raise ValueError
            size_bytes = entry["size_bytes"]
            if not isinstance(size_bytes, int) or size_bytes < 0:
                raise ValueError
            read = partial(_read, _text(address), size_bytes, sha256, files)
            builder.add_file(path, size_bytes, modified_ms, read)
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


def _read(address: str, size_bytes: int, sha256: str | None, files: ManifestFiles) -> bytes:
    try:
        content = file_at(address, files.folder, files.root).read_bytes()
    except (NotRecordable, DemoInvalid) as error:
        raise ContentUnreadable(str(error)) from None
    except OSError as error:
        raise ContentUnreadable(f"{address!r}: {error.strerror}") from None
    if len(content) != size_bytes:
        raise ContentUnreadable(
            f"it has {len(content)} bytes, and the manifest says {size_bytes}; pack the tree again"
        )
    if sha256 is not None and hashlib.sha256(content).hexdigest() != sha256:
        raise ContentUnreadable("it is not what the manifest says; pack the tree again")
    return content
