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
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from treeglass import __version__
from treeglass.demos.demo import DemoInvalid
from treeglass.demos.directive import is_address
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

_PACKED = "/packed"
_HASH_LENGTH = 12
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")
_NEEDED = ("element.js", "index.js", "worker.js", "assets/start.json")
_COPIED = ("element.js", "index.js", "worker.js", "LICENSE", "THIRD-PARTY.md", "assets")


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
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._placed: dict[tuple[Path, str], PlacedTree] = {}

    def path(self, tree: PlacedTree) -> Path:
        """Return the archive or the manifest of a tree."""
        return self._folder / tree.name

    def holds(self, top: str) -> bool:
        """Tell whether a tree's file or folder is there."""
        return (self._folder / top).exists()

    def keep(self, tops: Collection[str]) -> None:
        """Remove all trees but these."""
        for there in self._folder.iterdir() if self._folder.is_dir() else ():
            if there.name not in tops:
                shutil.rmtree(there) if there.is_dir() else there.unlink()

    def copy_into(self, target: Path, tops: Collection[str]) -> None:
        """Make another folder hold these trees and no others."""
        target.mkdir(parents=True, exist_ok=True)
        TreeFolder(target).keep(tops)
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
        key = (source, fingerprint(source))
        placed = self._placed.get(key)
        if placed is None or not self.holds(placed.top):
            self._folder.mkdir(parents=True, exist_ok=True)
            try:
                placed = self._placed[key] = self._place(source, named)
            except OSError as error:
                reason = error.strerror or type(error).__name__
                raise DemoInvalid(f"tree {named!r} cannot be copied: {reason}") from None
        return placed

    def _place(self, source: Path, named: str) -> PlacedTree:
        if source.is_dir():
            return self._pack(source, named)
        if not source.is_file():
            raise DemoInvalid(f"tree {named!r} does not exist; name a directory or an archive")
        if source.suffix == ".json":
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
        """Copy a manifest, and what it lists, to where its relative addresses still lead."""
        try:
            listed = json.loads(manifest.read_bytes())
            base_url, entries = str(listed.get("base_url", "./")), list(listed["entries"])
            files = [] if is_address(base_url) else [_listed_path(entry) for entry in entries]
        except (ValueError, LookupError, TypeError, AttributeError):
            raise DemoInvalid(f"tree {named!r} is no manifest of files; pack it again") from None
        folder = f"{_plain(manifest.stem)}-{_hash(manifest)}"
        if files:
            base = manifest.parent / unquote(base_url)
            for path in filter(None, files):
                _copy(base / path, self._folder / folder / "files" / path)
            listed["base_url"] = "files/"
        target = self._folder / folder / "tree.json"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps(listed, ensure_ascii=False), "utf-8")
        return PlacedTree(f"{folder}/tree.json", ())


def _listed_path(entry: dict[str, object]) -> str | None:
    """Return the path of a file that lies at the manifest's own address.

    Raises:
        ValueError: The path leads out of there.
    """
    path = str(entry["path"])
    if entry["kind"] != "file" or "url" in entry:
        return None
    if path.startswith("/") or ".." in path.split("/"):
        raise ValueError(path)
    return path


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
    """Return the files of a tree, sorted; of an archive or a manifest, itself."""
    if not source.is_dir():
        return [source]
    return sorted(path for path in source.rglob("*") if not path.is_dir() or path.is_symlink())


def fingerprint(source: Path) -> str:
    """Return what changes when a file or a directory of a tree comes, goes or is written."""
    digest = hashlib.sha256(__version__.encode())
    for path in [source, *(sorted(source.rglob("*")) if source.is_dir() else [])]:
        try:
            status = path.lstat()
        except OSError:
            digest.update(b"\0gone")
            continue
        # A directory's own time also changes by what is left out, and its names are all here.
        seen = (status.st_mode,) if path.is_dir() else (status.st_size, status.st_mtime_ns)
        digest.update(f"\0{path}\0{seen}".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


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
    except (OSError, ValueError, LookupError, TypeError):
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


def address_from_page(address: str, to_root: str) -> str:
    """Return an address as a page names it.

    Args:
        address: Absolute, or relative to the root of the site.
        to_root: The way from the page to that root: empty, or with a slash at its end.
    """
    return address if is_address(address) or address.startswith("/") else f"{to_root}{address}"
