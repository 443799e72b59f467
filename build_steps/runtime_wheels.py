"""The wheels that Pyodide loads beside ours: pinned, fetched once, checked each time."""

from __future__ import annotations

import re
import sys
import time
from typing import TYPE_CHECKING

from build_steps.failure import BuildFailed
from build_steps.folders import CACHE, ROOT
from build_steps.freshness import empty_staging_folder, put_in_place, sha256_of
from build_steps.programs import run_quietly

if TYPE_CHECKING:
    from pathlib import Path

REQUIREMENTS = ROOT / "build_steps" / "runtime-wheels.txt"

_FETCHED = CACHE / "runtime-wheels"

_TARGET = ("--python-version", "3.14", "--implementation", "cp", "--abi", "cp314", "--abi", "none")
# The platform that wheels for this Pyodide are tagged with. Pure wheels match it too.
_PLATFORM = ("--platform", "pyemscripten_2026_0_wasm32")


def runtime_wheels() -> list[Path]:
    """Return the pinned wheels, sorted by name, fetched when they are not yet there.

    Raises:
        BuildFailed: They cannot be fetched, or what came is not what is pinned.
    """
    pinned = pinned_hashes()
    if _hashes_of(_FETCHED) == pinned:
        print(f"  {'runtime wheels':<16} up to date")
    else:
        started_s = time.monotonic()
        _fetch()
        if _hashes_of(_FETCHED) != pinned:
            raise BuildFailed(
                "The fetched wheels are not those of build_steps/runtime-wheels.txt: "
                "remove .cache/ and run again."
            )
        print(f"  {'runtime wheels':<16} fetched in {time.monotonic() - started_s:.1f} s")
    return sorted(_FETCHED.glob("*.whl"))


def pinned_hashes() -> set[str]:
    """Return the SHA-256 of every wheel that `runtime-wheels.txt` pins."""
    pins = REQUIREMENTS.read_text(encoding="utf-8")
    return set(re.findall(r"--hash=sha256:([0-9a-f]{64})", pins))


def _hashes_of(folder: Path) -> set[str]:
    return {sha256_of(wheel) for wheel in folder.glob("*.whl")}


def _fetch() -> None:
    staging = empty_staging_folder("runtime-wheels")
    run_quietly(
        [
            *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"),
            *("--no-deps", "--only-binary=:all:", "--require-hashes"),
            *("--requirement", REQUIREMENTS, "--dest", staging),
            *(*_TARGET, *_PLATFORM),
        ],
        log_name="pip-download",
        otherwise="The wheels for Pyodide could not be fetched: check the network connection "
        "and run again.",
    )
    put_in_place(staging, _FETCHED)
