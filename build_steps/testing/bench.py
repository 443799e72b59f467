"""`bench`: runs the measurements in `bench/` on the built package."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from build_steps.bundle import make_dist
from build_steps.failure import BuildFailed
from build_steps.folders import ROOT
from build_steps.programs import exit_code
from build_steps.web.packages import install_locked

if TYPE_CHECKING:
    from collections.abc import Sequence

_BENCH = ROOT / "bench"


def run(bench_arguments: Sequence[str]) -> int:
    """Bundle, then run `bench/run.py` with these arguments and return its exit code."""
    script = _BENCH / "run.py"
    if not script.is_file():
        raise BuildFailed("bench/run.py is missing: restore it from the repository.")
    make_dist()
    # These packages run in a browser only, so their install scripts are not needed.
    install_locked("bench packages", _BENCH, options=["--ignore-scripts", "--omit=optional"])
    return exit_code([sys.executable, script, *bench_arguments])
