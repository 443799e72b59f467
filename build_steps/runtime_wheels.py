"""The wheels that Pyodide loads beside ours: pinned, fetched once, checked each time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from build_steps.folders import CACHE, ROOT
from build_steps.pinned_wheels import pinned_wheels

if TYPE_CHECKING:
    from pathlib import Path

REQUIREMENTS = ROOT / "build_steps" / "runtime-wheels.txt"

_TARGET = ("--python-version", "3.14", "--implementation", "cp", "--abi", "cp314", "--abi", "none")
# The platform that wheels for this Pyodide are tagged with. Pure wheels match it too.
_PLATFORM = ("--platform", "pyemscripten_2026_0_wasm32")


def runtime_wheels() -> list[Path]:
    """Return the pinned wheels, sorted by name, fetched when they are not yet there.

    Raises:
        BuildFailed: They cannot be fetched, or what came is not what is pinned.
    """
    return pinned_wheels(
        "runtime wheels",
        REQUIREMENTS,
        CACHE / "runtime-wheels",
        target=[*_TARGET, *_PLATFORM],
    )
