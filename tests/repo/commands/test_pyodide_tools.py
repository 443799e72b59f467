"""Pyodide's own tools take our wheel, so that its distribution can have it."""

import json
import os
import shutil
import sys
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from build_steps.folders import NODE_MODULES
from build_steps.wheels.pinned_wheels import runtime_wheels
from build_steps.wheels.wheel import wheel_path
from tests.support.programs import printed_by

_LOCK = NODE_MODULES / "pyodide" / "pyodide-lock.json"
"""The lock of Pyodide's distribution, with 300 packages."""


@pytest.fixture
def pyodide() -> Callable[..., str]:
    """Runs the `pyodide` command, and returns what it prints."""
    programs = Path(sys.executable).parent
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    return partial(printed_by, programs / "pyodide", env={**os.environ, "PATH": path})


def test_distribution_can_resolve_what_the_wheel_needs(
    pyodide: Callable[..., str], tmp_path: Path
) -> None:
    lock = tmp_path / "pyodide-lock.json"

    pyodide("lockfile", "add-wheels", wheel_path(), "--input", _LOCK, "--output", lock)

    packages = json.loads(lock.read_text("utf-8"))["packages"]
    assert packages["treeglass"]["depends"] == ["pydantic"]
    assert "pydantic" in packages
    assert packages["treeglass"]["imports"] == ["treeglass"]


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
