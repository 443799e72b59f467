"""Imports point the way a call travels: import-linter says so."""

import shutil
import sys
from pathlib import Path

from tests.support.programs import printed_by


def test_every_import_contract_is_kept(root: Path) -> None:
    lint_imports = shutil.which("lint-imports", path=Path(sys.executable).parent)
    assert lint_imports is not None, "the development group is not installed"

    printed_by(lint_imports, "--no-cache", folder=root)
