"""What the worker loads is what the lock names, byte for byte, and nothing else."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest

from build_steps.assets import LOCK_NAME, STANDARD_LIBRARY, UNCHANGED_FILES

if TYPE_CHECKING:
    from pathlib import Path

DEPENDS = {
    "annotated-types": [],
    "pydantic": ["annotated-types", "pydantic-core", "typing-extensions", "typing-inspection"],
    "pydantic-core": ["typing-extensions"],
    "treeglass": ["pydantic"],
    "typing-extensions": [],
    "typing-inspection": ["typing-extensions"],
}


@pytest.fixture(params=["npm", "site"])
def assets(dist: Path, request: pytest.FixtureRequest) -> Path:
    """The assets of each of the two things that carry them."""
    folder: str = request.param
    return dist / folder / "assets"


def _json(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return content


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_lock_names_our_packages_and_what_each_needs_and_no_others(assets: Path) -> None:
    packages = _json(assets / LOCK_NAME)["packages"]

    assert {name: package["depends"] for name, package in packages.items()} == DEPENDS


def test_every_file_in_the_lock_is_there_with_its_hash(assets: Path) -> None:
    packages = _json(assets / LOCK_NAME)["packages"].values()
    locked = {package["file_name"]: package["sha256"] for package in packages}

    assert {name: _sha256(assets / name) for name in locked} == locked


def test_assets_hold_pyodide_the_lock_and_the_locked_wheels_and_nothing_else(
    assets: Path,
) -> None:
    packages = _json(assets / LOCK_NAME)["packages"].values()
    locked = {package["file_name"] for package in packages}

    pyodide = {*UNCHANGED_FILES, STANDARD_LIBRARY, LOCK_NAME}
    assert {path.name for path in assets.iterdir()} == {*locked, *pyodide}


def test_pyodide_is_unchanged_and_the_lock_is_for_its_build(assets: Path, root: Path) -> None:
    pyodide = root / "web" / "node_modules" / "pyodide"
    original = {name: _sha256(pyodide / name) for name in UNCHANGED_FILES}

    assert {name: _sha256(assets / name) for name in UNCHANGED_FILES} == original
    assert _json(assets / LOCK_NAME)["info"] == _json(pyodide / LOCK_NAME)["info"]
