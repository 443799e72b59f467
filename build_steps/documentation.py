"""The documentation, as a static site in `build/documentation/html/`."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

from build_steps.api_reference import api_sources, write_javascript_reference
from build_steps.folders import BUILD, ROOT, WEB, tree_files
from build_steps.freshness import empty_staging_folder, put_in_place, remake_when_stale
from build_steps.programs import run

if TYPE_CHECKING:
    from pathlib import Path

DOCS = ROOT / "docs"
"""The pages as they are written."""

HTML = BUILD / "documentation" / "html"
"""The pages as they are served."""

_PLAYGROUND = WEB / "src" / "playground"
_BESIDE = (
    *(ROOT / name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md")),
    *(_PLAYGROUND / name for name in ("favicon.svg", "styles.css")),
)
"""What the pages and `docs/conf.py` take from around `docs/`."""


def make_documentation() -> None:
    """Leave the site in `build/documentation/html/`, and what it was made of beside it.

    Raises:
        BuildFailed: Sphinx or TypeDoc finds fault with a page or a comment.
    """
    remake_when_stale(
        "documentation",
        inputs=[
            ROOT / "pyproject.toml",
            *_BESIDE,
            # Names that begin with a dot belong to the trees of demos.
            *(path for path in DOCS.rglob("*") if path.is_file()),
            *tree_files(ROOT / "src" / "treeglass"),
            *api_sources(),
        ],
        outputs=[HTML / "index.html"],
        make=_make,
    )


def _make() -> None:
    staging = empty_staging_folder("documentation")
    source = staging / "source"
    # Copied, since pages are added to them, and `docs/` is for what is written.
    shutil.copytree(DOCS, source / "docs", symlinks=True)
    for path in _BESIDE:
        copy = source / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    write_javascript_reference(source / "docs" / "reference" / "javascript")
    run_sphinx(source / "docs", staging / "html")
    put_in_place(staging, HTML.parent)


def run_sphinx(source: Path, html: Path) -> None:
    """Build the pages of a folder into another one.

    Raises:
        BuildFailed: Sphinx has said what is wrong with them.
    """
    run(
        [
            *(sys.executable, "-m", "sphinx", "--builder", "html", "--quiet", "--keep-going"),
            # A fresh environment each time: an old one hides what no longer resolves.
            *("--fail-on-warning", "--fresh-env", "--doctree-dir", source.parent / "doctrees"),
            *(source, html),
        ],
        # The names in warnings are those of the copy, whose pages are named like the originals.
        environment={"PYTHONPATH": os.fspath(ROOT / "src")},
        otherwise="The documentation could not be made: correct in docs/, or in the docstrings, "
        "what Sphinx says above and run again.",
    )
    shutil.rmtree(source.parent / "doctrees")
    (html / ".buildinfo").unlink(missing_ok=True)
    # Made even where no source is copied into it.
    (html / "_sources").rmdir()
