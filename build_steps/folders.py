"""The folders that the build reads and writes, independent of the working directory."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

WEB = ROOT / "web"
"""The TypeScript sources and their `package.json`."""

WEB_SOURCES = WEB / "src"

PLAYGROUND = WEB_SOURCES / "playground"
"""The playground: `main.tsx`, its page, its styles and its icon."""

DOCUMENTATION = WEB_SOURCES / "documentation"
"""The scripts of the documentation's pages."""

NODE_MODULES = WEB / "node_modules"

DIST = ROOT / "dist"
"""What is published: `wheels/`, `npm/`, `site/`."""

WHEELS = DIST / "wheels"

NPM = DIST / "npm"

SITE = DIST / "site"

BUILD = ROOT / "build"
"""What only the build reads: stamps, unfinished folders, the test environment."""

CACHE = ROOT / ".cache"
"""Downloads, checked against a hash; `clean` keeps them."""


def project_version() -> str:
    """Return the version in `pyproject.toml`, which all other places repeat."""
    with (ROOT / "pyproject.toml").open("rb") as pyproject:
        version: str = tomllib.load(pyproject)["project"]["version"]
    return version


def tree_files(folder: Path) -> list[Path]:
    """List the files under a folder, sorted, without caches and files that begin with a dot."""
    found = (
        path
        for path in folder.rglob("*")
        if path.is_file()
        and "__pycache__" not in path.parts
        and not path.name.startswith(".")
        and path.suffix != ".tsbuildinfo"
    )
    # As texts: Windows sorts paths without regard to case.
    return sorted(found, key=lambda path: path.parts)
