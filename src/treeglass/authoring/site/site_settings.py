"""The settings of a site with demos, alike in Sphinx and MkDocs, and what its pages load."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

from treeglass import __version__
from treeglass.authoring.addresses import file_at, is_directory
from treeglass.authoring.demo import DemoInvalid, NotRecordable
from treeglass.authoring.site.directive import is_address, is_path
from treeglass.authoring.trees.manifest_source import ListedFile, ManifestFiles, read_manifest
from treeglass.escaping import escape_path

if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = f"_treeglass/package-{__version__}"
"""The place of the npm package in a built site."""
PUBLISHED_SCRIPT = f"https://cdn.jsdelivr.net/npm/treeglass@{__version__}/element.js"
"""The element of exactly this version on jsDelivr."""

_NEEDED = ("element.js", "element-views.js", "index.js", "assets/start.json", "assets/worker.js")
_COPIED = ("element.js", "element-views.js", "index.js", "LICENSE", "THIRD-PARTY.md", "assets")


def files_of(source: Path) -> list[Path]:
    """Return the files of a directory, sorted; for a file, the file itself."""
    if not is_directory(source):
        return [source]
    return sorted(path for path in source.rglob("*") if not path.is_dir() or path.is_symlink())


def copy_file(source: Path, target: Path) -> None:
    """Replace the target by a copy of a file, as a whole, unless it has its size and time."""
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


def script_address(*, package: str | None, script: str | None) -> str:
    """Return where pages load the element from, absolute or from the site's root."""
    if package and script:
        raise DemoInvalid("the address of the script is set as well; leave one of them out")
    return script or (f"{PACKAGE}/element.js" if package else PUBLISHED_SCRIPT)


def check_package(folder: Path, named: str) -> str | None:
    """Return a warning if a folder holds another version of the npm package; None if it holds ours.

    What lacks the package is `DemoInvalid`.
    """
    install = f"run `npm install treeglass@{__version__}` and name its folder"
    missing = [name for name in _NEEDED if not (folder / name).is_file()]
    if missing:
        what = f"lacks {', '.join(missing)}" if folder.is_dir() else "is not a directory"
        raise DemoInvalid(f"{named!r} {what}; {install}")
    try:
        version = json.loads((folder / "package.json").read_bytes())["version"]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        raise DemoInvalid(f"{named!r} has no package.json with a version; {install}") from None
    if version == __version__:
        return None
    return (
        f"{named!r} is treeglass {version}, and the recorded answers are those of {__version__}; "
        f"{install}"
    )


def copy_package(package: Path, site: Path) -> None:
    """Copy what pages load of the npm package into a built site, if it is not there yet."""
    for name in _COPIED:
        for path in (package / name, package / f"{name}.br"):
            for file in files_of(path) if path.exists() else ():
                copy_file(file, site / PACKAGE / file.relative_to(package))


def copy_listed(stream: BinaryIO, files: ManifestFiles, target: Path) -> dict[str, Any]:
    """Copy the files that a manifest lists, and return the manifest with the new addresses.

    The folder `files` of the target gets each file under the SHA-256 of its content. Files on other
    hosts are not copied, and keep their addresses. One that does not match is `DemoInvalid`.
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
    """Return the places of a manifest's files on this disk, all inside of the root."""
    manifest = read_manifest(stream)
    found: list[Path] = []
    for entry in manifest.entries:
        if isinstance(entry, ListedFile):
            with suppress(NotRecordable):
                found.append(file_at(manifest.address(entry), files.folder, files.root))
    return found


_STYLES_PATH = f"_treeglass/theme-{__version__}.css"

_STYLES = """\
/* A demo follows `color-scheme`, and some themes say theirs by an attribute alone. */
[data-theme="light"] .treeglass { color-scheme: light; }
[data-theme="dark"] .treeglass { color-scheme: dark; }
@media (prefers-color-scheme: dark) {
  [data-theme="auto"] .treeglass { color-scheme: dark; }
}
/* Where no script runs, the call stands above its answer. */
treeglass-demo:not(:defined) > .call {
  display: block;
  margin-block-end: 0.5em;
  overflow-wrap: anywhere;
}
"""


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """The configuration of a site."""

    folder: Path
    """Of the configuration."""
    package: str | None
    """Folder of the npm package, relative to that; the site gets a copy."""
    script: str | None
    """Address of `element.js`, if the package is served already."""
    tree: str | None
    """The tree of demos that name none."""

    def check(self) -> str | None:
        """Return a warning about the package, or None; what cannot be used is `DemoInvalid`."""
        script_address(package=self.package, script=self.script)
        return check_package(self.folder / self.package, self.package) if self.package else None

    @property
    def excluded(self) -> str | None:
        """The directory of the sources that makes no pages, since it is the tree of demos."""
        return self.tree.strip("/") if self.tree and is_path(self.tree) else None

    def head(self, to_root: str) -> str:
        """Return the elements that load style sheet and script; as `PageDemo.render`."""
        script = script_address(package=self.package, script=self.script)
        is_absolute = is_address(script) or script.startswith("/")
        address = script if is_absolute else f"{to_root}{script}"
        return (
            f'<link rel="stylesheet" href="{to_root}{_STYLES_PATH}">\n'
            f'<script type="module" src="{address}"></script>\n'
        )

    def write_files(self, site: Path) -> None:
        """Write what pages with demos load into a built site."""
        if self.package:
            copy_package(self.folder / self.package, site)
        target = site / _STYLES_PATH
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_STYLES, "utf-8", newline="\n")


def page_in_tree(
    source: Path, sources: Path, pages: Iterable[tuple[str, Path]]
) -> tuple[str, str] | None:
    """Return the way to a tree and a page inside it, which the site shows by mistake.

    All paths are real. The folder of the sources may be a tree that shows all pages.
    """
    if source == sources or not source.is_relative_to(sources):
        return None
    inside = [name for name, file in pages if source in file.parents]
    return (source.relative_to(sources).as_posix(), min(inside)) if inside else None
