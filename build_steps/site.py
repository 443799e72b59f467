"""The playground and the documentation in `dist/site/`: static files, nothing from outside."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from build_steps.documentation import HTML
from build_steps.folders import NPM, SITE, WEB, tree_files
from build_steps.freshness import empty_staging_folder, put_in_place, remake_when_stale
from build_steps.precompressed import SUFFIXES
from build_steps.sample import sample_files, write_sample
from build_steps.web.compress import add_compressed_siblings
from build_steps.web.scripts import bundle_in_chunks

if TYPE_CHECKING:
    from pathlib import Path

PLAYGROUND = WEB / "src" / "playground"

_COMPILED = frozenset({".ts", ".tsx"})

# What a page of the documentation loads for its demos, and the playground but for the first two.
_OF_THE_PACKAGE = ("element.js", "index.js", "worker.js", "THIRD-PARTY.md")


def make_site(*, is_complete: bool) -> None:
    """Leave the playground in `dist/site/`.

    Args:
        is_complete: Whether the documentation lies in its folder `docs/`, and all files are
            compressed as small as possible.
    """
    samples = sample_files()
    remake_when_stale(
        "site",
        inputs=[
            *tree_files(WEB / "src"),
            *WEB.glob("*.json"),
            *tree_files(NPM),
            *samples,
            # A light site lists them too, so that a complete one is up to date for its tests.
            *tree_files(HTML),
        ],
        outputs=[SITE],
        make=lambda: _make(samples, is_complete=is_complete),
        is_complete=is_complete,
    )


def _make(samples: list[Path], *, is_complete: bool) -> None:
    staging = empty_staging_folder("site")
    for name in static_files():
        (staging / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(PLAYGROUND / name, staging / name)
    bundle_in_chunks(PLAYGROUND / "main.ts", staging)
    for name in _OF_THE_PACKAGE:
        shutil.copyfile(NPM / name, staging / name)
    shutil.copytree(NPM / "assets", staging / "assets")
    write_sample(staging / "sample.zip", samples)
    if is_complete:
        shutil.copytree(HTML, staging / "docs")
    add_compressed_siblings(staging, step="site", encodings=SUFFIXES, is_fast=not is_complete)
    put_in_place(staging, SITE)


def static_files() -> list[str]:
    """Return the names, within the playground's folder, of what is copied as it stands."""
    return [
        path.relative_to(PLAYGROUND).as_posix()
        for path in tree_files(PLAYGROUND)
        if path.suffix not in _COMPILED
    ]
