"""The playground and the documentation in `dist/site/`: static files that load no others."""

from __future__ import annotations

import shutil
import zipfile
from typing import TYPE_CHECKING

from build_steps.folders import NPM, PLAYGROUND, ROOT, SITE, WEB, WEB_SOURCES, tree_files
from build_steps.freshness import remake_folder
from build_steps.licenses.third_party import bundled_notices
from build_steps.programs import find_program, output_of
from build_steps.site.documentation import HTML
from build_steps.web.compress import SUFFIXES, add_compressed_siblings
from build_steps.web.scripts import bundle_in_chunks, bundle_styles

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_SAMPLE_PROJECT = WEB / "sample"
"""The project that a visitor of the playground sees first."""

_COMPILED = frozenset({".css", ".ts", ".tsx"})

# The demos of the documentation load them; the playground loads the last two.
_OF_THE_PACKAGE = ("element.js", "element-views.js", "index.js", "THIRD-PARTY.md")

# Long, made by a program, and not worth opening in the sample.
_LEFT_OUT = frozenset({"web/package-lock.json"})

# The earliest time of the zip format, for every entry, so that the bytes depend on content alone.
_ENTRY_TIME = (1980, 1, 1, 0, 0, 0)

_REGULAR_FILE_MODE = 0o100644


def make_site(*, is_complete: bool) -> None:
    """Bring `dist/site/` up to date.

    A complete one has the documentation, and all files are compressed as small as possible.
    """
    samples = sample_files()
    remake_folder(
        "site",
        SITE,
        inputs=[
            *tree_files(WEB_SOURCES),
            *WEB.glob("*.json"),
            *tree_files(NPM),
            *samples,
            # A light site lists them too, so that a complete one is up to date for its tests.
            *tree_files(HTML),
        ],
        write=lambda staging: _write(staging, samples, is_complete=is_complete),
        is_complete=is_complete,
    )


def _write(staging: Path, samples: list[Path], *, is_complete: bool) -> None:
    for name in static_files():
        (staging / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(PLAYGROUND / name, staging / name)
    packages = bundle_in_chunks({"main": PLAYGROUND / "main.tsx"}, staging)
    bundle_styles(PLAYGROUND / "styles" / "page.css", staging / "page.css")
    for name in _OF_THE_PACKAGE:
        shutil.copyfile(NPM / name, staging / name)
    with (staging / "THIRD-PARTY.md").open("a", encoding="utf-8", newline="\n") as notices:
        notices.write(bundled_notices(packages))
    shutil.copytree(NPM / "assets", staging / "assets")
    write_sample(staging / "sample.zip", samples, ROOT)
    # Its hidden files too: a tool that honours `.gitignore` has one to read.
    project = [path for path in samples if path.is_relative_to(_SAMPLE_PROJECT)]
    write_sample(staging / "sample-project.zip", project, _SAMPLE_PROJECT)
    if is_complete:
        shutil.copytree(HTML, staging / "docs")
    add_compressed_siblings(staging, step="site", encodings=SUFFIXES, is_fast=not is_complete)


def static_files() -> list[str]:
    """Return the files that are copied unchanged, by their names in the playground's folder."""
    return [
        path.relative_to(PLAYGROUND).as_posix()
        for path in tree_files(PLAYGROUND)
        if path.suffix not in _COMPILED
    ]


def sample_files() -> list[Path]:
    """Return the tracked files that exist, sorted by their name in the zip."""
    listed = output_of(
        [find_program("git"), "ls-files", "-z"],
        otherwise="Git does not know this folder, and the sample is made of the tracked files: "
        "build in a clone of the repository.",
    )
    names = listed.split("\0")
    wanted = sorted(name for name in names if name and name not in _LEFT_OUT)
    return [ROOT / name for name in wanted if (ROOT / name).is_file()]


def write_sample(archive: Path, files: Sequence[Path], base: Path) -> None:
    """Write files below a folder into a zip; its bytes depend on these and on the zlib version."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as sample:
        for path in files:
            entry = zipfile.ZipInfo(path.relative_to(base).as_posix(), _ENTRY_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, whatever this machine is
            entry.external_attr = _REGULAR_FILE_MODE << 16
            sample.writestr(entry, path.read_bytes())
