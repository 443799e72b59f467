"""The folder of a site that holds the trees of its demos."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from treeglass import __version__
from treeglass.authoring.addresses import is_directory, is_file
from treeglass.authoring.demo import DemoInvalid
from treeglass.authoring.recording import START_BYTES
from treeglass.authoring.site.site_settings import copy_file, copy_listed, files_of, find_listed
from treeglass.authoring.trees.manifest_source import ManifestFiles, is_manifest
from treeglass.errors import PackFailed, WorkspaceError
from treeglass.escaping import escape_path
from treeglass.pack import pack_zip
from treeglass.workspace import Workspace

TREES = "_treeglass/trees"
"""The place of the trees in a built site."""

_PACKED = "/packed"
_HASH_LENGTH = 12
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class PlacedTree:
    """A tree as it lies in the folder of trees."""

    name: str
    """Of the archive or the manifest, with slashes; below the folder."""
    left_out: tuple[str, ...]
    """The faults of a packed directory, one sentence each."""

    @property
    def top(self) -> str:
        """The file or the folder to keep for this tree."""
        return self.name.partition("/")[0]

    @property
    def address(self) -> str:
        """Its address, relative to the root of the site."""
        return f"{TREES}/{quote(self.name)}"


class TreeFolder:
    """A folder that holds each tree once, under a name with a hash of its content.

    A manifest inside the source root may list files of the whole root, any other manifest files of
    its own folder. No tree may hold one of the outputs, which the build writes.
    """

    def __init__(self, folder: Path, sources: Path, outputs: Collection[Path] = ()) -> None:
        self._folder = folder
        self._sources = sources
        self._outputs = (folder, *outputs)
        self._placed: dict[tuple[Path, str], PlacedTree] = {}

    def path(self, tree: PlacedTree) -> Path:
        """Return the archive or the manifest of a tree."""
        return self._folder / tree.name

    def holds(self, top: str) -> bool:
        """Tell whether a tree's file or folder is there."""
        return (self._folder / top).exists()

    def keep(self, tops: Collection[str]) -> None:
        """Remove all trees but these."""
        _keep(self._folder, tops)

    def copy_into(self, target: Path, tops: Collection[str]) -> None:
        """Make another folder hold these trees and no others."""
        target.mkdir(parents=True, exist_ok=True)
        _keep(target, tops)
        for top in tops:
            for file in files_of(self._folder / top):
                copy_file(file, target / file.relative_to(self._folder))

    def place(self, source: Path, named: str) -> PlacedTree:
        """Pack a directory, or copy an archive or a manifest with its files; or `DemoInvalid`."""
        self.require_apart(source, named)
        key = (source, self.fingerprint(source))
        placed = self._placed.get(key)
        if placed is None or not self.holds(placed.top):
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
                placed = self._placed[key] = self._place(source, named)
            except OSError as error:
                reason = error.strerror or type(error).__name__
                raise DemoInvalid(f"tree {named!r} cannot be copied: {reason}") from None
        return placed

    def require_apart(self, source: Path, named: str) -> None:
        """Raise `DemoInvalid` if a tree would grow by what the build itself writes."""
        top = Path(os.path.realpath(source))
        for output in self._outputs:
            written = Path(os.path.realpath(output))
            if written.is_relative_to(top):
                inside = written.relative_to(top).as_posix()
                raise DemoInvalid(
                    f"tree {named!r} holds what the build writes, {inside!r}; name a directory "
                    "beside that, or build elsewhere"
                )

    def source_files(self, source: Path) -> list[Path]:
        """Return the files of this disk that a tree is made of."""
        if is_directory(source):
            return files_of(source)
        return [file for file in (source, *self._listed(source)) if is_file(file)]

    def fingerprint(self, source: Path) -> str:
        """Return a hash that changes when a file of a tree is added, written or removed."""
        is_tree = is_directory(source)
        below = sorted(source.rglob("*")) if is_tree else self._listed(source)
        digest = hashlib.sha256(__version__.encode())
        for path in [source, *below]:
            try:
                status = path.lstat() if is_tree else path.stat()
            except (OSError, ValueError):
                digest.update(b"\0gone")
                continue
            # The time of a directory also changes for files that are not packed; its names
            # are all here.
            is_folder = path.is_dir()
            seen = (status.st_mode,) if is_folder else (status.st_size, status.st_mtime_ns)
            digest.update(f"\0{path}\0{seen}".encode("utf-8", "surrogateescape"))
        return digest.hexdigest()

    def _files_of(self, manifest: Path) -> ManifestFiles:
        folder = manifest.parent
        is_source = folder.resolve().is_relative_to(self._sources.resolve())
        return ManifestFiles(folder, self._sources if is_source else folder)

    def _listed(self, source: Path) -> list[Path]:
        """Return the files that a manifest lists; none for any other or a broken file."""
        if _holds_manifest(source):
            with suppress(DemoInvalid, OSError), source.open("rb") as stream:
                return find_listed(stream, self._files_of(source))
        return []

    def _place(self, source: Path, named: str) -> PlacedTree:
        if is_directory(source):
            return self._pack(source, named)
        if not is_file(source):
            raise DemoInvalid(f"tree {named!r} does not exist; name a directory or an archive")
        if _holds_manifest(source):
            return self._copy_manifest(source, named)
        stem, dot, suffixes = source.name.partition(".")
        name = f"{_plain(stem)}-{_hash(source)}{dot}{_plain(suffixes)}"
        copy_file(source, self._folder / name)
        return PlacedTree(name, ())

    def _pack(self, directory: Path, named: str) -> PlacedTree:
        with tempfile.TemporaryDirectory(dir=self._folder) as unfinished:
            archive = Path(unfinished) / "tree.zip"
            try:
                with archive.open("xb") as stream:
                    report = pack_zip(Workspace({_PACKED: directory}), _PACKED, stream)
            except (PackFailed, WorkspaceError) as error:
                raise DemoInvalid(f"tree {named!r} cannot be packed: {error}") from None
            name = f"{_plain(directory.name)}-{_hash(archive)}.zip"
            archive.replace(self._folder / name)
        left_out = tuple(
            f"tree {named!r} lacks {escape_path(path)}: {reason}"
            for path, reason in report.left_out
        )
        return PlacedTree(name, left_out)

    def _copy_manifest(self, manifest: Path, named: str) -> PlacedTree:
        """Copy a manifest and its files, named by hashes: on some disks two paths are one file."""
        files = self._files_of(manifest)
        with tempfile.TemporaryDirectory(dir=self._folder) as unfinished:
            copied = Path(unfinished) / "tree"
            (copied / "files").mkdir(parents=True)
            with manifest.open("rb") as stream:
                try:
                    listed = copy_listed(stream, files, copied)
                except DemoInvalid as error:
                    raise DemoInvalid(f"tree {named!r} cannot be copied: {error}") from None
            (copied / "tree.json").write_text(json.dumps(listed), "utf-8")
            folder = f"{_plain(manifest.stem)}-{_hash(copied / 'tree.json')}"
            # Renamed as a whole, since another process may write the same tree.
            try:
                copied.rename(self._folder / folder)
            except OSError:
                if not (self._folder / folder / "tree.json").is_file():
                    raise
        return PlacedTree(f"{folder}/tree.json", ())


def _holds_manifest(file: Path) -> bool:
    if not is_file(file):
        return False
    with file.open("rb") as stream:
        return is_manifest(stream.read(START_BYTES))


def _keep(folder: Path, tops: Collection[str]) -> None:
    for there in folder.iterdir() if folder.is_dir() else ():
        if there.name not in tops:
            shutil.rmtree(there) if there.is_dir() else there.unlink()


def _hash(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:_HASH_LENGTH]


def _plain(name: str) -> str:
    return _NOT_IN_NAMES.sub("-", name)
