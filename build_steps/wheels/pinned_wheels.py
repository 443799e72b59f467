"""Wheels that a requirements file pins by hash: fetched once, checked each time."""

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
"""The wheels that Pyodide loads beside ours, each with its SHA-256."""

_TARGET = ("--python-version", "3.14", "--implementation", "cp", "--abi", "cp314", "--abi", "none")
# The platform tag of wheels for this Pyodide; pip takes pure wheels for it too.
_PLATFORM = ("--platform", "pyemscripten_2026_0_wasm32")


def runtime_wheels() -> list[Path]:
    """Return the wheels of `REQUIREMENTS`, sorted by name, fetched if they are missing.

    Raises:
        BuildFailed: They cannot be fetched, or other wheels came than the pinned ones.
    """
    return pinned_wheels(
        "runtime wheels",
        REQUIREMENTS,
        CACHE / "runtime-wheels",
        target=[*_TARGET, *_PLATFORM],
    )


def pinned_wheels(name: str, pins: Path, folder: Path, *, target: Sequence[str] = ()) -> list[Path]:
    """Return the wheels, sorted by name, fetched into a folder if one is missing there.

    Several processes may ask for the same wheels at the same time.

    Args:
        name: Names the wheels in messages, and the log file.
        pins: A requirements file with a SHA-256 for each wheel.
        folder: Holds these wheels afterwards, and no others.
        target: Options of pip for another Python than the running one.

    Raises:
        BuildFailed: They cannot be fetched, or other wheels came than the pinned ones.
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
