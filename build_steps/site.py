"""The playground in `dist/site/`: static files that reach for nothing outside."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from build_steps.compress import add_compressed_siblings
from build_steps.folders import NPM, SITE, WEB, tree_files
from build_steps.freshness import empty_staging_folder, put_in_place, remake_when_stale
from build_steps.precompressed import SUFFIXES
from build_steps.sample import sample_files, write_sample
from build_steps.scripts import bundle_in_chunks

if TYPE_CHECKING:
    from pathlib import Path

PLAYGROUND = WEB / "src" / "playground"

_COMPILED = frozenset({".ts", ".tsx"})


def make_site() -> None:
    """Leave the playground, and nothing else, in `dist/site/`."""
    samples = sample_files()
    remake_when_stale(
        "site",
        inputs=[*tree_files(WEB / "src"), *WEB.glob("*.json"), *tree_files(NPM), *samples],
        outputs=[SITE],
        make=lambda: _make(samples),
    )


def _make(samples: list[Path]) -> None:
    staging = empty_staging_folder("site")
    for name in static_files():
        (staging / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(PLAYGROUND / name, staging / name)
    bundle_in_chunks(PLAYGROUND / "main.ts", staging)
    shutil.copyfile(NPM / "worker.js", staging / "worker.js")
    shutil.copyfile(NPM / "THIRD-PARTY.md", staging / "THIRD-PARTY.md")
    shutil.copytree(NPM / "assets", staging / "assets")
    write_sample(staging / "sample.zip", samples)
    add_compressed_siblings(staging, step="site", encodings=SUFFIXES)
    put_in_place(staging, SITE)


def static_files() -> list[str]:
    """Return the names, within the playground's folder, of what is copied as it stands."""
    return [
        path.relative_to(PLAYGROUND).as_posix()
        for path in tree_files(PLAYGROUND)
        if path.suffix not in _COMPILED
    ]
