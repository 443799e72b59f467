"""The npm package in a built site, or its address on jsDelivr."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from treeglass import __version__
from treeglass.authoring.demo import DemoInvalid
from treeglass.authoring.site.file_copies import copy_file, files_of

if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = f"_treeglass/package-{__version__}"
"""Where the package lies in a built site."""
PUBLISHED_SCRIPT = f"https://cdn.jsdelivr.net/npm/treeglass@{__version__}/element.js"
"""The element of exactly this version on jsDelivr."""

_NEEDED = ("element.js", "index.js", "assets/start.json", "assets/worker.js")
_COPIED = ("element.js", "index.js", "LICENSE", "THIRD-PARTY.md", "assets")


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
    """Check that a folder holds the npm package.

    Args:
        folder: The folder.
        named: How the site's configuration names it, for messages.

    Returns:
        A warning if the package has another version than what records the
        answers; None if it has the same.

    Raises:
        DemoInvalid: The folder is missing or does not hold the package.
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
    """Copy what pages load of the npm package into a built site, if it is not there yet.

    Raises:
        OSError: It cannot be read or written.
    """
    for name in _COPIED:
        for path in (package / name, package / f"{name}.br"):
            for file in files_of(path) if path.exists() else ():
                copy_file(file, site / PACKAGE / file.relative_to(package))
