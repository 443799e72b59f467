"""Wheels that a requirements file pins by their hashes: fetched once, checked each time."""

from __future__ import annotations

import re
import sys
import time
from typing import TYPE_CHECKING

from build_steps.failure import BuildFailed
from build_steps.folders import CACHE, ROOT
from build_steps.freshness import empty_staging_folder, only_process, put_in_place, sha256_of
from build_steps.programs import run_quietly

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

REQUIREMENTS = ROOT / "build_steps" / "wheels" / "runtime-wheels.txt"
"""What Pyodide loads beside our wheel, with a SHA-256 for each wheel."""

_TARGET = ("--python-version", "3.14", "--implementation", "cp", "--abi", "cp314", "--abi", "none")
# The platform that wheels for this Pyodide are tagged with. Pure wheels match it too.
_PLATFORM = ("--platform", "pyemscripten_2026_0_wasm32")


def runtime_wheels() -> list[Path]:
    """Return the wheels of `REQUIREMENTS`, sorted by name, fetched if they are missing.

    Raises:
        BuildFailed: They cannot be fetched, or what came is not what is pinned.
    """
    return pinned_wheels(
        "runtime wheels",
        REQUIREMENTS,
        CACHE / "runtime-wheels",
        target=[*_TARGET, *_PLATFORM],
    )


def pinned_wheels(name: str, pins: Path, folder: Path, *, target: Sequence[str] = ()) -> list[Path]:
    """Return the wheels, sorted by name, fetched into a folder when they are not yet there.

    Several processes may ask for the same ones at once.

    Args:
        name: What they are, for messages; as a file's name too.
        pins: A requirements file with a SHA-256 for each wheel.
        folder: Has these wheels afterwards, and no other.
        target: What tells pip of another Python than the running one.

    Raises:
        BuildFailed: They cannot be fetched, or what came is not what is pinned.
    """
    pinned = set(re.findall(r"--hash=sha256:([0-9a-f]{64})", pins.read_text(encoding="utf-8")))
    with only_process(name):
        if _hashes_of(folder) == pinned:
            print(f"  {name:<16} up to date")
        else:
            started_s = time.monotonic()
            _fetch(name, pins, folder, target)
            if _hashes_of(folder) != pinned:
                raise BuildFailed(
                    f"The fetched wheels are not those of {pins.relative_to(ROOT).as_posix()}: "
                    f"remove {folder.relative_to(ROOT).as_posix()}/ and run again."
                )
            print(f"  {name:<16} fetched in {time.monotonic() - started_s:.1f} s")
    return sorted(folder.glob("*.whl"))


def _hashes_of(folder: Path) -> set[str]:
    return {sha256_of(wheel) for wheel in folder.glob("*.whl")}


def _fetch(name: str, pins: Path, folder: Path, target: Sequence[str]) -> None:
    staging = empty_staging_folder(name)
    download = ["pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    checked = ["--only-binary=:all:", "--require-hashes", "--requirement", str(pins)]
    run_quietly(
        [sys.executable, "-m", *download, *checked, "--dest", str(staging), *target],
        log_name=f"pip-download-{name.replace(' ', '-')}",
        otherwise=f"The {name} could not be fetched: check the network connection and run again.",
    )
    put_in_place(staging, folder)
