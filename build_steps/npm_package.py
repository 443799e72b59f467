"""The npm package in `dist/npm/`, ready to publish."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

from build_steps.assets import ASSETS
from build_steps.compress import add_compressed_siblings
from build_steps.folders import NPM, ROOT, WEB, project_version, tree_files
from build_steps.freshness import empty_staging_folder, put_in_place, remake_when_stale
from build_steps.programs import find_program, run
from build_steps.scripts import bundle_script

if TYPE_CHECKING:
    from pathlib import Path

ENTRIES = {"index.js": WEB / "src" / "index.ts", "worker.js": WEB / "src" / "worker" / "worker.ts"}
"""Each module at the root of the package, and what it is bundled from."""

_COPIED = ("README.md", "LICENSE", "build_steps/THIRD-PARTY.md")


def make_npm_package() -> None:
    """Leave the package, and nothing else, in `dist/npm/`."""
    remake_when_stale(
        "npm package",
        inputs=[
            *tree_files(WEB / "src"),
            *WEB.glob("*.json"),
            *(ROOT / name for name in ("pyproject.toml", *_COPIED)),
            *tree_files(ASSETS),
        ],
        outputs=[NPM],
        make=_make,
    )


def _make() -> None:
    staging = empty_staging_folder("npm")
    for name, entry in ENTRIES.items():
        bundle_script(entry, staging / name)
    _write_types(staging / "types")
    for name in _COPIED:
        copied = ROOT / name
        shutil.copyfile(copied, staging / copied.name)
    shutil.copytree(ASSETS, staging / "assets")
    # By Brotli alone: it is what browsers take, it needs a program that few
    # have, and by gzip as well the package would be half as large again.
    add_compressed_siblings(staging / "assets", step="npm", encodings=["br"])
    manifest = json.dumps(package_manifest(), indent=2) + "\n"
    (staging / "package.json").write_text(manifest, encoding="utf-8", newline="\n")
    put_in_place(staging, NPM)


def _write_types(types: Path) -> None:
    run(
        [find_program("npm"), "run", "--silent", "types", "--", "--outDir", types],
        folder=WEB,
        otherwise="The types of web/src could not be written: "
        "correct what tsc says above and run again.",
    )


def package_manifest() -> dict[str, Any]:
    """Return the `package.json` of the package: what `web/package.json` says, made public."""
    web: dict[str, Any] = json.loads((WEB / "package.json").read_text(encoding="utf-8"))
    return {
        "name": "treeglass",
        "version": project_version(),
        "description": web["description"],
        "keywords": ["agent", "filesystem", "llm", "mcp", "pyodide", "tools", "webassembly"],
        "license": web["license"],
        "type": "module",
        "exports": {
            ".": {"types": "./types/index.d.ts", "default": "./index.js"},
            "./worker.js": "./worker.js",
            "./assets/*": "./assets/*",
            "./package.json": "./package.json",
        },
        "types": "./types/index.d.ts",
        "files": ["index.js", "worker.js", "types", "assets", "THIRD-PARTY.md"],
        # The worker runs when it is loaded; a bundler must not drop it.
        "sideEffects": ["./worker.js"],
        "engines": web["engines"],
    }
