"""The wheels that JupyterLite's kernel wants besides its own: pinned, fetched once."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from build_steps.folders import BUILD
from build_steps.freshness import empty_staging_folder, put_in_place, sha256_of
from build_steps.programs import run_quietly

_PINS = Path(__file__).with_name("jupyterlite-kernel-wheels.txt")
_FETCHED = BUILD / "jupyterlite-kernel"


def kernel_wheels() -> list[Path]:
    """Return the wheels, fetched when they are not there.

    Raises:
        BuildFailed: They cannot be fetched.
    """
    pinned = set(re.findall(r"--hash=sha256:([0-9a-f]{64})", _PINS.read_text("utf-8")))
    if {sha256_of(wheel) for wheel in _FETCHED.glob("*.whl")} != pinned:
        staging = empty_staging_folder("jupyterlite-kernel")
        run_quietly(
            [
                *(sys.executable, "-m", "pip", "download", "--quiet"),
                *("--disable-pip-version-check", "--no-deps", "--only-binary=:all:"),
                *("--python-version", "3.14", "--implementation", "py", "--abi", "none"),
                *("--platform", "any", "--require-hashes", "--requirement", _PINS),
                *("--dest", staging),
            ],
            log_name="pip-download-jupyterlite-kernel",
            otherwise="The wheels of JupyterLite's kernel could not be fetched: check the network "
            "connection and run again.",
        )
        put_in_place(staging, _FETCHED)
    return sorted(_FETCHED.glob("*.whl"))
