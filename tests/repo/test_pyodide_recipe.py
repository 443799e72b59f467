"""Pyodide's own tools take our recipe and our wheel, so that its distribution can have them."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from packaging.utils import parse_wheel_filename
from pyodide_build.recipe.loader import load_recipes  # type: ignore[import-untyped]

from build_steps.folders import NODE_MODULES
from build_steps.freshness import sha256_of
from build_steps.wheels.pinned_wheels import runtime_wheels
from build_steps.wheels.recipe import RECIPES
from build_steps.wheels.wheel import wheel_path

if TYPE_CHECKING:
    from collections.abc import Callable

_LOCK = NODE_MODULES / "pyodide" / "pyodide-lock.json"
"""The lock of Pyodide's distribution, with 300 packages."""


@pytest.fixture
def pyodide() -> Callable[..., str]:
    """Runs the `pyodide` command, and returns what it prints."""
    programs = Path(sys.executable).parent
    path = os.pathsep.join([str(programs), os.environ["PATH"]])

    def run(*arguments: str | Path) -> str:
        done = subprocess.run(
            [programs / "pyodide", *arguments],
            env={**os.environ, "PATH": path},
            capture_output=True,
            check=False,
            encoding="utf-8",
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def recipe(dist: Path) -> Any:
    """The built recipe, as Pyodide's model of it."""
    assert dist == RECIPES.parent
    return load_recipes(RECIPES, ["treeglass"])["treeglass"]


def test_recipe_names_the_built_wheel_where_a_release_puts_it(recipe: Any) -> None:
    name, version, _build, _tags = parse_wheel_filename(wheel_path().name)

    assert (recipe.package.name, recipe.package.version) == (name, str(version))
    assert recipe.source.sha256 == sha256_of(wheel_path())
    assert recipe.source.url.endswith(f"/packages/py3/t/treeglass/{wheel_path().name}")


def test_recipe_tests_modules_that_can_be_imported(recipe: Any) -> None:
    assert recipe.test.imports == ["treeglass", "treeglass.bridge"]
    for name in recipe.test.imports:
        importlib.import_module(name)


def test_distribution_can_resolve_what_the_recipe_and_the_wheel_need(
    recipe: Any, pyodide: Callable[..., str], tmp_path: Path
) -> None:
    lock = tmp_path / "pyodide-lock.json"

    pyodide("lockfile", "add-wheels", wheel_path(), "--input", _LOCK, "--output", lock)

    packages = json.loads(lock.read_text("utf-8"))["packages"]
    assert packages["treeglass"]["depends"] == recipe.requirements.run
    assert set(recipe.requirements.run) <= set(packages)
    assert packages["treeglass"]["imports"] == recipe.package.top_level


def test_pyodide_compiles_every_module_of_the_wheel(
    pyodide: Callable[..., str], tmp_path: Path
) -> None:
    shutil.copy(wheel_path(), tmp_path)

    pyodide("py-compile", "--silent", tmp_path / wheel_path().name)

    (compiled,) = tmp_path.iterdir()
    with zipfile.ZipFile(wheel_path()) as before, zipfile.ZipFile(compiled) as after:
        modules = {f"{name}c" for name in before.namelist() if name.endswith(".py")}
        assert {name for name in after.namelist() if name.endswith(".pyc")} == modules


def test_only_pydantic_core_is_compiled_and_it_needs_no_shared_library(
    pyodide: Callable[..., str],
) -> None:
    wheels = [wheel_path(), *runtime_wheels()]
    compiled = [wheel for wheel in wheels if not wheel.name.endswith("-none-any.whl")]

    told = {
        wheel.name.partition("-")[0]: pyodide("auditwheel", "show", wheel) for wheel in compiled
    }

    library = "pydantic_core/_pydantic_core.cpython-314-wasm32-emscripten.so:"
    assert {name: text.split() for name, text in told.items()} == {"pydantic_core": [library]}
