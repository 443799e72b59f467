"""Files that a build copies into a site: the npm package, and the files of a manifest."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO

from treeglass import __version__
from treeglass.authoring.addresses import file_at, is_directory
from treeglass.authoring.demo import DemoInvalid, NotRecordable
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
