"""The packed package's types in plain TypeScript, and in what four frameworks write."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from build_steps.folders import NPM
from build_steps.programs import find_program

_PROGRAMS = Path(__file__).parent / "framework_types"


@pytest.mark.network
def test_programs_that_are_right_compile_and_those_that_are_wrong_do_not(tmp_path: Path) -> None:
    shutil.copytree(_PROGRAMS, tmp_path, dirs_exist_ok=True)
    _run("npm", "pack", "--silent", "--pack-destination", str(tmp_path), folder=NPM)
    (packed,) = tmp_path.glob("*.tgz")
    _run("npm", "install", "--no-audit", "--no-fund", str(packed), folder=tmp_path)

    # It compiles the plain modules too; a line that should be wrong and is right is an error.
    assert _run("npx", "vue-tsc", "--noEmit", folder=tmp_path) == ""


def _run(program: str, *arguments: str, folder: Path) -> str:
    ran = subprocess.run(
        [find_program(program), *arguments],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout
