"""What a built site needs besides its pages: the trees of its demos, and the package.

Both lie in the folder `_treeglass` of the site, under names that change with
what is in them.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from treeglass import __version__
from treeglass.authoring.addresses import is_directory
from treeglass.authoring.demo import DemoInvalid
from treeglass.authoring.site.directive import is_address
from treeglass.authoring.trees.manifest_source import (
    LOOK_BYTES,
    ManifestFiles,
    copy_listed,
    find_listed,
    is_manifest,
)
from treeglass.errors import PackFailed, WorkspaceError
from treeglass.escaping import escape_path
from treeglass.pack import pack_zip
from treeglass.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Collection

TREES = "_treeglass/trees"
"""Where the trees lie in a built site."""
PACKAGE = f"_treeglass/package-{__version__}"
"""Where the package lies in a built site."""
PUBLISHED_SCRIPT = f"https://cdn.jsdelivr.net/npm/treeglass@{__version__}/element.js"
"""The element of exactly this version, from elsewhere."""

STYLES = f"_treeglass/theme-{__version__}.css"
"""Where the style sheet for the pages lies in a built site."""

_STYLES = """\
/* A demo follows `color-scheme`, and some themes say theirs by an attribute alone. */
[data-theme="light"] .treeglass { color-scheme: light; }
[data-theme="dark"] .treeglass { color-scheme: dark; }
@media (prefers-color-scheme: dark) {
  [data-theme="auto"] .treeglass { color-scheme: dark; }
}
/* Where no script runs, the call stands above its answer. */
treeglass-demo:not(:defined)::before {
  content: attr(tool) " " attr(arguments);
  display: block;
  font-family: monospace;
  overflow-wrap: anywhere;
}
"""
_NEEDED = ("element.js", "index.js", "worker.js", "assets/start.json")
_COPIED = ("element.js", "index.js", "worker.js", "LICENSE", "THIRD-PARTY.md", "assets")

_PACKED = "/packed"
_HASH_LENGTH = 12
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class PlacedTree:
    """A tree as it lies in the folder of trees."""

    name: str
    """Of the archive or the manifest, with slashes; below the folder."""
    left_out: tuple[str, ...]
    """What a packed directory lacks, one sentence each."""

    @property
    def top(self) -> str:
        """The file or the folder to keep for this tree."""
        return self.name.partition("/")[0]

    @property
    def address(self) -> str:
        """Its address, relative to the root of the site."""
        return f"{TREES}/{quote(self.name)}"


class TreeFolder:
    """A folder that holds each tree once, by the hash of what is in it.

    Args:
        folder: Made when the first tree is placed.
        sources: The documentation's source root; a manifest in it may list files
            of it, and any other one those of its own folder.
        outputs: What the build writes, which is a part of no tree.
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
            for file in tree_files(self._folder / top):
                _copy(file, target / file.relative_to(self._folder))

    def place(self, source: Path, named: str) -> PlacedTree:
        """Pack a directory, or copy an archive, or a manifest with the files that it lists.

        Args:
            source: The directory or the file.
            named: How the page names it, for messages.

        Raises:
            DemoInvalid: There is nothing of that kind, or it cannot be packed or copied.
        """
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
        """Make sure that a tree does not grow by what the build itself writes.

        Raises:
            DemoInvalid: It holds a folder of the build.
        """
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
        """Return the files that a tree is made of, as far as they lie on this disk."""
        if is_directory(source):
            return tree_files(source)
        return [file for file in (source, *self._listed(source)) if _is_file(file)]

    def fingerprint(self, source: Path) -> str:
        """Return what changes when a file or a directory of a tree comes, goes or is written."""
        is_tree = is_directory(source)
        below = sorted(source.rglob("*")) if is_tree else self._listed(source)
        digest = hashlib.sha256(__version__.encode())
        for path in [source, *below]:
            try:
                status = path.lstat() if is_tree else path.stat()
            except (OSError, ValueError):
                digest.update(b"\0gone")
                continue
            # A directory's own time also changes by what is left out; its names are all here.
            is_folder = path.is_dir()
            seen = (status.st_mode,) if is_folder else (status.st_size, status.st_mtime_ns)
            digest.update(f"\0{path}\0{seen}".encode("utf-8", "surrogateescape"))
        return digest.hexdigest()

    def _files_of(self, manifest: Path) -> ManifestFiles:
        folder = manifest.parent
        is_source = folder.resolve().is_relative_to(self._sources.resolve())
        return ManifestFiles(folder, self._sources if is_source else folder)

    def _listed(self, source: Path) -> list[Path]:
        """Return the files that a manifest lists; of what is none, or is broken, as far as told."""
        if not _holds_manifest(source):
            return []
        with suppress(DemoInvalid, OSError), source.open("rb") as stream:
            return find_listed(stream, self._files_of(source))
        return []

    def _place(self, source: Path, named: str) -> PlacedTree:
        if is_directory(source):
            return self._pack(source, named)
        if not _is_file(source):
            raise DemoInvalid(f"tree {named!r} does not exist; name a directory or an archive")
        if _holds_manifest(source):
            return self._copy_manifest(source, named)
        stem, dot, suffixes = source.name.partition(".")
        name = f"{_plain(stem)}-{_hash(source)}{dot}{_plain(suffixes)}"
        _copy(source, self._folder / name)
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
        """Copy a manifest, and the files that it lists under names that say their content.

        What a manifest calls its files is no path here: so two may collide on
        some disk, and a path could lead out of the site.
        """
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
            # As a whole, and once: another process may have done the same.
            try:
                copied.rename(self._folder / folder)
            except OSError:
                if not (self._folder / folder / "tree.json").is_file():
                    raise
        return PlacedTree(f"{folder}/tree.json", ())


