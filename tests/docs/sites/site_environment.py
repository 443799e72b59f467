"""A fresh environment with only the built wheel and an extra, and sites built in it."""

import hashlib
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.support.programs import printed_by, run
from treeglass import __version__

SITES = Path(__file__).parent

_NEEDED = (
    "element.js",
    "element-views.js",
    "index.js",
    "assets/start.json",
    "assets/worker.js",
    "assets/engine/core.wasm",
)
PACKAGE_FILES = {
    f"_treeglass/package-{__version__}/{name}{suffix}" for name in _NEEDED for suffix in ("", ".br")
}
"""The files of `write_package`'s package that a built site holds."""
TREE_FILES = {"_treeglass/trees/shop-HASH.zip", "_treeglass/trees/small-HASH.zip"}
"""The trees of both sites."""
THEME_FILES = {f"_treeglass/theme-{__version__}.css"}
"""The style sheet for the pages of both sites."""
CDN = f"https://cdn.jsdelivr.net/npm/treeglass@{__version__}/element.js"

_DEMO = re.compile(
    r'(?:<link rel="stylesheet" href="[^"]*_treeglass/[^"]*">\s*)?'
    r'(?:<script type="module"[^>]*></script>\s*)?'
    r'<div class="(?:[^"]* )?treeglass".*?</div>',
    re.DOTALL,
)
_HASHED = re.compile(r"(?<=_treeglass/trees/)([\w.]+)-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class SiteEnvironment:
    """An environment that builds sites, as a person who installed the wheel has it."""

    python: Path

    def run(
        self, *arguments: str | Path, cwd: Path, changes: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run Python with these arguments; nothing of the calling environment is seen."""
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        kept["TMPDIR"] = str(cwd)  # a build that fails leaves its log there
        env = kept | {"PYTHONIOENCODING": "utf-8", "LC_ALL": "C.UTF-8"} | dict(changes or {})
        return run(self.python, *arguments, folder=cwd, env=env)


def make_environment(folder: Path, dist: Path, extra: str, *others: str) -> SiteEnvironment:
    """Install the built wheel with an extra, and other requirements besides."""
    uv = shutil.which("uv")
    assert uv is not None, "uv is not on the PATH"
    (wheel,) = (dist / "wheels").glob("*.whl")
    pins = folder / "pins.txt"
    pins.write_text(
        "".join(
            f"{found.name}=={found.version}\n"
            for found in importlib.metadata.distributions()
            if found.name != "treeglass"
        )
    )
    printed_by(uv, "venv", "--quiet", "--python", sys.executable, folder / "venv")
    python = folder / "venv" / "bin" / "python"
    printed_by(
        *(uv, "pip", "install", "--quiet", "--python", python, "--constraint", pins),
        *(f"treeglass[{extra}] @ {wheel.as_uri()}", *others),
    )
    return SiteEnvironment(python)


def copy_site(name: str, folder: Path) -> Path:
    """Copy one of the sites, with the shop and its archive at the paths that its pages name."""
    site = folder / name
    shutil.copytree(SITES / name, site)
    docs = site / "docs" if (site / "docs").is_dir() else site
    shutil.copytree(SITES / "shop", docs / "trees" / "shop")
    write_zip(docs / "trees" / "shop", docs / "guide" / "small.zip")
    return site


def write_zip(tree: Path, archive: Path) -> None:
    """Write the files of a directory as a zip with fixed times."""
    with zipfile.ZipFile(archive, "w") as opened:
        for path in sorted(path for path in tree.rglob("*") if path.is_file()):
            opened.writestr(zipfile.ZipInfo(path.relative_to(tree).as_posix()), path.read_bytes())


def write_package(folder: Path, *, version: str = __version__) -> Path:
    """Write a folder that looks like the npm package to a program that copies it."""
    for name in (*_NEEDED, *(f"{name}.br" for name in _NEEDED)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"what {name} holds\n")
    (folder / "package.json").write_text(json.dumps({"name": "treeglass", "version": version}))
    (folder / "README.md").write_text("# Not for a site\n")
    return folder


def site_files(site: Path) -> dict[str, str]:
    """Return the hash of each file in `_treeglass`, by names with HASH for a correct hash."""
    files = {}
    for path in sorted((site / "_treeglass").rglob("*")):
        if path.is_file():
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            name = path.relative_to(site).as_posix().replace(f"-{digest[:12]}", "-HASH")
            files[name] = digest
    return files


def demos_of(page: Path) -> str:
    """Return the demos of a page whole, with HASH for a tree's and VERSION for the package's."""
    demos = [found[0] for found in _DEMO.finditer(page.read_text("utf-8"))]
    plain = _HASHED.sub(r"\1-HASH", "".join(f"{demo}\n" for demo in demos))
    return plain.replace(f"-{__version__}", "-VERSION")


def expected(name: str) -> str:
    """Return the expected demos of a page."""
    return (SITES / "expected" / name).read_text("utf-8")
