"""Imports point the way a call travels: import-linter says so."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path


def test_every_import_contract_is_kept(root: Path) -> None:
    lint_imports = shutil.which("lint-imports", path=Path(sys.executable).parent)
    assert lint_imports is not None, "the development group is not installed"

    linted = subprocess.run(
        [lint_imports, "--no-cache"], cwd=root, capture_output=True, encoding="utf-8", check=False
    )

    assert linted.returncode == 0, linted.stdout + linted.stderr
