"""A start needs exactly the files that start.json and the lock name, byte for byte."""

import gzip
import hashlib
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from build_steps.folders import project_version
from build_steps.freshness import sha256_of
from build_steps.programs import find_program
from build_steps.runtime.assets import LOCK_NAME, SHIPPED_LIBRARY, START_NAME
from build_steps.runtime.smaller.split import MODULES, first_name, late_name
from build_steps.runtime.smaller.trimmed import CODE, GLUE, LOADER, SIDE_MODULE
from build_steps.web.compress import SUFFIXES
from tests.support.programs import printed_by

DEPENDS = {
    "annotated-types": [],
    "pydantic": ["annotated-types", "pydantic-core", "typing-extensions", "typing-inspection"],
    "pydantic-core": ["typing-extensions"],
    "treeglass": ["pydantic"],
    "typing-extensions": [],
    "typing-inspection": ["typing-extensions"],
}


class _Assets(NamedTuple):
    top: Path
    pyodide: Path
    packages: Path
    suffixes: frozenset[str]
    """How the names of compressed siblings end."""


@pytest.fixture(params=["npm", "site"])
def assets(dist: Path, request: pytest.FixtureRequest) -> _Assets:
    """The assets of each of the two things that carry them."""
    folder: str = request.param
    top = dist / folder / "assets"
    folders = _json(top / START_NAME)["folders"]
    suffixes = SUFFIXES.values() if folder == "site" else []
    return _Assets(top, top / folders["pyodide"], top / folders["packages"], frozenset(suffixes))


def _json(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return content


def _is_sibling(path: Path) -> bool:
    return path.suffix in SUFFIXES.values()


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if not _is_sibling(path)}


def test_lock_names_our_packages_and_what_each_needs_and_no_others(assets: _Assets) -> None:
    packages = _json(assets.packages / LOCK_NAME)["packages"]

    assert {name: package["depends"] for name, package in packages.items()} == DEPENDS


def test_every_file_in_the_lock_is_there_with_its_hash(assets: _Assets) -> None:
    packages = _json(assets.packages / LOCK_NAME)["packages"].values()
    locked = {package["file_name"]: package["sha256"] for package in packages}

    assert {name: sha256_of(assets.packages / name) for name in locked} == locked


def test_every_file_of_the_image_is_there_with_its_size_and_hash(assets: _Assets) -> None:
    image = _json(assets.top / START_NAME)["image"]
    named = [image[part] for part in ("interpreter", "sideModule", "memory")]

    assert named == [
        {
            "path": file["path"],
            "bytes": (assets.top / file["path"]).stat().st_size,
            "sha256": sha256_of(assets.top / file["path"]),
        }
        for file in named
    ]


def test_assets_hold_the_worker_pyodide_the_locked_wheels_the_image_and_nothing_else(
    assets: _Assets,
) -> None:
    packages = _json(assets.packages / LOCK_NAME)["packages"].values()
    locked = {package["file_name"] for package in packages}

    assert [_names(folder) for folder in assets[:3]] == [
        {START_NAME, "worker.js", assets.pyodide.name, assets.packages.name},
        {LOADER, GLUE, SHIPPED_LIBRARY, first_name(CODE), late_name(CODE)},
        {*locked, LOCK_NAME, "image.bin", first_name(SIDE_MODULE), late_name(SIDE_MODULE)},
    ]


def test_folders_are_named_for_their_content(assets: _Assets, root: Path) -> None:
    pyodide = _json(root / "web" / "node_modules" / "pyodide" / "package.json")["version"]
    folders = sorted(path.name for path in assets.top.iterdir() if path.is_dir())

    assert [re.sub(r"-[0-9a-f]{8}$", "-ID", name) for name in folders] == [
        f"pyodide-{pyodide}-ID",
        f"treeglass-{project_version()}-ID",
    ]


def test_the_loader_is_unchanged_and_the_lock_is_for_its_build(assets: _Assets, root: Path) -> None:
    pyodide = root / "web" / "node_modules" / "pyodide"

    assert sha256_of(assets.pyodide / LOADER) == sha256_of(pyodide / LOADER)
    assert _json(assets.packages / LOCK_NAME)["info"] == _json(pyodide / LOCK_NAME)["info"]


_INFLATE = """
import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { createHash } from "node:crypto";

const hashes = process.argv.slice(1).map((path) => [
  path,
  createHash("sha256").update(brotliDecompressSync(readFileSync(path))).digest("hex"),
]);
process.stdout.write(JSON.stringify(Object.fromEntries(hashes)));
"""


def _inflated_sha256s(siblings: list[Path]) -> dict[Path, str]:
    by_brotli = [path for path in siblings if path.suffix == SUFFIXES["br"]]
    inflating = (find_program("node"), "--input-type=module", "-e", _INFLATE, "--")
    hashes = json.loads(printed_by(*inflating, *by_brotli))
    return {
        path: hashes[str(path)]
        if path in by_brotli
        else hashlib.sha256(gzip.decompress(path.read_bytes())).hexdigest()
        for path in siblings
    }


def test_each_compressed_sibling_is_that_of_its_file(assets: _Assets) -> None:
    siblings = [path for path in assets.top.rglob("*") if _is_sibling(path)]

    assert _inflated_sha256s(siblings) == {
        sibling: sha256_of(sibling.with_suffix("")) for sibling in siblings
    }


def test_each_file_that_is_worth_it_has_its_siblings(assets: _Assets) -> None:
    ours = {START_NAME, "worker.js", LOCK_NAME, "image.bin"}
    parts = {name(module) for module in MODULES for name in (first_name, late_name)}
    lone = {*ours, LOADER, GLUE, *parts}
    files = {path for path in assets.top.rglob("*") if path.name in lone}
    siblings = {path for path in assets.top.rglob("*") if _is_sibling(path)}

    assert siblings == {
        file.with_name(file.name + suffix) for file in files for suffix in assets.suffixes
    }
