"""`clean`: removes what the other commands have made."""

from __future__ import annotations

import shutil

from build_steps.folders import BUILD, DIST, ROOT, WEB


def run() -> int:
    """Remove build products; what was fetched (`.cache/`, `node_modules/`) stays."""
    for folder in (DIST, BUILD, WEB / "build", ROOT / "test-results"):
        if folder.exists():
            shutil.rmtree(folder)
            print(f"  removed {folder.relative_to(ROOT).as_posix()}/")
    return 0
