"""The entries of a manifest, as `treeglass pack` writes it, whose files lie on this disk."""

from __future__ import annotations

import hashlib
import re
import stat
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, Literal
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, TypeAdapter, ValidationError

from treeglass.authoring.addresses import file_at
from treeglass.authoring.demo import DemoInvalid
from treeglass.authoring.javascript_json import parse_object
from treeglass.pack import MANIFEST_VERSION

if TYPE_CHECKING:
    from pathlib import Path

    from treeglass.authoring.trees.tree_in_memory import TreeBuilder

_MAX_MANIFEST_BYTES = 64 * 1024**2
_UNQUOTED = "!'()*-._~/"
"""The characters that `encodeURIComponent` keeps, and the slash between names."""


class _Listed(BaseModel):
    # Other keys are allowed, as in a page.
    model_config = ConfigDict(strict=True)

    path: str
    modified_ms: float = 0


class ListedFile(_Listed):
    """A file as a manifest lists it."""

    kind: Literal["file"]
    size_bytes: NonNegativeInt
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")] | None = None
    url: str | None = None
    """Relative to the manifest, or absolute; None for its path below `base_url`."""


class _ListedDirectory(_Listed):
    kind: Literal["directory"]


class _ListedLink(_Listed):
    kind: Literal["symlink"]
    target: str


_ENTRIES = TypeAdapter[list[ListedFile | _ListedDirectory | _ListedLink]](
    list[Annotated[ListedFile | _ListedDirectory | _ListedLink, Field(discriminator="kind")]]
)


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest, checked."""

    written: dict[str, Any]
    """As it is written, except that `base_url` has a slash at its end."""
    entries: list[ListedFile | _ListedDirectory | _ListedLink]
    """The same entries in the same order."""

    def address(self, file: ListedFile) -> str:
        """Return the address of a file, relative to the manifest or absolute."""
        if file.url is not None:
            return file.url
        base: str = self.written["base_url"]
        return base + quote(file.path, safe=_UNQUOTED).lstrip("/")


@dataclass(frozen=True, slots=True)
class ManifestFiles:
    """The place of a manifest's files."""

    folder: Path
    """The folder of the manifest."""
    root: Path
    """The folder that the site serves as `/`; no file is read outside of it."""

    def read(self, manifest: Manifest, file: ListedFile) -> bytes:
        """Return a file's bytes, which match the manifest; `NotRecordable` on another host."""
        address = manifest.address(file)
        place = file_at(address, self.folder, self.root)
        try:
            status = place.stat()
            if not stat.S_ISREG(status.st_mode):
                raise DemoInvalid(f"{address!r} is not a file; pack the tree again")
            _require_size(status.st_size, file)
            content = place.read_bytes()
        except OSError as error:
            raise DemoInvalid(f"{address!r}: {error.strerror}") from None
        _require_size(len(content), file)
        if file.sha256 is not None and hashlib.sha256(content).hexdigest() != file.sha256:
            raise DemoInvalid("its content is not what the manifest says; pack the tree again")
        return content


def _require_size(size_bytes: int, file: ListedFile) -> None:
    if size_bytes != file.size_bytes:
        raise DemoInvalid(
            f"it has {size_bytes} bytes, and the manifest says {file.size_bytes}; "
            "pack the tree again"
        )


def is_manifest(start: bytes) -> bool:
    """Tell whether a file is a manifest and not an archive, by its first 512 bytes."""
    # A tar archive starts with a file's name, which may start with a brace, and has NULs after it.
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    return text.startswith(b"{") and b"\0" not in start


def read_manifest(stream: BinaryIO) -> Manifest:
    """Read and check a manifest; `DemoInvalid` names the place that is malformed."""
    content = stream.read(_MAX_MANIFEST_BYTES + 1)
    if len(content) > _MAX_MANIFEST_BYTES:
        raise DemoInvalid(f"a manifest has at most {_MAX_MANIFEST_BYTES:,} bytes; pack an archive")
    try:
        written = parse_object(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise DemoInvalid("the manifest is not UTF-8; pack the tree again") from None
    except ValueError as error:
        raise DemoInvalid(
            f"the manifest is not one JSON object: {error}; pack the tree again"
        ) from None
    if written.get("manifest_version") != MANIFEST_VERSION:
        raise DemoInvalid(
            f"the manifest is not of version {MANIFEST_VERSION}; pack the tree with this treeglass"
        )
    base = written.get("base_url", "./")
    if not isinstance(base, str) or not isinstance(written.get("entries"), list):
        raise DemoInvalid("the manifest has no list of entries; pack the tree again")
    base = re.split(r"[?#]", base, maxsplit=1)[0]
    written["base_url"] = base if base.endswith("/") else f"{base}/"
    try:
        return Manifest(written, _ENTRIES.validate_python(written["entries"]))
    except ValidationError as error:
        index = error.errors(include_url=False, include_input=False)[0]["loc"][0]
        raise DemoInvalid(
            f"entries[{index}] of the manifest is malformed; pack the tree again"
        ) from None


def add_manifest(manifest: Manifest, files: ManifestFiles, builder: TreeBuilder) -> None:
    """Add a manifest's entries; its files are read when a tool asks for them."""
    for entry in manifest.entries:
        if isinstance(entry, ListedFile):
            read = partial(files.read, manifest, entry)
            builder.add_file(entry.path, entry.size_bytes, entry.modified_ms, read)
        elif isinstance(entry, _ListedLink):
            builder.add_symlink(entry.path, entry.target, entry.modified_ms, stays_inside=True)
        else:
            builder.add_directory(entry.path, entry.modified_ms)