def _holds_manifest(file: Path) -> bool:
    if not _is_file(file):
        return False
    with file.open("rb") as stream:
        return is_manifest(stream.read(LOOK_BYTES))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file system takes
        return False


def _keep(folder: Path, tops: Collection[str]) -> None:
    for there in folder.iterdir() if folder.is_dir() else ():
        if there.name not in tops:
            shutil.rmtree(there) if there.is_dir() else there.unlink()


def _hash(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:_HASH_LENGTH]


def _plain(name: str) -> str:
    return _NOT_IN_NAMES.sub("-", name)


def _copy(source: Path, target: Path) -> None:
    """Copy a file as a whole, so that two builds at once may do it; its time tells a later one."""
    status = source.stat()
    if target.is_file():
        there = target.stat()
        if (there.st_size, there.st_mtime_ns) == (status.st_size, status.st_mtime_ns):
            return
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.part")
    shutil.copyfile(source, unfinished)
    os.utime(unfinished, ns=(status.st_atime_ns, status.st_mtime_ns))
    unfinished.replace(target)


def tree_files(source: Path) -> list[Path]:
    """Return the files of a directory, sorted; of a file, itself."""
    if not is_directory(source):
        return [source]
    return sorted(path for path in source.rglob("*") if not path.is_dir() or path.is_symlink())


def script_address(*, package: str | None, script: str | None) -> str:
    """Return where a site's pages load the element from.

    Returns:
        An absolute address, or one that is relative to the root of the site.

    Raises:
        DemoInvalid: Both a package and a script are named.
    """
    if package and script:
        raise DemoInvalid("the address of the script is set as well; leave one of them out")
    return script or (f"{PACKAGE}/element.js" if package else PUBLISHED_SCRIPT)


def check_package(folder: Path, named: str) -> str | None:
    """Look whether a folder holds the npm package of this version.

    Args:
        folder: The folder.
        named: How the site's configuration names it, for messages.

    Returns:
        What a reader of the build's log should know: the package is of another
        version than what records the answers. None where all is well.

    Raises:
        DemoInvalid: It is no such package.
    """
    install = f"run `npm install treeglass@{__version__}` and name its folder"
    missing = [name for name in _NEEDED if not (folder / name).is_file()]
    if missing:
        what = f"lacks {', '.join(missing)}" if folder.is_dir() else "is no directory"
        raise DemoInvalid(f"{named!r} {what}; {install}")
    try:
        version = json.loads((folder / "package.json").read_bytes())["version"]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        raise DemoInvalid(f"{named!r} has no package.json that says a version; {install}") from None
    if version == __version__:
        return None
    return (
        f"{named!r} is treeglass {version}, and the recorded answers are those of {__version__}; "
        f"{install}"
    )


def copy_package(package: Path, site: Path) -> None:
    """Copy what pages load of the npm package into a built site, where it is not there yet.

    Raises:
        OSError: It cannot be read or written.
    """
    for name in _COPIED:
        for path in (package / name, package / f"{name}.br"):
            for file in tree_files(path) if path.exists() else ():
                _copy(file, site / PACKAGE / file.relative_to(package))


def write_styles(site: Path) -> None:
    """Write the style sheet into a built site.

    Raises:
        OSError: It cannot be written.
    """
    target = site / STYLES
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(_STYLES, "utf-8")


def address_from_page(address: str, to_root: str) -> str:
    """Return an address as a page names it.

    Args:
        address: Absolute, or relative to the root of the site.
        to_root: The way from the page to that root: empty, or with a slash at its end.
    """
    return address if is_address(address) or address.startswith("/") else f"{to_root}{address}"
