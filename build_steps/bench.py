"""`bench`: the measurements in `bench/`, of what was built."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from build_steps.bundle import make_dist
from build_steps.failure import BuildFailed
from build_steps.folders import ROOT
from build_steps.freshness import sha256_of
from build_steps.programs import exit_code, find_program, run_quietly

if TYPE_CHECKING:
    from collections.abc import Sequence

_BENCH = ROOT / "bench"


def run(bench_arguments: Sequence[str]) -> int:
    """Bundle, then run `bench/run.py` with these arguments and return its exit code."""
    script = _BENCH / "run.py"
    if not script.is_file():
        raise BuildFailed("bench/run.py is missing: restore it from the repository.")
    make_dist()
    _install_peers()
    return exit_code([sys.executable, script, *bench_arguments])


def _install_peers() -> None:
    """Make `bench/node_modules/` agree with `bench/package-lock.json`.

    What is compared with runs in a browser only, so none of its install scripts is needed.

    Raises:
        BuildFailed: The packages cannot be fetched.
    """
    installed = _BENCH / "node_modules" / ".installed-from.sha256"
    fingerprint = sha256_of(_BENCH / "package-lock.json")
    if installed.is_file() and installed.read_text(encoding="utf-8") == fingerprint:
        print(f"  {'bench packages':<16} up to date", flush=True)
        return
    print(f"  {'bench packages':<16} installing", flush=True)
    started_s = time.monotonic()
    run_quietly(
        [
            find_program("npm"),
            "ci",
            "--ignore-scripts",
            "--omit=optional",
            "--no-audit",
            "--no-fund",
        ],
        folder=_BENCH,
        log_name="npm-ci-bench",
        otherwise="`npm ci` in bench/ failed: check the network connection and run again.",
    )
    installed.write_text(fingerprint, encoding="utf-8")
    print(f"  {'bench packages':<16} installed in {time.monotonic() - started_s:.1f} s", flush=True)
