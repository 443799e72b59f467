"""The wheel: the same bytes from the same sources, on any machine."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from build_steps.folders import ROOT, WHEELS, project_version, tree_files
from build_steps.freshness import remake_folder
from build_steps.packaged_pages import published_readme
from build_steps.programs import find_program, run


def wheel_path() -> Path:
    """Return the path of this version's wheel, which may not be built yet."""
    return WHEELS / f"treeglass-{project_version()}-py3-none-any.whl"


def make_wheel() -> None:
    """Bring `dist/wheels/` up to date; it holds the wheel alone."""
    described_by = [ROOT / name for name in ("pyproject.toml", "README.md", "LICENSE")]
    remake_folder(
        "wheel",
        WHEELS,
        inputs=[*described_by, *tree_files(ROOT / "src" / "treeglass")],
        write=build_wheel_into,
    )


def build_wheel_into(folder: Path, *, sources: Path = ROOT) -> None:
    """Build the wheel of a source tree into a folder without other wheels."""
    with TemporaryDirectory(prefix="treeglass-") as made:
        staging = Path(made)
        shutil.copytree(sources / "src", staging / "src")
        for name in ("pyproject.toml", "LICENSE"):
            shutil.copyfile(sources / name, staging / name)
        readme = published_readme((sources / "README.md").read_text("utf-8"))
        (staging / "README.md").write_text(readme, encoding="utf-8", newline="\n")
        run(
            [
                *(find_program("uv"), "build", "--quiet", "--wheel", "--no-create-gitignore"),
                *("--out-dir", folder, staging),
            ],
            otherwise="The wheel could not be built: correct what uv says above and run again.",
        )
