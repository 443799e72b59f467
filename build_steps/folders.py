"""Where the build finds things and leaves things, whatever folder it is called from."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

WEB = ROOT / "web"
"""The TypeScript sources and their `package.json`."""

NODE_MODULES = WEB / "node_modules"

DIST = ROOT / "dist"
"""What outsiders are given: `wheels/`, `npm/`, `site/`."""

WHEELS = DIST / "wheels"

NPM = DIST / "npm"

SITE = DIST / "site"

BUILD = ROOT / "build"
"""What only the build itself reads: stamps, half-made folders, the test environment."""

CACHE = ROOT / ".cache"
"""What was fetched, checked against a hash; `clean` leaves it."""


def project_version() -> str:
    """Return the version in `pyproject.toml`, which every other place repeats."""
    with (ROOT / "pyproject.toml").open("rb") as pyproject:
        version: str = tomllib.load(pyproject)["project"]["version"]
    return version


def tree_files(folder: Path) -> list[Path]:
    """List the files under a folder, sorted, without what Python and editors leave behind."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file()
        and "__pycache__" not in path.parts
        and not path.name.startswith(".")
        and path.suffix != ".tsbuildinfo"
    )
