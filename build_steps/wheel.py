"""The wheel: the same bytes from the same sources, on any machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from build_steps.failure import BuildFailed
from build_steps.folders import ROOT, WHEELS, project_version, tree_files
from build_steps.freshness import empty_staging_folder, put_in_place, remake_when_stale
from build_steps.programs import find_program, run

if TYPE_CHECKING:
    from pathlib import Path


def wheel_path() -> Path:
    """Return where the wheel of this version lies, built or not."""
    return WHEELS / f"treeglass-{project_version()}-py3-none-any.whl"


def make_wheel() -> None:
    """Leave the wheel, and nothing else, in `dist/wheels/`."""
    described_by = [ROOT / name for name in ("pyproject.toml", "README.md", "LICENSE")]
    remake_when_stale(
        "wheel",
        inputs=[*described_by, *tree_files(ROOT / "src" / "treeglass")],
        outputs=[wheel_path()],
        make=_make,
    )


def _make() -> None:
    staging = empty_staging_folder("wheels")
    build_wheel_into(staging)
    if not (staging / wheel_path().name).is_file():
        raise BuildFailed(f"The wheel was built under another name than {wheel_path().name}.")
    put_in_place(staging, WHEELS)


def build_wheel_into(folder: Path, *, sources: Path = ROOT) -> None:
    """Build the wheel of a source tree into a folder."""
    run(
        [
            find_program("uv"),
            "build",
            "--quiet",
            "--wheel",
            "--no-create-gitignore",
            "--out-dir",
            folder,
            sources,
        ],
        otherwise="The wheel could not be built: correct what uv says above and run again.",
    )
