"""The packed package's types in plain TypeScript, and in what four frameworks write."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from build_steps.programs import find_program
from tests.support.programs import pack_npm, printed_by

_PROGRAMS = Path(__file__).parent / "framework_types"


@pytest.mark.network
def test_programs_that_are_right_compile_and_those_that_are_wrong_do_not(tmp_path: Path) -> None:
    shutil.copytree(_PROGRAMS, tmp_path, dirs_exist_ok=True)
    packed = pack_npm(tmp_path)
    installing = ("install", "--no-audit", "--no-fund", packed)
    printed_by(find_program("npm"), *installing, folder=tmp_path)

    # It compiles the plain modules too; a line that should be wrong and is right is an error.
    assert printed_by(find_program("npx"), "vue-tsc", "--noEmit", folder=tmp_path) == ""
